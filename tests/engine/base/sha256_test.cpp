#include "engine/base/sha256.h"

#include <string>

#include <gtest/gtest.h>

namespace orthros {
namespace {

std::string hash(std::string_view text, size_t piece = SIZE_MAX) {
  Sha256 sha;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, piece);
    sha.update(std::as_bytes(std::span(part)));
    text.remove_prefix(part.size());
  }
  return sha.finish();
}

// FIPS 180-4 examples.
TEST(Sha256, GivesThePublishedValues) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheStreamIsCut) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::string whole = hash(text.substr(0, length));
    for (const size_t piece : {1, 55, 56, 63, 64, 65}) ASSERT_EQ(hash(text.substr(0, length), piece), whole);
  }
}

TEST(Sha256, StartsAnewAfterFinish) {
  Sha256 sha;
  sha.update(std::as_bytes(std::span(std::string_view("abc"))));
  const std::string first = sha.finish();
  sha.update(std::as_bytes(std::span(std::string_view("abc"))));
  EXPECT_EQ(sha.finish(), first);
  EXPECT_NE(hash("abd"), first);
}

}  // namespace
}  // namespace orthros
