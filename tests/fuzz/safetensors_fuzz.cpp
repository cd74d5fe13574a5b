#include <cstdint>

#include "engine/formats/safetensors.h"
#include "tests/fuzz/check.h"

using orthros::fuzz::check;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto file = orthros::SafetensorsFile::parse(bytes);
  orthros::fuzz::check_error(file);
  if (!file) return 0;
  size_t total = 0;
  unsigned sum = 0;
  for (const orthros::TensorEntry& entry : file->tensors()) {
    total += entry.bytes.size();
    for (const std::byte value : entry.bytes) sum += static_cast<unsigned>(value);
    check(file->find(entry.name) == &entry);
    check(entry.num_elements() >= 0);
    const auto type = orthros::scalar_type_of(entry);
    if (type)
      check(entry.num_elements() * orthros::size_bytes(*type) == static_cast<int64_t>(entry.bytes.size()));
  }
  check(total <= size && sum <= 255 * total);
  return 0;
}
