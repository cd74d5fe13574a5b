#include "engine/experiments/language_model.h"

#include <algorithm>
#include <optional>

namespace orthros {
namespace {

class SessionModel final : public LanguageModel {
 public:
  SessionModel(std::shared_ptr<const Model> model, ModelConfig config)
      : model_(std::move(model)), config_(std::move(config)) {}

  Result<void> open(const SessionOptions& options) override {
    session_.reset();
    ORTHROS_TRY(session_, Session::create(model_, config_, options));
    return {};
  }
  void close() override { session_.reset(); }

  Result<void> prefill(const std::vector<std::vector<TokenId>>& prompts, const StopToken& stop,
                       SpanMass* span_mass) override {
    ORTHROS_TRY_VOID(check_open());
    return session_->prefill(prompts, stop, {}, span_mass);
  }
  Result<void> step(const std::vector<TokenId>& tokens, const StopToken& stop) override {
    ORTHROS_TRY_VOID(check_open());
    return session_->step(tokens, stop);
  }
  Result<void> rewind(int64_t length) override {
    ORTHROS_TRY_VOID(check_open());
    return session_->rewind(length);
  }
  std::span<const float> logits(int64_t sequence) const override {
    return session_ ? session_->logits(sequence) : std::span<const float>();
  }
  int64_t kv_bytes() const override { return session_ ? session_->kv_bytes() : 0; }
  std::string backend() const override { return session_ ? session_->backend() : std::string(); }

 private:
  Result<void> check_open() const {
    if (!session_) return fail(ErrorCode::invalid_argument, "the arm has no open session");
    return {};
  }

  std::shared_ptr<const Model> model_;
  ModelConfig config_;
  std::optional<Session> session_;
};

}  // namespace

std::shared_ptr<LanguageModel> make_language_model(std::shared_ptr<const Model> model, ModelConfig config) {
  return std::make_shared<SessionModel>(std::move(model), std::move(config));
}

TokenId greedy(std::span<const float> logits) {
  return std::ranges::max_element(logits) - logits.begin();
}

}  // namespace orthros
