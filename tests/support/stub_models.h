// Language models of known behaviour, for experiments: what they see, how long they take on a false clock,
// when they run out of memory. Ids are bytes.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/experiments/arm.h"
#include "engine/experiments/clock.h"
#include "tests/support/byte_codec.h"

namespace orthros::test {

constexpr int64_t kByteVocabulary = 258;  // 256 bytes, BOS, EOS
constexpr TokenId kBos = 256, kEos = 257;

class FalseClock final : public Clock {
 public:
  int64_t now_ns() const override { return now_; }
  void pass(int64_t ns) { now_ += ns; }

 private:
  int64_t now_ = 1'000'000;
};

struct StubBehaviour {
  int64_t visible = INT64_MAX;       // ids from the end that it can see
  bool blind = false;                // never finds anything
  bool only_eos = false;             // wants to end at every token
  int64_t memory_limit = INT64_MAX;  // capacity x batch from which on it does not fit
  std::function<int64_t(int64_t call, int64_t tokens)> prefill_ns;  // on the false clock; call counts from 0
  std::function<int64_t(int64_t call)> step_ns;
  std::function<Result<void>(int64_t call)> before_prefill;  // faults to inject, hooks
  FalseClock* clock = nullptr;
};

/// Answers " The magic number of NAME is" from what it can see; one-hot logits, one-hot attention on the
/// needle.
class StubModel final : public LanguageModel {
 public:
  explicit StubModel(StubBehaviour behaviour) : behaviour_(std::move(behaviour)) {}

  Result<void> open(const SessionOptions& options) override {
    ++opens;
    if (options.capacity * options.batch >= behaviour_.memory_limit) {
      return fail(ErrorCode::out_of_memory, "{} tokens do not fit", options.capacity);
    }
    ids_.assign(static_cast<size_t>(options.batch), {});
    open_ = true;
    return {};
  }
  void close() override { open_ = false; }

  Result<void> prefill(const std::vector<std::vector<TokenId>>& prompts, const StopToken& stop,
                       SpanMass* span_mass) override {
    if (!open_) return fail(ErrorCode::invalid_argument, "not open");
    const int64_t call = prefills++;
    if (behaviour_.before_prefill) ORTHROS_TRY_VOID(behaviour_.before_prefill(call));
    ORTHROS_TRY_VOID(stop.check("the stub"));
    if (behaviour_.clock != nullptr && behaviour_.prefill_ns) {
      behaviour_.clock->pass(behaviour_.prefill_ns(call, static_cast<int64_t>(prompts.front().size())));
    }
    ids_ = prompts;
    prompt_length_ = static_cast<int64_t>(prompts.front().size());
    answer_ = find_answer(prompts.front());
    if (span_mass != nullptr) {
      span_mass->layers = 2;
      span_mass->heads = 2;
      span_mass->mass = {1, 0, 0.5, 0.5};
    }
    return {};
  }

  Result<void> step(const std::vector<TokenId>& tokens, const StopToken& stop) override {
    ORTHROS_TRY_VOID(stop.check("the stub"));
    if (behaviour_.clock != nullptr && behaviour_.step_ns) behaviour_.clock->pass(behaviour_.step_ns(steps));
    ++steps;
    for (size_t b = 0; b < ids_.size(); ++b) ids_[b].push_back(tokens[b]);
    return {};
  }

  Result<void> rewind(int64_t length) override {
    for (auto& ids : ids_) ids.resize(static_cast<size_t>(length));
    return {};
  }

  std::span<const float> logits(int64_t) const override {
    logits_.assign(kByteVocabulary, 0.0f);
    const auto at = static_cast<size_t>(static_cast<int64_t>(ids_.front().size()) - prompt_length_);
    TokenId next = at < answer_.size() ? static_cast<unsigned char>(answer_[at]) : TokenId{'.'};
    if (behaviour_.only_eos) next = kEos;
    logits_[static_cast<size_t>(next)] = 20.0f;
    return logits_;
  }
  int64_t kv_bytes() const override { return 1000; }
  std::string backend() const override { return "stub"; }

  int64_t prefills = 0, steps = 0, opens = 0;

 private:
  std::string find_answer(const std::vector<TokenId>& ids) const {
    if (behaviour_.blind) return " nothing";
    const auto length = static_cast<int64_t>(ids.size());
    const int64_t begin = std::max<int64_t>(0, length - behaviour_.visible);
    std::string text;
    for (int64_t i = begin; i < length; ++i) {
      if (ids[static_cast<size_t>(i)] < 256) text += static_cast<char>(ids[static_cast<size_t>(i)]);
    }
    const size_t question = text.rfind(" The magic number of ");
    if (question == std::string::npos || question == 0) return " unknown";
    const std::string key = text.substr(question);
    const size_t needle = text.find(key);
    if (needle == question) return " unknown";
    const size_t value = needle + key.size();
    return text.substr(value, text.find('.', value) - value);
  }

  StubBehaviour behaviour_;
  bool open_ = false;
  std::vector<std::vector<TokenId>> ids_;
  int64_t prompt_length_ = 0;
  std::string answer_;
  mutable std::vector<float> logits_;
};

inline Arm stub_arm(const std::string& label, const StubBehaviour& behaviour) {
  Arm arm;
  arm.label = label;
  arm.model = std::make_shared<StubModel>(behaviour);
  const Json config = {{"model_type", "llama"},
                       {"hidden_size", 64},
                       {"intermediate_size", 128},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 2},
                       {"num_key_value_heads", 2},
                       {"vocab_size", kByteVocabulary},
                       {"rms_norm_eps", 1e-5},
                       {"max_position_embeddings", 65536},
                       {"head_dim", 32},
                       {"tie_word_embeddings", true}};
  arm.config = *parse_model_config(config);
  arm.record.weights_sha256 = std::string(64, 'a');
  arm.record.architecture = "transformer";
  arm.record.config_json = Json{{"stub", label}}.dump();
  arm.record.config_sha256 = label + std::string(64 - std::min<size_t>(64, label.size()), '0');
  arm.record.label = label;
  arm.tokenizer = store::TokenizerRecord{std::string(64, 'b'), "bytes", "bytes", kByteVocabulary, true};
  arm.codec = byte_codec();
  arm.special_ids = {kBos, kEos};
  arm.eos = {kEos};
  arm.dtype = "float32";
  arm.weights = "none";
  arm.kv_dtype = "float32";
  return arm;
}

}  // namespace orthros::test
