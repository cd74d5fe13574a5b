// RecordCollector: fills an AttentionRecord from the attention calls of a pass. Shapes: as AttentionRecord.
// Private: includes torch. Threads: called on the engine's thread; heads are split over torch's team.
#pragma once

#include <vector>

#include "engine/inference/attention_record.h"
#include "engine/inference/query_watch.h"
#include "engine/mixers/attention.h"
#include "engine/mixers/mixer.h"

namespace orthros {

class RecordCollector final : public AttentionObserver {
 public:
  explicit RecordCollector(AttentionRecord& record) : record_(record) {}
  bool wants(int64_t, StreamKind) const override { return true; }
  void on_attention(const AttentionEvent& event) override;
  bool wants_tensors(int64_t layer) const override;
  void on_tensor(const TensorEvent& event) override { queries_.take(event); }

 private:
  struct Call;
  void take_head(const Call& call, int64_t head);
  void keep(const Call& call, int64_t head, int64_t position, const float* weights);
  void share(const Call& call, int64_t head, int64_t position, const float* weights);

  void keep_queries(const Call& call);

  AttentionRecord& record_;
  QueryWatch queries_;
};

}  // namespace orthros
