#include "app/studio/pages/latency/latency_presets.h"

namespace orthros::studio {
namespace {

constexpr int64_t kUsualWindow = 128;

std::vector<int64_t> doubled(int64_t from, int64_t to, int64_t limit) {
  std::vector<int64_t> lengths;
  for (int64_t length = from; length <= to && length <= limit; length *= 2) lengths.push_back(length);
  if (lengths.empty()) lengths.push_back(std::max<int64_t>(1, limit));
  return lengths;
}

}  // namespace

QStringList latencyPresets() {
  return {QStringLiteral("smoke"), QStringLiteral("quick"), QStringLiteral("paper-like")};
}

LatencyPreset latencyPreset(int index, LatencyMode mode, int64_t contextLimit) {
  constexpr int64_t kSmoke = 1024, kQuick = 8192, kPaper = 32'768;
  const bool generates = mode != LatencyMode::prefill;
  LatencyPreset preset;
  preset.batches = {1};
  preset.outputs = {1};
  switch (index) {
    case 0:
      preset.lengths = doubled(256, generates ? kSmoke / 2 : kSmoke, contextLimit - (generates ? 16 : 0));
      if (generates) preset.outputs = {16};
      preset.pairs = 3;
      preset.warmups = 2;
      break;
    case 1:
      preset.lengths = doubled(generates ? 1024 : 256, generates ? kQuick / 2 : kQuick,
                               contextLimit - (generates ? 64 : 0));
      if (generates)
        preset.outputs =
            mode == LatencyMode::in_out ? std::vector<int64_t>{16, 64} : std::vector<int64_t>{32};
      preset.pairs = 5;
      preset.warmups = 3;
      break;
    default:
      // Figure 4 and Table 4 with the lengths of a small model: two sequences, a short and a long reply.
      preset.lengths =
          generates ? doubled(4096, kPaper / 4, contextLimit - 1024) : doubled(512, kPaper, contextLimit);
      if (generates) {
        preset.outputs =
            mode == LatencyMode::in_out ? std::vector<int64_t>{128, 1024} : std::vector<int64_t>{128};
        preset.batches = {2};
      }
      preset.pairs = 10;
      preset.warmups = 5;
      break;
  }
  return preset;
}

QList<LatencyArmChoice> latencyArms(const ModelLibrary& library) {
  const OpenedModel* best = nullptr;
  for (const OpenedModel& model : library.models()) {
    if (model.state != OpenedModel::State::Ready) continue;
    if (best == nullptr || best->name() != u"latency-256") best = &model;
  }
  QList<LatencyArmChoice> arms;
  if (best == nullptr) return arms;
  // A model that has no window of its own is read with the paper's.
  NiahArmChoice orthros{best->id, Architecture::orthros, kUsualWindow, 0};
  if (best->model->config().has_output_stream()) orthros.window = orthros.sinks = std::nullopt;
  arms.append(LatencyArmChoice{{best->id, Architecture::transformer, {}, {}}, {}});
  arms.append(LatencyArmChoice{orthros, {}});
  return arms;
}

}  // namespace orthros::studio
