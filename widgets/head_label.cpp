#include "widgets/head_label.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

#include "widgets/format.h"

namespace orthros::widgets {
namespace {

using Kind = HeadLabel::Kind;

struct LabelText {
  Q_DECLARE_TR_FUNCTIONS(LabelText)
};

constexpr std::array kKinds{Kind::First,     Kind::Self,   Kind::Previous,
                            Kind::Induction, Kind::Beyond, Kind::Uniform};

double scoreOf(const RowMeasures& row, Kind kind) {
  switch (kind) {
    case Kind::First:
      return row.first;
    case Kind::Self:
      return row.self;
    case Kind::Previous:
      return row.previous;
    case Kind::Induction:
      return row.induction;
    case Kind::Beyond:
      return row.beyond;
    case Kind::Uniform:
      return row.entropy;
    case Kind::None:
      return 0;
  }
  return 0;
}

}  // namespace

double labelThreshold(Kind kind) {
  switch (kind) {
    case Kind::First:
      return 0.5;
    case Kind::Uniform:
      return 0.9;
    case Kind::None:
      return 0;
    default:
      return 0.3;
  }
}

HeadLabel labelOf(const RowMeasures& row) {
  HeadLabel best;
  double ratio = 1;
  for (const Kind kind : kKinds) {
    const double score = scoreOf(row, kind);
    if (!(score / labelThreshold(kind) >= ratio)) continue;  // NaN: not captured
    ratio = score / labelThreshold(kind);
    best = {kind, score};
  }
  return best;
}

QString labelName(Kind kind) {
  switch (kind) {
    case Kind::First:
      return LabelText::tr("first token");
    case Kind::Self:
      return LabelText::tr("itself");
    case Kind::Previous:
      return LabelText::tr("previous token");
    case Kind::Induction:
      return LabelText::tr("induction");
    case Kind::Beyond:
      return LabelText::tr("beyond the window");
    case Kind::Uniform:
      return LabelText::tr("uniform");
    case Kind::None:
      return LabelText::tr("unlabelled");
  }
  return {};
}

QString labelLetter(Kind kind) {
  constexpr std::array kLetters{"·", "F", "S", "P", "I", "B", "U"};
  return QString::fromUtf8(kLetters[static_cast<size_t>(kind)]);
}

QString labelRules() {
  QStringList lines;
  for (const Kind kind : kKinds) {
    const QString measure =
        kind == Kind::Uniform ? LabelText::tr("entropy / ln(support)") : LabelText::tr("mass");
    lines.append(LabelText::tr("%1  %2: %3 at least %4")
                     .arg(labelLetter(kind), labelName(kind), measure, formatNumber(labelThreshold(kind))));
  }
  lines.append(LabelText::tr("%1  unlabelled: below every threshold").arg(labelLetter(Kind::None)));
  return lines.join(u'\n');
}

Kind tooCommon(std::span<const HeadLabel> labels) {
  for (const Kind kind : kKinds) {
    const auto count = std::ranges::count(labels, kind, &HeadLabel::kind);
    if (static_cast<double>(count) > kMostLabelled * static_cast<double>(labels.size())) return kind;
  }
  return Kind::None;
}

}  // namespace orthros::widgets
