#include "widgets/weight_scale.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"

namespace orthros::widgets {
namespace {

struct ScaleText {
  Q_DECLARE_TR_FUNCTIONS(ScaleText)
};

QString power(double bits) {
  const QString digits = QString::number(std::abs(qRound(bits)));
  static const QString kRaised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text = bits < 0 ? QStringLiteral("2⁻") : QStringLiteral("2");
  for (const QChar digit : digits) text += kRaised.at(digit.digitValue());
  return text;
}

}  // namespace

QString scaleName(ScaleMode mode) {
  switch (mode) {
    case ScaleMode::Log:
      return ScaleText::tr("log₂");
    case ScaleMode::Lift:
      return ScaleText::tr("lift");
    case ScaleMode::Linear:
      return ScaleText::tr("linear");
    case ScaleMode::RowMax:
      return ScaleText::tr("row max");
    case ScaleMode::Rank:
      return ScaleText::tr("rank");
  }
  return {};
}

QString scaleFormula(ScaleMode mode) {
  switch (mode) {
    case ScaleMode::Log:
      return ScaleText::tr("log₂ p, from 2⁻¹⁶ to 1");
    case ScaleMode::Lift:
      return ScaleText::tr("p × visible keys: 1 is a row of equal weights, in x as in x′");
    case ScaleMode::Linear:
      return ScaleText::tr("p, from 0 to the heaviest");
    case ScaleMode::RowMax:
      return ScaleText::tr("p / the heaviest weight of its row");
    case ScaleMode::Rank:
      return ScaleText::tr("share of the row's visible keys that weigh less");
  }
  return {};
}

double WeightScale::place(double weight, const RowContext& row) const {
  const double size = std::abs(weight);
  double place = 0;
  if (size > 0) {
    const double floor = isDifference ? kLog2DifferenceFloor : kLog2Floor;
    switch (mode) {
      case ScaleMode::Log:
        place = (std::log2(size) - floor) / (std::log2(most) - floor);
        break;
      case ScaleMode::Lift:
        place = (std::log2(size * row.visible) + liftBits) / (2 * liftBits);
        break;
      case ScaleMode::Linear:
        place = size / most;
        break;
      case ScaleMode::RowMax:
        place = row.most > 0 ? size / row.most : 1;
        break;
      case ScaleMode::Rank:
        place = row.rank;
        break;
    }
    place = std::clamp(place, kLeastPlace, 1.0);
  }
  return isDifference ? 0.5 + (weight < 0 ? -0.5 : 0.5) * place : place;
}

QString WeightScale::highEnd() const {
  switch (mode) {
    case ScaleMode::Log:
    case ScaleMode::Linear:
      return most == 1 ? QStringLiteral("1") : formatNumber(most);
    case ScaleMode::Lift:
      return power(liftBits);
    case ScaleMode::RowMax:
    case ScaleMode::Rank:
      return QStringLiteral("1");
  }
  return {};
}

QString WeightScale::lowEnd() const {
  if (isDifference) return QStringLiteral("−") + highEnd();
  switch (mode) {
    case ScaleMode::Log:
      return power(kLog2Floor);
    case ScaleMode::Lift:
      return power(-liftBits);
    default:
      return QStringLiteral("0");
  }
}

}  // namespace orthros::widgets
