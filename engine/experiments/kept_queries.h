// Queries before and after scale-offset of a captured record, as the store keeps them, and back. Errors:
// corrupt_file for a query that does not fit its capture. Threads: pure functions. Public: no torch.
#pragma once

#include "engine/inference/attention_record.h"
#include "engine/store/records.h"

namespace orthros {

/// Of a prompt's rows; of one recorded step.
std::vector<store::AttnQueryRecord> kept_queries(const AttentionRecord& record);
std::vector<store::AttnQueryRecord> kept_queries(const DecodeStep& step);

/// The record has its shape and its rows' positions.
Result<void> put_queries(AttentionRecord& record, const std::vector<store::AttnQueryRecord>& queries);
/// The step has its position; `queries` are in the order of layers. False: they do not fit.
bool put_queries(DecodeStep& step, const AttentionRecord& shape,
                 const std::vector<store::AttnQueryRecord>& queries);

}  // namespace orthros
