// Chat templates: a bounded subset of Jinja, enough for ChatML, Llama-3, SmolLM2 and Qwen templates.
// Errors: unsupported names the construct and its line; corrupt_file for syntax errors. Output, steps and depth are
// limited, so that no template can run away. Threads: const.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

struct ChatContext {
  std::vector<ChatMessage> messages;
  bool add_generation_prompt = true;
  std::string bos_token, eos_token;
  std::map<std::string, bool> flags;  // further booleans, such as enable_thinking
};

class ChatTemplate {
 public:
  static Result<ChatTemplate> parse(std::string_view source);
  Result<std::string> render(const ChatContext& context) const;

 private:
  struct Impl;
  explicit ChatTemplate(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace orthros
