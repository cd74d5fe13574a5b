#include <cstdint>
#include <vector>

#include "engine/formats/gguf.h"
#include "engine/formats/model_config.h"
#include "tests/fuzz/check.h"

using orthros::fuzz::check;

namespace {

void touch(const orthros::GgufTensor& tensor) {
  const int64_t elements = tensor.num_elements();
  check(elements / orthros::block_elements(tensor.type) * orthros::block_bytes(tensor.type) ==
        static_cast<int64_t>(tensor.bytes.size()));
  std::vector<float> values(static_cast<size_t>(elements));
  orthros::dequantize_row(tensor.type, tensor.bytes.data(), elements, values.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = orthros::GgufFile::parse(std::as_bytes(std::span(data, size)));
  orthros::fuzz::check_error(file);
  if (!file) return 0;
  for (const orthros::GgufTensor& tensor : file->tensors()) {
    check(file->find(tensor.name) == &tensor);
    touch(tensor);
  }
  for (const auto& [key, value] : file->metadata()) {
    check(file->has(key));
    orthros::fuzz::check_error(file->text(key));
    orthros::fuzz::check_error(file->integer(key));
    orthros::fuzz::check_error(file->number(key));
    orthros::fuzz::check_error(file->boolean(key));
  }
  const auto config = orthros::model_config_from_gguf(*file);
  orthros::fuzz::check_error(config);
  // What was made from GGUF is a config.json that is read back.
  if (config) check(orthros::parse_model_config(config->source).has_value());
  return 0;
}
