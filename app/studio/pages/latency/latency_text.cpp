#include "app/studio/pages/latency/latency_text.h"

#include <algorithm>

#include "app/studio/text.h"
#include "engine/experiments/roofline.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

QString tokens(double value) {
  return widgets::formatCount(std::llround(value));
}

widgets::Fact factOf(const QString& caption, const QString& value = {}, const QString& note = {}) {
  return {caption, value, note, widgets::Role::Text, {}};
}

widgets::Fact reachedFact(const ReachedSpeedUp& reached) {
  widgets::Fact fact;
  fact.caption = LatencyText::tr("reaches %1 ×").arg(reached.target);
  switch (reached.where) {
    case ReachedSpeedUp::Where::before_first:
      fact.value = LatencyText::tr("before %1 tokens").arg(tokens(static_cast<double>(reached.first_tokens)));
      return fact;
    case ReachedSpeedUp::Where::beyond_last:
      fact.value =
          LatencyText::tr("not up to %1 tokens").arg(tokens(static_cast<double>(reached.last_tokens)));
      return fact;
    case ReachedSpeedUp::Where::within:
      break;
  }
  fact.value = LatencyText::tr("at %1 tokens").arg(tokens(reached.tokens.value_or(0)));
  const bool open = !std::isfinite(reached.interval.high);
  const QString low =
      reached.interval.low > 0 ? tokens(reached.interval.low) : LatencyText::tr("before the first");
  fact.note = LatencyText::tr("95 %: %1 to %2")
                  .arg(low, open ? LatencyText::tr("beyond the last") : tokens(reached.interval.high));
  return fact;
}

widgets::Fact fasterFact(const LatencyView& view, const LatencyArmReport& arm) {
  const QString base = armNames(view)[static_cast<qsizetype>(view.report.baseline)];
  widgets::Fact fact = factOf(LatencyText::tr("faster than %1").arg(base));
  if (arm.curve.empty()) {
    fact.value = LatencyText::tr("no pair yet");
  } else if (!arm.first_faster) {
    fact.value = LatencyText::tr("nowhere measured");
  } else {
    fact.value = LatencyText::tr("from %1 tokens").arg(tokens(static_cast<double>(arm.first_faster->tokens)));
    fact.note = arm.first_faster->holds_beyond ? LatencyText::tr("the 95 % interval excludes 1")
                                               : LatencyText::tr("but not at every longer length");
    fact.role = widgets::Role::Good;
  }
  return fact;
}

// The measured speed-up at the longest length against what the FLOP alone would give.
widgets::Fact flopFact(const LatencyView& view, size_t arm) {
  const LatencyArmReport& own = view.report.arms[arm];
  widgets::Fact fact = factOf(LatencyText::tr("T* of the FLOP"),
                              LatencyText::tr("%1 tokens").arg(tokens(own.flop_balance_tokens)), {});
  if (own.flop_balance_tokens <= 0) fact.value = LatencyText::tr("not known");
  if (own.curve.empty()) return fact;
  const SpeedUpPoint& last = own.curve.back();
  for (const LatencyCellReport& cell : view.report.cells) {
    if (cell.point.tokens != last.tokens || cell.speed_ups[arm].flop.engine <= 0) continue;
    const double flop = cell.speed_ups[arm].flop.engine;
    const AgainstFlops verdict = against_flop_ratio(last.ratio, flop);
    const QChar sign = verdict == AgainstFlops::below ? u'<' : verdict == AgainstFlops::above ? u'>' : u'≈';
    // Within its interval the ratio itself says little.
    const QString measured = verdict == AgainstFlops::agrees
                                 ? LatencyText::tr("%1 to %2")
                                       .arg(widgets::formatNumber(last.ratio.interval.low),
                                            widgets::formatNumber(last.ratio.interval.high))
                                 : widgets::formatNumber(last.ratio.value);
    fact.note =
        LatencyText::tr("at %1: %2 × %3 FLOP ratio %4")
            .arg(widgets::tokensText(last.tokens), measured, QString(sign), widgets::formatNumber(flop));
    fact.tip = toQt(explanation(verdict));
    break;
  }
  return fact;
}

constexpr double kLinearShare = 0.25;  // as the tip says

// Of the time at the longest length, if c were as large as its interval allows.
double mostQuadraticShare(const CostFit& fit) {
  const auto tokens = static_cast<double>(fit.max_tokens);
  const double seconds = fit.curve.seconds(tokens);
  return seconds > 0 ? fit.intervals->quadratic_s.high * tokens * tokens / seconds : 0;
}

widgets::Fact fitFact(const LatencyArmReport& arm) {
  widgets::Fact fact = factOf(LatencyText::tr("time against length"));
  if (!arm.fit) {
    fact.value = LatencyText::tr("three lengths needed");
    return fact;
  }
  const bool mayBeLinear = arm.fit->quadratic_consistent_with_zero().value_or(false);
  const bool isLinear = mayBeLinear && mostQuadraticShare(*arm.fit) <= kLinearShare;
  fact.value = isLinear      ? LatencyText::tr("linear")
               : mayBeLinear ? LatencyText::tr("too noisy to tell")
                             : LatencyText::tr("grows with T²");
  if (isLinear) fact.role = widgets::Role::Good;
  constexpr double kNano = 1e9;
  fact.note =
      arm.fit->intervals
          ? LatencyText::tr("c %1 to %2 ns/token²")
                .arg(widgets::formatNumber(arm.fit->intervals->quadratic_s.low * kNano),
                     widgets::formatNumber(arm.fit->intervals->quadratic_s.high * kNano))
          : LatencyText::tr("c %1 ns/token²").arg(widgets::formatNumber(arm.fit->curve.quadratic_s * kNano));
  fact.tip = LatencyText::tr(
      "prefill = a + b T + c T², fitted to the medians; 95 % of c. Linear: c may be 0, and "
      "cannot be more than 25 % of the time at the longest T");
  return fact;
}

// Both read the same prompts into the same cache: the comparison is of the computation alone.
widgets::Fact cacheFact(const LatencyView& view, size_t arm) {
  int64_t both = 0, equal = 0;
  for (const LatencyCellReport& cell : view.report.cells) {
    const int64_t a = cell.arms[view.report.baseline].kv_bytes;
    const int64_t b = cell.arms[arm].kv_bytes;
    if (a <= 0 || b <= 0) continue;
    ++both;
    equal += a == b ? 1 : 0;
  }
  widgets::Fact fact = factOf(LatencyText::tr("KV cache"));
  if (both == 0) {
    fact.value = LatencyText::tr("not known yet");
  } else if (equal == both) {
    fact.value = LatencyText::tr("equal bytes");
    fact.note = LatencyText::tr("in all %1 cells").arg(both);
    fact.role = widgets::Role::Good;
  } else {
    fact.value = LatencyText::tr("not equal");
    fact.note = LatencyText::tr("in %1 of %2 cells").arg(both - equal).arg(both);
    fact.role = widgets::Role::Warn;
  }
  return fact;
}

// Reading everything, the arm gives the Transformer's logits: what it saves is reading, not computing less
// well.
widgets::Fact equalFact(const LatencyArmReport& arm) {
  const EqualWork& work = *arm.equal_work;
  widgets::Fact fact = factOf(LatencyText::tr("equal work"));
  fact.value = work.is_equal() ? LatencyText::tr("logits agree") : LatencyText::tr("logits differ");
  fact.role = work.is_equal() ? widgets::Role::Good : widgets::Role::Warn;
  fact.note = LatencyText::tr("within %1 of %2, %3")
                  .arg(widgets::formatNumber(work.worst), widgets::formatNumber(work.largest),
                       work.is_float32 ? QStringLiteral("float32") : QStringLiteral("bfloat16"));
  fact.tip = LatencyText::tr(
                 "Read with a window that holds all %1 tokens and no scale-offset, the weights must give the "
                 "Transformer's logits, to the rounding of the type that they compute in.")
                 .arg(work.tokens);
  return fact;
}

// R(x), of the longest prompt: after how many output tokens the gain of the prefill has thinned out.
void addGains(QList<widgets::Fact>& facts, const LatencyView& view, size_t arm) {
  const LatencyCellReport* last = nullptr;
  for (const LatencyCellReport& cell : view.report.cells) {
    if (!cell.gains[arm].empty() && (last == nullptr || cell.point.tokens >= last->point.tokens))
      last = &cell;
  }
  if (last == nullptr) return;
  for (const GainAt& gain : last->gains[arm]) {
    if (gain.fall.kind != GainFall::Kind::falls) continue;
    facts.append(
        factOf(LatencyText::tr("end to end below %1 ×").arg(gain.gain),
               LatencyText::tr("from %1 out").arg(tokens(std::ceil(gain.fall.steps))),
               LatencyText::tr("after %1 in: a model").arg(widgets::tokensText(last->point.tokens))));
    return;
  }
}

QString modeName(LatencyMode mode) {
  switch (mode) {
    case LatencyMode::prefill:
      return LatencyText::tr("prefill sweep");
    case LatencyMode::in_out:
      return LatencyText::tr("in/out sweep");
    case LatencyMode::decode_at_depth:
      return LatencyText::tr("decode at depth");
    case LatencyMode::grid:
      return LatencyText::tr("grid");
  }
  return {};
}

}  // namespace

QStringList armNames(const LatencyView& view) {
  QStringList names;
  for (const LatencyArmReport& arm : view.report.arms) names.append(toQt(arm.label));
  if (names.size() < 2) return names;
  const QString model = names.front().section(QStringLiteral(", "), 0, 0) + QStringLiteral(", ");
  if (!std::ranges::all_of(names, [&](const QString& name) { return name.startsWith(model); })) return names;
  for (QString& name : names) name.remove(0, model.size());
  return names;
}

QString quantityName(TimingQuantity quantity) {
  switch (quantity) {
    case TimingQuantity::prefill_latency:
      return LatencyText::tr("Prefill latency");
    case TimingQuantity::time_to_first_token:
      return LatencyText::tr("Time to first token");
    case TimingQuantity::end_to_end_latency:
      return LatencyText::tr("End-to-end latency");
    case TimingQuantity::output_throughput:
      return LatencyText::tr("Output throughput");
    case TimingQuantity::decode_throughput:
      return LatencyText::tr("Decode-only throughput");
    case TimingQuantity::time_per_output_token:
      return LatencyText::tr("Time per output token");
    case TimingQuantity::prefill_throughput:
      return LatencyText::tr("Prefill throughput");
    default:
      return toQt(quantity_info(quantity).label);
  }
}

QString shortName(TimingQuantity quantity) {
  switch (quantity) {
    case TimingQuantity::prefill_latency:
      return LatencyText::tr("prefill");
    case TimingQuantity::time_to_first_token:
      return LatencyText::tr("TTFT");
    case TimingQuantity::end_to_end_latency:
      return LatencyText::tr("E2E");
    case TimingQuantity::output_throughput:
      return LatencyText::tr("output");
    case TimingQuantity::decode_throughput:
      return LatencyText::tr("decode-only");
    case TimingQuantity::decode_throughput_all_tokens:
      return LatencyText::tr("decode, all N");
    case TimingQuantity::decode_throughput_median_step:
      return LatencyText::tr("decode, median step");
    case TimingQuantity::time_per_output_token:
      return LatencyText::tr("TPOT");
    case TimingQuantity::prefill_throughput:
      return LatencyText::tr("prefill rate");
  }
  return {};
}

QString groupText(const LatencyView& view, const LatencyPoint& point) {
  QStringList parts;
  const LatencyPoint& first = view.report.cells.front().point;
  const auto differs = [&](auto field) {
    return std::ranges::any_of(view.report.cells,
                               [&](const auto& cell) { return cell.point.*field != first.*field; });
  };
  if (differs(&LatencyPoint::outputs)) parts.append(LatencyText::tr("%1 out").arg(point.outputs));
  if (differs(&LatencyPoint::batch)) parts.append(LatencyText::tr("batch %1").arg(point.batch));
  if (differs(&LatencyPoint::threads)) parts.append(LatencyText::tr("%1 threads").arg(point.threads));
  return parts.join(QStringLiteral(", "));
}

QString pointText(const LatencyView& view, const LatencyPoint& point) {
  const QString group = groupText(view, point);
  const QString length = LatencyText::tr("%1 tokens").arg(tokens(static_cast<double>(point.tokens)));
  return group.isEmpty() ? length : length + QStringLiteral(", ") + group;
}

QString missingText(const LatencyArmCell& cell) {
  QString what;
  switch (cell.status) {
    case store::CellStatus::oom:
      what = LatencyText::tr("out of memory");
      break;
    case store::CellStatus::timeout:
      what = LatencyText::tr("took longer than allowed");
      break;
    case store::CellStatus::error:
      what = LatencyText::tr("failed");
      break;
    case store::CellStatus::skipped:
      what = LatencyText::tr("skipped");
      break;
    default:
      return {};
  }
  return cell.error.empty() ? what : what + QStringLiteral(": ") + toQt(cell.error);
}

QList<widgets::FactRow> crossoverFacts(const LatencyView& view) {
  QList<widgets::FactRow> rows;
  const bool timed = view.report.spec.mode != LatencyMode::decode_at_depth;
  const QStringList names = armNames(view);
  for (size_t arm = 0; arm < view.report.arms.size(); ++arm) {
    if (arm == view.report.baseline) continue;
    const LatencyArmReport& own = view.report.arms[arm];
    widgets::FactRow row{names[static_cast<qsizetype>(arm)], toQt(own.architecture), {}};
    if (timed) {
      row.facts.append(fasterFact(view, own));
      for (const ReachedSpeedUp& reached : own.reached) row.facts.append(reachedFact(reached));
      row.facts.append(flopFact(view, arm));
      if (hasFits(view)) row.facts.append(fitFact(own));
      addGains(row.facts, view, arm);
    }
    row.facts.append(cacheFact(view, arm));
    if (own.equal_work) row.facts.append(equalFact(own));
    rows.append(row);
  }
  return rows;
}

bool hasFits(const LatencyView& view) {
  return std::ranges::any_of(view.report.arms, [](const auto& arm) { return arm.fit.has_value(); });
}

QString captionOf(const LatencyView& view) {
  QStringList parts{modeName(view.report.spec.mode)};
  if (!view.report.arms.empty()) {
    const QString model = toQt(view.report.arms.front().label).section(QStringLiteral(", "), 0, 0);
    if (!armNames(view).front().startsWith(model)) parts.append(model);
  }
  parts.append(
      LatencyText::tr("%1 of %2 cells, %3 samples").arg(view.ended).arg(view.cells).arg(view.samples));
  parts.append(LatencyText::tr("medians with 95 % intervals"));
  parts.append(LatencyText::tr("seed %1").arg(view.report.spec.seed));
  parts.append(LatencyText::tr("spec %1").arg(view.specHash));
  parts.append(view.build);
  parts.append(view.created);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

}  // namespace orthros::studio
