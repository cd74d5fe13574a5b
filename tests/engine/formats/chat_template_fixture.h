// A recorded or generated case for a chat template, as JSON, and its rendering.
#pragma once

#include <string>

#include "engine/formats/chat_template.h"
#include "engine/formats/json.h"

namespace orthros::test {

inline ChatContext chat_context(const Json& item) {
  ChatContext context;
  for (const Json& message : item["chat"]) context.messages.push_back({message[0], message[1]});
  context.add_generation_prompt = item["add_generation_prompt"];
  context.bos_token = item["bos_token"];
  context.eos_token = item["eos_token"];
  if (item.contains("flags")) context.flags = item["flags"].get<std::map<std::string, bool>>();
  return context;
}

inline Result<std::string> render(std::string_view source, const ChatContext& context) {
  ORTHROS_TRY(const ChatTemplate chat_template, ChatTemplate::parse(source));
  return chat_template.render(context);
}

}  // namespace orthros::test
