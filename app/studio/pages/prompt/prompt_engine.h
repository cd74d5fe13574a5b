// PromptEngine: the part of a prompt run that works on the engine thread: ids from text, sessions with the
// caches of earlier turns, generation, and the record in the run store. Threads: the engine thread alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/studio/job.h"
#include "app/studio/pages/prompt/prompt_types.h"
#include "engine/experiments/arm.h"
#include "engine/formats/chat_template.h"
#include "engine/store/run_store.h"

namespace orthros::studio {

struct PromptListener {
  /// prompt: ids of all that was asked, without what the answer must begin with.
  std::function<void(int arm, const std::vector<TokenId>& prompt)> started;
  std::function<void(int arm, const widgets::TokenChip&, const ArmFigures&)> token;
  std::function<void(int arm, const ArmFigures&)> done;
};

class PromptEngine {
 public:
  using OpenStore = std::function<Result<store::RunStore*>(const QString& path)>;
  explicit PromptEngine(OpenStore openStore) : m_openStore(std::move(openStore)) {}

  Result<void> run(const PromptSpec& spec, JobContext& context, const PromptListener& listener);
  /// Lets go of caches and models.
  void forget() {
    m_chats.clear();
    m_arms.clear();
    m_armsModel.reset();
  }

 private:
  /// What an arm remembers between turns of a chat.
  struct Chat {
    std::shared_ptr<const Model> model;
    PromptArm arm;
    std::vector<ChatMessage> messages;
    std::vector<TokenId> cached;  // ids in the session
    std::optional<Session> session;
    int64_t capacity = 0;
  };
  struct Run;

  Chat& chatOf(const PromptSpec& spec, const PromptArm& arm);
  Result<std::vector<TokenId>> idsOf(const PromptSpec& spec, const Chat& chat) const;
  /// Opens the session or goes back in it; gives how many ids of the prompt it holds already.
  Result<int64_t> prepare(const PromptSpec& spec, const PromptArm& arm, Chat& chat,
                          const std::vector<TokenId>& ids);
  Result<void> runArm(const PromptSpec& spec, int index, JobContext& context, const PromptListener& listener);
  Result<void> keep(const PromptSpec& spec, const PromptArm& arm, Run& run, JobContext& context);

  OpenStore m_openStore;
  std::optional<Error> m_notKept;  // why an answer of this run could not be kept
  std::map<QString, Chat> m_chats;
  std::map<std::pair<const Model*, QString>, Arm> m_arms;  // with the hash of their weights
  std::shared_ptr<const Model> m_armsModel;
};

}  // namespace orthros::studio
