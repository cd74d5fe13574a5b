#include "engine/base/scalar_type.h"

namespace orthros {

const char* to_string(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return "float32";
    case ScalarType::bfloat16: return "bfloat16";
    case ScalarType::float16: return "float16";
  }
  return "unknown";
}

const char* to_string(WeightFormat format) {
  switch (format) {
    case WeightFormat::float32: return "float32";
    case WeightFormat::bfloat16: return "bfloat16";
    case WeightFormat::int8: return "int8";
    case WeightFormat::int4: return "int4";
  }
  return "unknown";
}

}  // namespace orthros
