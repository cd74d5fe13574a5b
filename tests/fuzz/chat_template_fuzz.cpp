// The input is a chat template.
#include <cstdint>
#include <string_view>

#include "engine/formats/chat_template.h"
#include "engine/formats/utf8.h"
#include "tests/fuzz/check.h"

using orthros::fuzz::check;
using orthros::fuzz::check_error;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto chat_template =
      orthros::ChatTemplate::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  check_error(chat_template);
  if (!chat_template) return 0;
  orthros::ChatContext context;
  context.messages = {{"system", "Be brief."}, {"user", "Hi \xc3\xa9"}, {"assistant", "<think>a</think>b"}};
  context.bos_token = "<s>";
  context.flags["enable_thinking"] = false;
  const auto text = chat_template->render(context);
  check_error(text);
  if (text) check(orthros::find_invalid_utf8(*text) == std::string_view::npos);
  const auto again = chat_template->render(context);
  check(text.has_value() == again.has_value() && (!text || *text == *again));
  return 0;
}
