#include "widgets/curve_ticks.h"

#include <cmath>

#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::widgets {
namespace {

constexpr double kGrouped = 1e4;  // from here on digits stand in groups
constexpr double kShort = 1e6;
constexpr double kNarrow = 2;
constexpr double kNothing = 1e-9;  // of the step: zero that rounding has moved

QString numberText(double value) {
  const double size = std::abs(value);
  if (size >= kShort) return formatShort(value).replace(QStringLiteral(".000"), QString());
  if (size >= kGrouped && value == std::round(value)) return formatCount(std::llround(value));
  return QString::number(value, 'g', 5);
}

class Numbers : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override { return m_step = QCPAxisTicker::getTickStep(range); }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return numberText(std::abs(tick) < kNothing * m_step ? 0 : tick);
  }
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }

 private:
  double m_step = 1;
};

// 1, 2, 5 times powers of ten where these are few, else powers of ten, thinned to what there is room for.
class LogNumbers : public QCPAxisTicker {
 public:
  explicit LogNumbers(int most) : m_most(std::max(2, most)) {}

 protected:
  double getTickStep(const QCPRange&) override { return 1; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return numberText(tick); }
  QVector<double> createTickVector(double, const QCPRange& range) override {
    if (range.lower <= 0) return {};
    if (range.upper / range.lower < kNarrow) {  // a part of a decade: as on a linear axis
      setTickCount(m_most);
      return QCPAxisTicker::createTickVector(QCPAxisTicker::getTickStep(range), range);
    }
    for (const QList<double>& steps :
         {QList<double>{1, 1.5, 2, 3, 4, 5, 6, 8}, {1, 2, 3, 5}, {1, 2, 5}, {1, 3}, {1}}) {
      QVector<double> ticks = ticksOf(range, steps, 1);
      if (ticks.size() <= m_most) return ticks;
    }
    QVector<double> ticks;
    for (int every = 2; ticks.isEmpty() || ticks.size() > m_most; ++every) ticks = ticksOf(range, {1}, every);
    return ticks;
  }
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }

 private:
  static QVector<double> ticksOf(const QCPRange& range, const QList<double>& steps, int every) {
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int decade = first; decade <= last; ++decade) {
      if (decade % every != 0) continue;
      for (const double step : steps) {
        const double tick = step * std::pow(10, decade);
        if (range.contains(tick)) ticks.append(tick);
      }
    }
    return ticks;
  }

  int m_most;
};

class Tokens : public QCPAxisTicker {
 public:
  Tokens(int most, bool log) : m_most(std::max(2, most)), m_log(log) {}

 protected:
  double getTickStep(const QCPRange& range) override {
    return std::exp2(std::ceil(std::log2(std::max(1.0, range.size() / m_most))));
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return tokensText(std::llround(tick));
  }
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    if (!m_log) return QCPAxisTicker::createTickVector(step, range);
    QVector<double> ticks;
    if (range.lower <= 0) return ticks;
    const int first = static_cast<int>(std::ceil(std::log2(range.lower) - kNothing));
    const int last = static_cast<int>(std::floor(std::log2(range.upper) + kNothing));
    const int every = std::max(1, (last - first + m_most) / m_most);
    for (int power = last; power >= first; power -= every) ticks.prepend(std::exp2(power));
    return ticks;
  }
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }

 private:
  int m_most;
  bool m_log;
};

}  // namespace

QSharedPointer<QCPAxisTicker> makeTicker(TickKind kind, int most) {
  if (kind == TickKind::LogNumbers) return QSharedPointer<QCPAxisTicker>(new LogNumbers(most));
  if (kind != TickKind::Numbers)
    return QSharedPointer<QCPAxisTicker>(new Tokens(most, kind == TickKind::LogTokens));
  auto ticker = QSharedPointer<QCPAxisTicker>(new Numbers);
  ticker->setTickCount(std::max(2, most));
  return ticker;
}

}  // namespace orthros::widgets
