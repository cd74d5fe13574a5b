// Renders the cases of tests/fixtures/chat_templates/make_renderings.py, which compares them with Jinja's.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/formats/mapped_file.h"
#include "tests/engine/formats/chat_template_fixture.h"
#include "tests/engine/formats/tokenizer_fixture.h"

namespace orthros {
namespace {

TEST(ChatTemplateDifferential, WritesRenderingsForThePythonScript) {
  const char* folder = std::getenv("ORTHROS_TEMPLATE_DIFF");
  if (folder == nullptr) GTEST_SKIP() << "ORTHROS_TEMPLATE_DIFF does not name a folder";
  const std::filesystem::path dir(folder);
  Json results = Json::array();
  for (const Json& item : Json::parse(test::read_file(dir / "cases.json"))) {
    const auto text = test::render(item["source"].get<std::string>(), test::chat_context(item));
    if (text) {
      results.push_back({{"text", *text}});
    } else {
      results.push_back(
          {{"error", text.error().line()}, {"unsupported", text.error().code == ErrorCode::unsupported}});
    }
  }
  ASSERT_TRUE(write_text_atomically(dir / "results.json", results.dump()));
}

}  // namespace
}  // namespace orthros
