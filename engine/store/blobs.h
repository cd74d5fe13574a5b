// Numbers as blobs. ids: zigzag varints, so that 0 and special negative ids cost one byte; of prompts also
// zlib (a filler haystack of 128K ids is 0.3 MB before, much less after). int64 and float32 arrays: plain
// little-endian, so that numpy.frombuffer reads them. Decoding bounds what it allocates by what the blob
// holds and throws corrupt_file. Private to engine/store.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orthros::store::detail {

inline constexpr int64_t kMaxPromptTokens = int64_t{1} << 24;

std::string encode_ids(std::span<const int64_t> ids);
std::vector<int64_t> decode_ids(std::string_view blob);
std::string compress_ids(std::span<const int64_t> ids);
std::vector<int64_t> decompress_ids(std::string_view blob, int64_t count);
/// Of the ids as little-endian int64.
std::string ids_sha256(std::span<const int64_t> ids);

std::string encode_int64(std::span<const int64_t> values);
std::vector<int64_t> decode_int64(std::string_view blob);
std::string encode_float32(std::span<const float> values);
std::vector<float> decode_float32(std::string_view blob);

}  // namespace orthros::store::detail
