// NiahSpec: what a needle-in-a-haystack experiment runs: a task over lengths x depths x trials, and controls.
// Units: tokens, ppm of the haystack. Errors: invalid_argument naming the field; corrupt_file for broken
// JSON. Source: niah-and-latency.md 6.1. Public: no torch. Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/store/records.h"
#include "engine/tasks/needle_task.h"
#include "engine/tasks/scorers.h"

namespace orthros {

struct NiahSpec {
  NeedleTaskSpec task;
  std::vector<int64_t> lengths;     // ascending; all ids fed to the model
  std::vector<int64_t> depths_ppm;  // ascending; 0 first, 1,000,000 last before the question
  int64_t trials = 1;
  uint64_t seed = 42;
  int64_t answer_tokens = 0;  // greedy budget; 0: the longest right answer + 4
  Scorer scorer = Scorer::value_match;
  bool controls = true;  // no needle (expect 0) at every length, needle only (expect 1)
  bool probe_attention = true;
};

/// smoke (256, 512, 1024 x 3 depths x 1), quick (128 to 4096 doubling x 6 x 5), paper-like (8 geometric
/// lengths to the model's limit x 11 x 10), publication (the same x 20). `limit`: the model's longest
/// context.
Result<NiahSpec> niah_preset(std::string_view name, int64_t limit);

/// `count` depths: linear, geometric from the end (dense at the question), or a monotone S-curve.
enum class DepthSpacing { linear, geometric, s_curve };
Result<DepthSpacing> parse_depth_spacing(std::string_view text);
std::vector<int64_t> depth_series(int64_t count, DepthSpacing spacing);
/// `count` lengths from `first` to `last`, equal ratios, ascending without repeats.
std::vector<int64_t> geometric_lengths(int64_t first, int64_t last, int64_t count);

Result<void> check(const NiahSpec& spec);
/// Without the folder: its name may be a person's, and the generator says the hash of what it holds.
Json to_json(const NiahSpec& spec);
Result<NiahSpec> niah_spec_from_json(const Json& json);

/// One cell of the map. `control` cells stand beside it.
struct NiahCell {
  std::string key;  // "L=1024 d=500000", "no-needle L=1024", "needle-only"
  NeedleControl control = NeedleControl::none;
  int64_t length = 0;
  int64_t depth_ppm = 0;
  int64_t trials = 1;
};
/// Shortest first, controls of a length before its map cells.
std::vector<NiahCell> niah_cells(const NiahSpec& spec);
std::vector<store::CellRecord> cell_records(const NiahSpec& spec);
/// The same prompt for every arm; other cells and trials share nothing.
NeedlePromptRequest prompt_request(const NiahSpec& spec, const NiahCell& cell, int64_t trial);

}  // namespace orthros
