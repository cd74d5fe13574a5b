#include "app/studio/pages/niah/niah_export.h"

#include <QSaveFile>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

constexpr double kPpmOfPercent = 1e4;

QByteArray number(double value) {
  return QByteArray::number(value, 'g', 9);
}

QByteArray percent(int64_t ppm) {
  return ppm < 0 ? QByteArray() : number(static_cast<double>(ppm) / kPpmOfPercent);
}

QByteArray quoted(const std::string& text) {
  return '"' + QByteArray::fromStdString(text).replace('"', "\"\"") + '"';
}

QByteArray lineOf(const NiahView& view, const std::string& label, size_t length, size_t depth,
                  const NiahShare& share) {
  const NiahSpec& spec = view.map.spec;
  const bool any = share.n > 0;
  const bool probed = share.probed > 0;
  const Interval interval = share.interval();
  const QList<QByteArray> fields{
      quoted(label),
      QByteArray(to_string(spec.task.variant)),
      QByteArray::number(qlonglong{spec.lengths[length]}),
      percent(spec.depths_ppm[depth]),
      QByteArray(to_string(share.status)),
      QByteArray::number(qlonglong{share.hits}),
      QByteArray::number(qlonglong{share.n}),
      any ? number(share.accuracy()) : QByteArray(),
      any ? number(interval.low) : QByteArray(),
      any ? number(interval.high) : QByteArray(),
      percent(share.depth_low_ppm),
      percent(share.depth_high_ppm),
      probed ? number(share.mass_sum / static_cast<double>(share.probed)) : QByteArray(),
      probed ? number(share.uniform_sum / static_cast<double>(share.probed)) : QByteArray(),
      any ? number(share.logprob_sum / static_cast<double>(share.n)) : QByteArray(),
      any ? number(share.rank1_sum / static_cast<double>(share.n)) : QByteArray(),
      share.placed > 0 ? number(static_cast<double>(share.from_end_sum) / static_cast<double>(share.placed))
                       : QByteArray(),
      QByteArray::number(qlonglong{share.cut}),
      quoted(share.error),
      view.specHash.toUtf8(),
      quoted(toStd(view.build))};
  return fields.join(',') + '\n';
}

}  // namespace

Result<void> writeNiahValues(const NiahView& view, const QString& path) {
  QByteArray text(
      "arm,variant,length_tokens,depth_percent,status,hits,trials,accuracy,low_95,high_95,placed_low_percent,"
      "placed_high_percent,attention_on_needle,attention_if_even,answer_logprob_nats,answer_ids_ranked_first,"
      "tokens_from_end,"
      "cut_by_budget,error,spec_sha256,build\n");
  for (const NiahArmMap& arm : view.map.arms) {
    for (size_t length = 0; length < arm.cells.size(); ++length) {
      for (size_t depth = 0; depth < arm.cells[length].size(); ++depth)
        text += lineOf(view, arm.label, length, depth, arm.cells[length][depth]);
    }
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
    return fail(ErrorCode::io, "cannot write {}: {}", toStd(path), toStd(file.errorString()));
  return {};
}

}  // namespace orthros::studio
