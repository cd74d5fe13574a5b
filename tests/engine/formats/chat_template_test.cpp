// Chat templates against what Jinja, set as HF sets it, makes of them.
#include "engine/formats/chat_template.h"

#include <gtest/gtest.h>

#include "tests/engine/formats/chat_template_fixture.h"
#include "tests/engine/formats/tokenizer_fixture.h"

namespace orthros {
namespace {

using test::render;

std::filesystem::path folder() {
  return std::filesystem::path(ORTHROS_FIXTURES) / "chat_templates";
}

std::string source_of(const Json& item) {
  return item.contains("file") ? test::read_file(folder() / item["file"].get<std::string>())
                               : item["source"].get<std::string>();
}

ChatContext short_chat() {
  ChatContext context;
  context.messages = {{"system", "S"}, {"user", "U"}};
  context.bos_token = "<s>";
  return context;
}

Error error_of(std::string_view source) {
  const auto text = render(source, short_chat());
  EXPECT_FALSE(text) << source << " gave " << *text;
  return text ? Error{} : text.error();
}

TEST(ChatTemplate, RendersAsJinjaDoes) {
  const Json cases = Json::parse(test::read_file(folder() / "renderings.json"));
  ASSERT_GT(cases.size(), 250u);
  for (const Json& item : cases) {
    const std::string source = source_of(item);
    const auto text = render(source, test::chat_context(item));
    if (item.contains("error")) {
      EXPECT_FALSE(text) << source << "\nJinja: " << item["error"] << "\nhere: " << *text;
      continue;
    }
    ASSERT_TRUE(text) << source << "\n" << text.error().line();
    EXPECT_EQ(*text, item["text"].get<std::string>()) << source;
  }
}

/// The comparison must notice each part of the context.
TEST(ChatTemplate, DependsOnEveryPartOfTheContext) {
  const std::string source = test::read_file(folder() / "qwen3.jinja");
  const ChatContext base = short_chat();
  const std::string text = *render(source, base);
  ChatContext changed = base;
  changed.messages[1].content = "V";
  EXPECT_NE(*render(source, changed), text);
  changed = base;
  changed.messages[1].role = "assistant";
  EXPECT_NE(*render(source, changed), text);
  changed = base;
  changed.add_generation_prompt = false;
  EXPECT_NE(*render(source, changed), text);
  changed = base;
  changed.flags["enable_thinking"] = false;
  EXPECT_NE(*render(source, changed), text);
  EXPECT_NE(*render("{{ bos_token }}", base), *render("{{ bos_token }}", ChatContext{}));
}

TEST(ChatTemplate, RendersTheSameTwice) {
  const auto chat_template = ChatTemplate::parse(test::read_file(folder() / "qwen3.jinja"));
  ASSERT_TRUE(chat_template);
  EXPECT_EQ(*chat_template->render(short_chat()), *chat_template->render(short_chat()));
}

TEST(ChatTemplate, DoesNotReadTemplatesInMessages) {
  ChatContext context = short_chat();
  context.messages[1].content = "{{ bos_token }}{% for x in y %}";
  EXPECT_EQ(*render("{{ messages[1].content }}", context), "{{ bos_token }}{% for x in y %}");
}

TEST(ChatTemplateErrors, NameTheUnsupportedConstructAndItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a\n{% include 'x' %}", "include"},
      {"\n\n{% call f() %}{% endcall %}", "call"},
      {"{% extends 'x' %}", "extends"},
      {"x\n{{ 1 | urlize }}", "urlize"},
      {"{{ 1 is sameas 1 }}", "sameas"},
      {"{{ 2 ** 3 }}", "**"},
      {"{{ 'a'.format(1) }}", "format"},
      {"{{ strftime_now('%Y') }}", "strftime_now"},
      {"{% for x in [1] recursive %}{% endfor %}", "recursive"},
      {"{{ [1] }}", "list"},
      {"{{ '%s' % 'x' }}", "%"},
      {"{{ 'é'.upper() }}", "ASCII"},
      {"{% set ns = namespace() %}{% set ns.a = ns %}", "namespace"},
  };
  for (const auto& [source, construct] : cases) {
    const Error error = error_of(source);
    EXPECT_EQ(error.code, ErrorCode::unsupported) << source << error.line();
    EXPECT_NE(error.message.find(construct), std::string::npos) << error.message;
    const auto line = std::count(source.begin(), source.end(), '\n') + 1;
    EXPECT_NE(error.message.find("line " + std::to_string(line)), std::string::npos) << error.message;
  }
}

TEST(ChatTemplateErrors, CallBrokenSyntaxCorrupt) {
  for (const char* source :
       {"{% if %}", "{{ 1 + }}", "{% for x in [1] %}", "{% endif %}", "{{ 'a' }", "{{ 'open }}", "{# open",
        "{% set = 1 %}", "{% if 1 %}{% else %}{% elif 1 %}{% endif %}", "{{ (1 }}", "{{ a. }}", "{{ a[] }}",
        "{% macro f(a=1, b) %}{% endmacro %}", "{{ \x01 }}", "{{ ! }}"}) {
    EXPECT_EQ(error_of(source).code, ErrorCode::corrupt_file) << source;
  }
  EXPECT_EQ(error_of("\xff").code, ErrorCode::corrupt_file);
}

TEST(ChatTemplateErrors, TellWhatTheTemplateSaysAgainstTheMessages) {
  const Error error = error_of("{{ raise_exception('Conversation roles must alternate') }}");
  EXPECT_EQ(error.code, ErrorCode::invalid_argument);
  EXPECT_NE(error.message.find("Conversation roles must alternate"), std::string::npos);
}

TEST(ChatTemplateErrors, NameTheMessageThatIsNotUtf8) {
  ChatContext context = short_chat();
  context.messages[1].content = "ab\xff";
  const auto text = render("{{ messages[1].content }}", context);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(text.error().message.find("byte 2"), std::string::npos);
}

std::string repeat(const std::string& unit, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += unit;
  return text;
}

/// Templates that would run for ever, fill the memory or exhaust the stack.
TEST(ChatTemplateLimits, StopTemplatesThatRunAway) {
  const std::string nested_loops = repeat("{% for i in range(1000) %}", 5) + "x" + repeat("{% endfor %}", 5);
  const std::vector<std::string> cases{
      nested_loops,
      "{% for i in range(100000000) %}x{% endfor %}",
      "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% "
      "endfor %}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}",
      "{% set ns = namespace(x='aa') %}{% for i in range(60) %}{% set ns.x = ns.x.replace('a', ns.x) %}{% "
      "endfor %}",
      "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
      "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
      "{% set ns = namespace(x=[1,2,3,4,5,6,7,8]) %}{% for i in range(14) %}{% set ns.x = [ns.x, ns.x, ns.x, "
      "ns.x, "
      "ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x }}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(14) %}{% set ns.x = [ns.x, ns.x, ns.x, ns.x, ns.x, "
      "ns.x] %}"
      "{% endfor %}{{ ns.x | tojson }}",
      "{{ " + repeat("(", 5000) + "1" + repeat(")", 5000) + " }}",
      "{{ " + repeat("[", 5000) + "1" + repeat("]", 5000) + " }}",
      "{{ " + repeat("not ", 100000) + "1 }}",
      "{{ " + repeat("-", 100000) + "1 }}",
      "{{ 1" + repeat(" + 1", 50000) + " }}",
      "{{ a" + repeat(".b", 50000) + " }}",
      "{{ 1" + repeat(" | abs", 50000) + " }}",
      "{{ 1" + repeat(" if 1 else 1", 50000) + " }}",
      repeat("{% if 1 %}", 5000) + repeat("{% endif %}", 5000),
      "{{ 9223372036854775807 + 1 }}",
      "{{ 99999999999999999999 }}",
      std::string(size_t{2} << 20, 'x'),
  };
  for (const std::string& source : cases) {
    EXPECT_EQ(error_of(source).code, ErrorCode::unsupported) << source.substr(0, 200);
  }
}

TEST(ChatTemplateLimits, AreWideEnoughForLongChats) {
  ChatContext context;
  for (int i = 0; i < 2000; ++i)
    context.messages.push_back({i % 2 == 0 ? "user" : "assistant", repeat("word ", 200)});
  for (const char* name : {"qwen2.5.jinja", "qwen3.jinja", "smollm2.jinja", "llama3_like.jinja"}) {
    const auto text = render(test::read_file(folder() / name), context);
    ASSERT_TRUE(text) << name << text.error().line();
    EXPECT_GT(text->size(), 1'900'000u);
  }
}

}  // namespace
}  // namespace orthros
