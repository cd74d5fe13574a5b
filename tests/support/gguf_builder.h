// GgufBuilder: a small GGUF file in memory; counts, types and offsets can be made wrong on purpose.
// Shapes: as in the file, ne[0] fastest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/bytes.h"

namespace orthros::test {

class GgufBuilder {
 public:
  uint32_t version = 3;
  std::optional<uint64_t> announced_tensors, announced_pairs;
  size_t alignment = 32;

  GgufBuilder& key(std::string_view name, uint32_t type) {
    ++pairs_;
    text(metadata_, name);
    metadata_.put(type);
    return *this;
  }
  /// The bytes of the last key's value, for hostile ones.
  ByteWriter& value() { return metadata_; }

  GgufBuilder& u32(std::string_view name, uint32_t number) {
    key(name, 4).metadata_.put(number);
    return *this;
  }
  GgufBuilder& u64(std::string_view name, uint64_t number) {
    key(name, 10).metadata_.put(number);
    return *this;
  }
  GgufBuilder& i32(std::string_view name, int32_t number) {
    key(name, 5).metadata_.put(number);
    return *this;
  }
  GgufBuilder& f32(std::string_view name, float number) {
    key(name, 6).metadata_.put(number);
    return *this;
  }
  GgufBuilder& boolean(std::string_view name, bool flag) {
    key(name, 7).metadata_.put(static_cast<uint8_t>(flag));
    return *this;
  }
  GgufBuilder& string(std::string_view name, std::string_view content) {
    key(name, 8);
    text(metadata_, content);
    return *this;
  }
  GgufBuilder& strings(std::string_view name, const std::vector<std::string>& contents) {
    key(name, 9).metadata_.put(uint32_t{8}).put(static_cast<uint64_t>(contents.size()));
    for (const std::string& content : contents) text(metadata_, content);
    return *this;
  }
  GgufBuilder& i32s(std::string_view name, const std::vector<int32_t>& numbers) {
    key(name, 9).metadata_.put(uint32_t{5}).put(static_cast<uint64_t>(numbers.size()));
    for (const int32_t number : numbers) metadata_.put(number);
    return *this;
  }

  GgufBuilder& info(std::string_view name, const std::vector<uint64_t>& ne, uint32_t type, uint64_t offset) {
    ++tensors_;
    text(infos_, name);
    infos_.put(static_cast<uint32_t>(ne.size()));
    for (const uint64_t size : ne) infos_.put(size);
    infos_.put(type).put(offset);
    return *this;
  }
  /// A tensor whose data follows what is there already.
  GgufBuilder& tensor(std::string_view name, const std::vector<uint64_t>& ne, uint32_t type,
                      std::span<const std::byte> bytes) {
    data_.pad_to(alignment);
    info(name, ne, type, data_.size());
    data_.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return *this;
  }
  GgufBuilder& data(size_t count) {
    data_.zeros(count);
    return *this;
  }

  std::vector<std::byte> build() const {
    ByteWriter file;
    file.text("GGUF").put(version);
    file.put(announced_tensors.value_or(tensors_)).put(announced_pairs.value_or(pairs_));
    append(file, metadata_);
    append(file, infos_);
    file.pad_to(alignment);
    append(file, data_);
    return {file.bytes().begin(), file.bytes().end()};
  }

 private:
  static void text(ByteWriter& writer, std::string_view value) {
    writer.put(static_cast<uint64_t>(value.size())).text(value);
  }
  static void append(ByteWriter& to, const ByteWriter& from) {
    to.text({reinterpret_cast<const char*>(from.bytes().data()), from.size()});
  }

  ByteWriter metadata_, infos_, data_;
  uint64_t pairs_ = 0, tensors_ = 0;
};

}  // namespace orthros::test
