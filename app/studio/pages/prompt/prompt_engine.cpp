#include "app/studio/pages/prompt/prompt_engine.h"

#include <QCoreApplication>

#include "app/studio/text.h"
#include "engine/experiments/kept_runs.h"

namespace orthros::studio {
namespace {

constexpr int64_t kAlternatives = 10;
constexpr int64_t kChatHeadroom = 1024;  // tokens of cache for turns to come

struct PromptText {
  Q_DECLARE_TR_FUNCTIONS(PromptText)
};

QString endingOf(StopReason reason) {
  switch (reason) {
    case StopReason::eos:
      return PromptText::tr("ended by itself");
    case StopReason::stop_string:
      return PromptText::tr("stop string");
    case StopReason::max_tokens:
      return PromptText::tr("token limit");
    case StopReason::capacity:
      return PromptText::tr("cache full");
  }
  return {};
}

widgets::TokenChip chipOf(const TokenEvent& event, const Tokenizer* tokenizer) {
  widgets::TokenChip chip;
  chip.id = event.sample.id;
  chip.bytes = QByteArray::fromStdString(event.bytes);
  chip.probability = event.sample.probability;
  chip.elapsedMs = event.elapsed_ms;
  for (const Sample& other : event.alternatives) {
    const std::string bytes =
        tokenizer == nullptr ? std::string() : tokenizer->piece(other.id).value_or(std::string());
    chip.alternatives.append({other.id, QByteArray::fromStdString(bytes), other.probability});
  }
  return chip;
}

// A token that the answer had to begin with, as if it had come.
TokenEvent eventOf(const widgets::TokenChip& chip, int64_t index) {
  TokenEvent event;
  event.index = index;
  event.sample.id = chip.id;
  event.sample.probability = chip.probability;
  event.bytes = chip.bytes.toStdString();
  for (const widgets::TokenAlternative& other : chip.alternatives)
    event.alternatives.push_back({other.id, other.probability});
  return event;
}

size_t commonPrefix(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// "Once upon a time…": the name of a kept run.
std::string nameOf(const QString& text) {
  constexpr qsizetype kLength = 60;
  const QString line = text.simplified();
  return toStd(line.size() > kLength ? line.first(kLength - 1) + u'…' : line);
}

}  // namespace

struct PromptEngine::Run {
  KeptPrompt kept;
  ModelConfig config;
};

PromptEngine::Chat& PromptEngine::chatOf(const PromptSpec& spec, const PromptArm& arm) {
  Chat& chat = m_chats[arm.key];
  if (chat.model != spec.model || !(chat.arm == arm) || !spec.chat)
    chat = Chat{spec.model, arm, {}, {}, {}, 0};
  return chat;
}

Result<std::vector<TokenId>> PromptEngine::idsOf(const PromptSpec& spec, const Chat& chat) const {
  const ModelFiles& files = spec.model->files();
  if (!files.tokenizer) return fail(files.tokenizer.error());
  if (!spec.chat) return files.tokenizer->encode(toStd(spec.text));
  if (files.chat_template.empty())
    return fail(
        Error{ErrorCode::unsupported, "the model has no chat template", "switch from Chat to Prompt"});
  ORTHROS_TRY(const ChatTemplate form, ChatTemplate::parse(files.chat_template));
  ChatContext context;
  if (!spec.system.isEmpty()) context.messages.push_back({"system", toStd(spec.system)});
  context.messages.insert(context.messages.end(), chat.messages.begin(), chat.messages.end());
  context.messages.push_back({"user", toStd(spec.text)});
  context.bos_token = files.bos_token;
  context.eos_token = files.eos_token;
  ORTHROS_TRY(const std::string text, form.render(context));
  return files.tokenizer->encode(text,
                                 /*add_special=*/false);  // the template writes the beginning token itself
}

Result<int64_t> PromptEngine::prepare(const PromptSpec& spec, const PromptArm& arm, Chat& chat,
                                      const std::vector<TokenId>& ids) {
  const int64_t needed = std::ssize(ids) + spec.request.max_tokens;
  // At least the last id is read anew: its logits are what generation starts from.
  const size_t common = std::min(commonPrefix(chat.cached, ids), ids.size() - 1);
  if (chat.session && needed <= chat.capacity && common > 0 &&
      chat.session->rewind(static_cast<int64_t>(common))) {
    chat.cached.resize(common);
    return static_cast<int64_t>(common);
  }
  chat.session.reset();  // its memory is free before the next one is planned
  chat.cached.clear();
  ORTHROS_TRY(const ModelConfig config,
              with_architecture(spec.model->config(), arm.architecture, arm.window));
  SessionOptions options;
  options.capacity = needed + (spec.chat ? kChatHeadroom : 0);
  ORTHROS_TRY(Session session, Session::create(spec.model, config, options));
  chat.session.emplace(std::move(session));
  chat.capacity = options.capacity;
  return 0;
}

Result<void> PromptEngine::runArm(const PromptSpec& spec, int index, JobContext& context,
                                  const PromptListener& listener) {
  const PromptArm& arm = spec.arms[static_cast<size_t>(index)];
  Chat& chat = chatOf(spec, arm);
  context.progress(PromptText::tr("%1: prepare").arg(arm.label), 0, 0);
  ORTHROS_TRY(const std::vector<TokenId> asked, idsOf(spec, chat));
  listener.started(index, asked);
  std::vector<TokenId> ids = asked;
  for (const widgets::TokenChip& chip : spec.forced) ids.push_back(chip.id);
  if (ids.empty())
    return fail(Error{ErrorCode::invalid_argument, "the prompt has no tokens", "write something first"});
  ORTHROS_TRY(const int64_t reused, prepare(spec, arm, chat, ids));

  const Tokenizer* tokenizer = &*spec.model->files().tokenizer;
  Run run;
  run.kept.request = spec.request;
  run.kept.request.prompt.assign(ids.begin() + reused, ids.end());
  run.kept.request.alternatives = kAlternatives;
  run.kept.request.eos = spec.model->files().eos;
  ArmFigures live;
  live.promptTokens = std::ssize(ids);
  live.reusedTokens = reused;
  live.backend = toQt(chat.session->backend());
  for (const widgets::TokenChip& chip : spec.forced) {
    listener.token(index, chip, live);
    run.kept.tokens.push_back(eventOf(chip, run.kept.forced++));
  }
  run.kept.request.on_token = [&](const TokenEvent& event) {
    run.kept.tokens.push_back(event);
    run.kept.tokens.back().index += run.kept.forced;
    if (event.index == 0) {
      live.ttftMs = event.elapsed_ms;
      live.prefillTokS = static_cast<double>(live.promptTokens - reused) / event.elapsed_ms * 1e3;
    } else {
      live.decodeTokS = static_cast<double>(event.index) / (event.elapsed_ms - live.ttftMs) * 1e3;
    }
    live.kvBytes = chat.session->kv_bytes();
    listener.token(index, chipOf(event, tokenizer), live);
  };
  auto result =
      generate(*chat.session, tokenizer, run.kept.request, context.stop(), context.sink(arm.label + u':'));
  if (!result) {
    chat.session.reset();
    chat.cached.clear();
    return fail(result.error());
  }
  chat.cached = ids;
  chat.cached.insert(chat.cached.end(), result->ids.begin(), result->ids.end());
  chat.cached.resize(std::min(chat.cached.size(), static_cast<size_t>(chat.session->length())));
  if (spec.chat) {
    chat.messages.push_back({"user", toStd(spec.text)});
    chat.messages.push_back({"assistant", result->text});
  } else {
    chat.session.reset();  // no later turn will use its cache
    chat.cached.clear();
  }
  live.ttftMs = result->ttft_ms;
  live.prefillTokS = result->prefill_tok_s;
  live.decodeTokS = result->decode_tok_s;
  live.kvBytes = result->kv_bytes;
  live.ending = endingOf(result->reason);
  listener.done(index, live);
  run.kept.request.prompt = asked;  // the store keeps what the model has seen, reused or not
  run.kept.result = std::move(*result);
  run.kept.result.prompt_tokens = std::ssize(ids);
  run.kept.backend = toStd(live.backend);
  const Result<void> kept = keep(spec, arm, run, context);
  if (!kept && kept.error().code == ErrorCode::cancelled) return kept;
  if (!kept) m_notKept = kept.error();
  return {};
}

Result<void> PromptEngine::keep(const PromptSpec& spec, const PromptArm& arm, Run& run, JobContext& context) {
  context.progress(PromptText::tr("%1: keep").arg(arm.label), 0, 0);
  if (m_armsModel != spec.model) m_arms.clear();
  m_armsModel = spec.model;
  ORTHROS_TRY(store::RunStore * store, m_openStore(spec.storePath));
  const auto key = std::make_pair(spec.model.get(), arm.label);
  if (!m_arms.contains(key)) {
    ORTHROS_TRY(const ModelConfig config,
                with_architecture(spec.model->config(), arm.architecture, arm.window));
    ORTHROS_TRY(Arm described, arm_of(spec.model, config, context.stop()));
    m_arms.emplace(key, std::move(described));
  }
  run.kept.text = toStd(spec.text);
  run.kept.name = nameOf(spec.text);
  run.kept.chat = spec.chat;
  run.kept.request.on_token = nullptr;
  ORTHROS_TRY([[maybe_unused]] const auto experiment, keep_prompt(*store, m_arms.at(key), run.kept));
  return {};
}

// A store that cannot be written costs the record, not the comparison.
Result<void> PromptEngine::run(const PromptSpec& spec, JobContext& context, const PromptListener& listener) {
  m_notKept.reset();
  for (int index = 0; index < static_cast<int>(spec.arms.size()); ++index)
    ORTHROS_TRY_VOID(runArm(spec, index, context, listener));
  if (m_notKept) {
    m_notKept->message = "the answers are not kept: " + m_notKept->message;
    return fail(*m_notKept);
  }
  context.setMessage(PromptText::tr("%1 answers kept").arg(spec.arms.size()));
  return {};
}

}  // namespace orthros::studio
