// Numbers as blobs come back bit for bit; a damaged blob is refused before much is allocated for it.
#include "engine/store/blobs.h"

#include <chrono>
#include <functional>
#include <limits>
#include <random>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "engine/store/digest.h"
#include "engine/store/failure.h"

namespace orthros::store::detail {
namespace {

using Ids = std::vector<int64_t>;

bool is_refused(const std::function<void()>& body) {
  const auto result = guarded("test", body);
  return !result && result.error().code == ErrorCode::corrupt_file;
}

TEST(Blobs, IdsOfEverySizeComeBack) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();
  std::mt19937_64 random(7);
  std::vector<Ids> cases{{}, {0}, {-1}, {63, 64, -64, -65}, {kMax, kMin, kMax - 1, kMin + 1}};
  for (int shift = 0; shift < 64; ++shift) {
    cases.emplace_back();
    for (int i = 0; i < 50; ++i) cases.back().push_back(static_cast<int64_t>(random()) >> shift);
  }
  for (const Ids& ids : cases) {
    EXPECT_EQ(decode_ids(encode_ids(ids)), ids);
    EXPECT_EQ(decompress_ids(compress_ids(ids), static_cast<int64_t>(ids.size())), ids);
    EXPECT_EQ(decode_int64(encode_int64(ids)), ids);
  }
}

TEST(Blobs, TheHashIsThatOfLittleEndianInt64) {
  // printf '\001\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377' | sha256sum
  EXPECT_EQ(ids_sha256(Ids{1, -1}), "db0550d553e2a146e34164d19cd55f006c38d700d8f9a4e3ba2c889a1d7c26b2");
  EXPECT_NE(ids_sha256(Ids{1, -1}), ids_sha256(Ids{-1, 1}));
}

TEST(Blobs, FillerTextCompresses) {
  Ids ids;
  for (int64_t i = 0; i < 16'384; ++i) ids.push_back(1000 + i % 50);
  EXPECT_LT(compress_ids(ids).size(), 2000U);
}

TEST(Blobs, DamageIsRefused) {
  const std::string good = compress_ids(Ids(1000, 5));
  EXPECT_TRUE(is_refused([&] { (void)decompress_ids(good, 999); }));
  EXPECT_TRUE(is_refused([&] { (void)decompress_ids(good, 1001); }));
  EXPECT_TRUE(is_refused([&] { (void)decompress_ids(good, -1); }));
  EXPECT_TRUE(is_refused([&] { (void)decompress_ids(good.substr(0, good.size() / 2), 1000); }));
  EXPECT_TRUE(is_refused([] { (void)decompress_ids("", 1); }));
  EXPECT_TRUE(is_refused([] { (void)decompress_ids("not zlib at all", 1); }));
  EXPECT_TRUE(is_refused([] { (void)decode_ids("\xff\xff"); }));
  EXPECT_TRUE(is_refused([] { (void)decode_ids(std::string(10, '\xff') + '\x01'); }));
  EXPECT_TRUE(is_refused([] { (void)decode_int64("1234567"); }));
  EXPECT_TRUE(is_refused([] { (void)decode_float32("12345"); }));
}

TEST(Blobs, ASmallBlobThatSaysItIsHugeStopsAtItsCount) {
  // 16 Mi zeros compress to 16 KB; announced as ten ids it must end after ten ids' worth of bytes.
  const std::string bomb = compress_ids(Ids(size_t{1} << 24, 0));
  EXPECT_LT(bomb.size(), 100'000U);
  EXPECT_TRUE(is_refused([&] { (void)decompress_ids(bomb, 10); }));
}

TEST(Digest, UuidsAreVersionFourAndDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = make_uuid();
    EXPECT_TRUE(std::regex_match(
        uuid, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")))
        << uuid;
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(Digest, TimesAreUtcWithMilliseconds) {
  using std::chrono::milliseconds;
  const std::chrono::system_clock::time_point epoch{};
  EXPECT_EQ(utc_of(epoch), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utc_of(epoch + milliseconds(1'769'903'999'007)), "2026-01-31T23:59:59.007Z");
  EXPECT_LT(utc_of(epoch + milliseconds(999)), utc_of(epoch + milliseconds(1000)));
}

}  // namespace
}  // namespace orthros::store::detail
