#include "app/studio/pages/niah/niah_input.h"

#include <QStringList>
#include <cmath>

#include "app/studio/text.h"
#include "engine/experiments/niah_spec.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

constexpr int64_t kKibi = 1024;
constexpr int64_t kMostTokens = int64_t{1} << 30;
constexpr int64_t kPpmOfPercent = 10'000;
constexpr int kMostDepths = 1000;

}  // namespace

Result<std::vector<int64_t>> parseLengths(const QString& text) {
  std::vector<int64_t> lengths;
  for (const QString& part : text.split(u',')) {
    QString word = part.trimmed();
    const int64_t unit = word.endsWith(u'k', Qt::CaseInsensitive)   ? kKibi
                         : word.endsWith(u'm', Qt::CaseInsensitive) ? kKibi * kKibi
                                                                    : 1;
    if (unit > 1) word.chop(1);
    bool number = false;
    const int64_t value = word.toLongLong(&number);
    if (!number || value < 1 || value > kMostTokens / unit)
      return fail(Error{ErrorCode::invalid_argument, "lengths: '" + toStd(part.trimmed()) + "' is no length",
                        "write for example 256, 512, 1K"});
    lengths.push_back(value * unit);
  }
  return lengths;
}

Result<std::vector<int64_t>> parseDepths(const QString& text) {
  if (!text.contains(u',') && !text.contains(u'%')) {
    bool number = false;
    const int count = text.trimmed().toInt(&number);
    if (!number || count < 1 || count > kMostDepths)
      return fail(Error{ErrorCode::invalid_argument,
                        "depths: '" + toStd(text.trimmed()) + "' is no number of depths",
                        "write a number such as 6, or percents: 0, 50, 100"});
    return depth_series(count, DepthSpacing::linear);
  }
  std::vector<int64_t> depths;
  for (const QString& part : text.split(u',')) {
    QString word = part.trimmed();
    if (word.endsWith(u'%')) word = word.chopped(1).trimmed();
    bool number = false;
    const double percent = word.toDouble(&number);
    if (!number || !(percent >= 0 && percent <= 100))
      return fail(Error{ErrorCode::invalid_argument,
                        "depths: '" + toStd(part.trimmed()) + "' is no depth from 0 to 100 %",
                        "write for example 0, 50, 100"});
    depths.push_back(std::llround(percent * static_cast<double>(kPpmOfPercent)));
  }
  return depths;
}

QString lengthsText(const std::vector<int64_t>& lengths) {
  QStringList words;
  for (const int64_t length : lengths) words.append(widgets::tokensText(length));
  return words.join(QStringLiteral(", "));
}

QString depthsText(const std::vector<int64_t>& depthsPpm) {
  if (depthsPpm == depth_series(std::ssize(depthsPpm), DepthSpacing::linear))
    return QString::number(std::ssize(depthsPpm));
  QStringList words;
  for (const int64_t depth : depthsPpm)
    words.append(QString::number(static_cast<double>(depth) / static_cast<double>(kPpmOfPercent), 'g', 7));
  return depthsPpm.size() == 1 ? words.front() + QStringLiteral(" %") : words.join(QStringLiteral(", "));
}

}  // namespace orthros::studio
