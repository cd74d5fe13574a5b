#include "engine/formats/chat_template.h"

#include <utility>

#include "engine/formats/jinja_interpreter.h"
#include "engine/formats/jinja_parser.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

constexpr size_t kMaxTemplateBytes = size_t{1} << 20;
constexpr int64_t kOutputPerMessageByte = 4;
constexpr int64_t kWorkPerMessageByte = 64;  // a template may go over the messages a few times

using jinja::Value;

Result<void> check_text(std::string_view text, std::string_view what) {
  const size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return {};
  return fail(ErrorCode::invalid_argument, "{} is not valid UTF-8 at byte {}", what, bad);
}

Result<Value> messages_value(const std::vector<ChatMessage>& messages) {
  std::vector<Value> items;
  for (const ChatMessage& message : messages) {
    ORTHROS_TRY_VOID(check_text(message.role, "the role of a message"));
    ORTHROS_TRY_VOID(check_text(message.content, "a message"));
    ORTHROS_TRY(Value item,
                jinja::make_dict({{"role", Value(message.role)}, {"content", Value(message.content)}}));
    items.push_back(std::move(item));
  }
  return jinja::make_list(std::move(items));
}

}  // namespace

struct ChatTemplate::Impl {
  jinja::Body body;
};

Result<ChatTemplate> ChatTemplate::parse(std::string_view source) {
  if (source.size() > kMaxTemplateBytes) {
    return fail(ErrorCode::unsupported, "the chat template has {} bytes, more than {}", source.size(),
                kMaxTemplateBytes);
  }
  if (const size_t bad = find_invalid_utf8(source); bad != std::string_view::npos) {
    return fail(ErrorCode::corrupt_file, "the chat template is not valid UTF-8 at byte {}", bad);
  }
  auto impl = std::make_shared<Impl>();
  ORTHROS_TRY(impl->body, jinja::parse_template(source));
  return ChatTemplate(std::move(impl));
}

Result<std::string> ChatTemplate::render(const ChatContext& context) const {
  jinja::DictData globals;
  ORTHROS_TRY(Value messages, messages_value(context.messages));
  ORTHROS_TRY_VOID(check_text(context.bos_token, "the BOS token"));
  ORTHROS_TRY_VOID(check_text(context.eos_token, "the EOS token"));
  globals.set("messages", std::move(messages));
  globals.set("add_generation_prompt", context.add_generation_prompt);
  // HF defines these two always, and the tokens where the tokenizer has them.
  globals.set("tools", jinja::None{});
  globals.set("documents", jinja::None{});
  if (!context.bos_token.empty()) globals.set("bos_token", Value(context.bos_token));
  if (!context.eos_token.empty()) globals.set("eos_token", Value(context.eos_token));
  for (const auto& [name, value] : context.flags) globals.set(name, value);
  jinja::RenderLimits limits;
  for (const ChatMessage& message : context.messages) {
    const auto bytes = static_cast<int64_t>(message.content.size() + message.role.size());
    limits.max_work += kWorkPerMessageByte * bytes;
    limits.max_output_bytes += kOutputPerMessageByte * bytes;
  }
  return jinja::Interpreter(globals, limits).render(impl_->body);
}

}  // namespace orthros
