// A whole attention record as a run in the store, and back without the model: exact rows, shares where rows
// were not kept, tokens, invariants by head. Runs of `orthros attention --keep` come back as a record with
// one head. Errors: store errors; out_of_memory for a record too large for the store, with the numbers;
// corrupt_file. Threads: one caller. Public: no torch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/experiments/arm.h"
#include "engine/inference/attention_record.h"
#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"

namespace orthros {

/// What a decode step chose, with the probability it had.
struct GeneratedToken {
  TokenId id = 0;
  std::string bytes;
  double probability = 0;
};

struct KeptRecord {
  std::string name, text, model, created_utc;
  std::vector<TokenId> ids;
  std::vector<std::string> pieces;  // bytes of each token
  AttentionRecord record;
  std::vector<GeneratedToken> said;    // after each recorded step
  std::vector<std::string> predicted;  // bytes of each of record.predictions
  int64_t heads_per_group = 1, kv_bytes_per_token = 0;
  bool bfloat16 = false;
};

constexpr int64_t kMaxKeptRecordBytes = 128'000'000;

Result<store::ExperimentRecord> keep_record(store::RunStore& store, const Arm& arm, const KeptRecord& kept);

/// Spec and invariants of a run that holds a record.
Json record_spec(const KeptRecord& kept);
std::vector<store::InvariantRecord> record_invariants(const KeptRecord& kept);

/// `uuid` as RunReader::find_experiment takes it.
Result<KeptRecord> read_record(const store::RunReader& reader, std::string_view uuid);

}  // namespace orthros
