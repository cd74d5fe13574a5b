#include "app/studio/pages/niah/niah_estimate.h"

#include <QFileInfo>
#include <algorithm>

#include "app/studio/text.h"
#include "engine/model/cost_model.h"
#include "engine/model/runtime.h"
#include "engine/store/run_reader.h"

namespace orthros::studio {
namespace {

constexpr qint64 kNeedleAlone = 32;        // ids of a prompt without haystack
constexpr double kGuessedFlopRate = 15e9;  // a second and thread, where nothing was measured
constexpr double kGuessedTrial = 0.005;    // seconds of every trial besides

double flopOf(const ModelConfig& config, qint64 tokens) {
  return prefill_flop(config, tokens).engine;
}

// Between two measured lengths on the line between them; beyond the longest in proportion to the arithmetic.
double secondsAt(const ModelConfig& config, const QList<NiahRate>& rates, qint64 tokens) {
  if (rates.isEmpty())
    return kGuessedTrial + flopOf(config, tokens) / (kGuessedFlopRate * std::max(1, num_threads()));
  const auto above = std::ranges::lower_bound(rates, tokens, {}, &NiahRate::tokens);
  if (above == rates.end())
    return rates.back().seconds * flopOf(config, tokens) / flopOf(config, rates.back().tokens);
  if (above == rates.begin() || above->tokens == tokens) return above->seconds;
  const NiahRate& below = *(above - 1);
  const double share =
      static_cast<double>(tokens - below.tokens) / static_cast<double>(above->tokens - below.tokens);
  return below.seconds + share * (above->seconds - below.seconds);
}

}  // namespace

Result<NiahRates> readNiahRates(const QString& storePath) {
  NiahRates rates;
  if (!QFileInfo::exists(storePath)) return rates;
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  // A trial answers twice: forced, and freely, which alone is timed.
  ORTHROS_TRY(const store::Table table,
              reader->query("SELECT r.arm_label, c.ctx_len, AVG(t.prefill_ns + 2 * t.decode_ns) "
                            "FROM run r JOIN cell c ON c.run_id = r.id JOIN niah_trial t ON t.cell_id = c.id "
                            "WHERE c.ctx_len > 0 GROUP BY 1, 2 ORDER BY 1, 2"));
  for (const auto& row : table.rows)
    rates[toQt(row[0])].append({std::stoll(row[1]), std::stod(row[2]) / 1e9});
  return rates;
}

NiahEstimate estimateNiah(const NiahSpec& spec, const NiahArmSource& arm, const QList<NiahRate>& rates) {
  NiahEstimate estimate;
  estimate.isMeasured = !rates.isEmpty();
  for (const NiahCell& cell : niah_cells(spec))
    estimate.seconds += static_cast<double>(cell.trials) *
                        secondsAt(arm.config, rates, std::max<qint64>(cell.length, kNeedleAlone));
  constexpr qint64 kAnswer = 32;  // room for the reply
  const LoadReport& report = arm.model->report();
  MemoryRequest request;
  request.compute_type = report.compute_type;
  request.kv_type = report.kv_type;
  request.tokens = spec.lengths.back() + std::max<qint64>(spec.answer_tokens, kAnswer);
  const MemoryPlan plan = plan_memory(arm.config, request);
  estimate.newBytes = plan.total_bytes();
  estimate.peakBytes = plan.total_bytes() + report.held_bytes;
  return estimate;
}

}  // namespace orthros::studio
