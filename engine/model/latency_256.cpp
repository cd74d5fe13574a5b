#include "engine/model/latency_256.h"

#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "engine/base/sha256.h"
#include "engine/formats/mapped_file.h"
#include "engine/model/staging_folder.h"

namespace orthros {
namespace {

constexpr int64_t kLayers = 8;
constexpr int64_t kWidth = 256;
constexpr int64_t kFfn = 1024;
constexpr int64_t kVocabulary = 1024;
constexpr uint32_t kSeed = 256;

constexpr std::string_view kConfig = R"({
  "architectures": [
    "LlamaForCausalLM"
  ],
  "model_type": "llama",
  "hidden_size": 256,
  "intermediate_size": 1024,
  "num_hidden_layers": 8,
  "num_attention_heads": 4,
  "num_key_value_heads": 4,
  "head_dim": 64,
  "hidden_act": "silu",
  "max_position_embeddings": 32768,
  "rms_norm_eps": 1e-05,
  "rope_theta": 10000.0,
  "tie_word_embeddings": true,
  "torch_dtype": "bfloat16",
  "vocab_size": 1024
}
)";

// The state that Python's random.Random(seed) begins with: init_by_array of the reference implementation.
// Source: Matsumoto, Nishimura, mt19937ar.c.
class PythonSeed {
 public:
  using result_type = uint32_t;
  explicit PythonSeed(uint32_t seed) : seed_(seed) {}

  template <class Iterator>
  void generate(Iterator begin, Iterator end) const {
    std::array<uint32_t, kSize> state{};
    state[0] = 19'650'218U;
    for (uint32_t i = 1; i < kSize; ++i) state[i] = 1'812'433'253U * mixed(state[i - 1]) + i;
    uint32_t at = 1;
    const auto advance = [&] {
      if (++at < kSize) return;
      state[0] = state[kSize - 1];
      at = 1;
    };
    for (uint32_t i = 0; i < kSize; ++i) {  // a key of one word
      state[at] = (state[at] ^ (mixed(state[at - 1]) * 1'664'525U)) + seed_;
      advance();
    }
    for (uint32_t i = 1; i < kSize; ++i) {
      state[at] = (state[at] ^ (mixed(state[at - 1]) * 1'566'083'941U)) - at;
      advance();
    }
    state[0] = 0x80000000U;
    for (uint32_t i = 0; begin != end; ++begin, ++i) *begin = state[i];
  }

 private:
  static constexpr uint32_t kSize = std::mt19937::state_size;
  static uint32_t mixed(uint32_t word) { return word ^ (word >> 30); }

  uint32_t seed_;
};

struct RandomTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::optional<double> deviation;  // empty: ones
};

// Sums over a layer's inputs keep a variance near 1, and what the layers add to the residual stream does not
// grow with their number.
std::vector<RandomTensor> tensors() {
  const double residual = 1 / std::sqrt(static_cast<double>(2 * kLayers));
  const double in = 1 / std::sqrt(static_cast<double>(kWidth));
  std::vector<RandomTensor> all{{"model.embed_tokens.weight", {kVocabulary, kWidth}, 1.0}};
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const std::string prefix = fmt::format("model.layers.{}.", layer);
    for (const char* name : {"q_proj", "k_proj", "v_proj"})
      all.push_back({fmt::format("{}self_attn.{}.weight", prefix, name), {kWidth, kWidth}, in});
    all.push_back({prefix + "self_attn.o_proj.weight",
                   {kWidth, kWidth},
                   residual / std::sqrt(static_cast<double>(kWidth))});
    for (const char* name : {"gate_proj", "up_proj"})
      all.push_back({fmt::format("{}mlp.{}.weight", prefix, name), {kFfn, kWidth}, in});
    all.push_back(
        {prefix + "mlp.down_proj.weight", {kWidth, kFfn}, residual / std::sqrt(static_cast<double>(kFfn))});
    for (const char* name : {"input_layernorm", "post_attention_layernorm"})
      all.push_back({fmt::format("{}{}.weight", prefix, name), {kWidth}, {}});
  }
  all.push_back({"model.norm.weight", {kWidth}, {}});
  return all;
}

// Rounded to nearest, ties to even.
uint16_t bfloat16_bits(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

int64_t count_of(const RandomTensor& tensor) {
  int64_t count = 1;
  for (const int64_t size : tensor.shape) count *= size;
  return count;
}

void put(std::string& bytes, uint16_t value) {
  bytes += static_cast<char>(value & 0xFFU);
  bytes += static_cast<char>(value >> 8);
}

// Ones, or 256 levels spread evenly over +-deviation * sqrt(3), drawn with equal chance.
void append_values(std::string& bytes, const RandomTensor& tensor, std::mt19937& random) {
  const int64_t count = count_of(tensor);
  if (!tensor.deviation) {
    for (int64_t i = 0; i < count; ++i) put(bytes, bfloat16_bits(1));
    return;
  }
  constexpr size_t kLevels = 256;
  std::array<uint16_t, kLevels> levels{};
  const double reach = *tensor.deviation * std::sqrt(3.0);
  for (size_t i = 0; i < kLevels; ++i)
    levels[i] = bfloat16_bits(reach * (2 * static_cast<double>(i) / (kLevels - 1) - 1));
  for (int64_t i = 0; i < count; i += 4) {  // every count is a multiple of 4
    const auto drawn = static_cast<uint32_t>(random());
    for (const int shift : {0, 8, 16, 24}) put(bytes, levels[drawn >> shift & 0xFFU]);
  }
}

std::string header_of(const std::vector<RandomTensor>& all) {
  std::string text = "{";
  int64_t at = 0;
  for (const RandomTensor& tensor : all) {
    const int64_t end = at + 2 * count_of(tensor);
    text += fmt::format("{}\"{}\":{{\"dtype\":\"BF16\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                        at == 0 ? "" : ",", tensor.name, fmt::join(tensor.shape, ","), at, end);
    at = end;
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Result<std::string> weights(const StopToken& stop, const ProgressSink& progress) {
  const std::vector<RandomTensor> all = tensors();
  const std::string header = header_of(all);
  std::string content;
  for (uint64_t size = header.size(), i = 0; i < 8; ++i, size >>= 8)
    content += static_cast<char>(size & 0xFFU);
  content += header;
  PythonSeed seed(kSeed);
  std::mt19937 random(seed);
  for (const RandomTensor& tensor : all) {
    ORTHROS_TRY_VOID(stop.check("making the model"));
    append_values(content, tensor, random);
    if (progress) progress({"making", static_cast<int64_t>(&tensor - all.data()) + 1, std::ssize(all)});
  }
  return content;
}

}  // namespace

Result<void> write_latency_256(const std::filesystem::path& folder, const StopToken& stop,
                               const ProgressSink& progress) {
  std::error_code error;
  if (std::filesystem::exists(folder, error)) {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("{} is there already", folder.string()),
                      "remove it, or open it as it is"});
  }
  std::filesystem::create_directories(folder.parent_path(), error);
  if (error) return fail(ErrorCode::io, "cannot make {}: {}", folder.parent_path().string(), error.message());
  ORTHROS_TRY(const std::string content, weights(stop, progress));
  if (const std::string digest = sha256_hex(content); digest != kLatency256Sha256)
    return fail(ErrorCode::internal, "made other bytes than it should: {}", digest);
  StagingFolder staging(folder);
  ORTHROS_TRY_VOID(staging.create());
  ORTHROS_TRY_VOID(write_text_atomically(staging.path() / "model.safetensors", content));
  ORTHROS_TRY_VOID(write_text_atomically(staging.path() / "config.json", kConfig));
  return staging.rename_to_target();
}

}  // namespace orthros
