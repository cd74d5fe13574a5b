// Decode's weight traffic: the matrices of SmolLM2-135M's 30 layers and its LM head, all different, one after
// another. "of_read" is the rate against a plain read of a buffer as large, interleaved with it: rates drift,
// ratios do not. Options beside Google Benchmark's: none. Set OMP_NUM_THREADS for the number of threads.
#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <omp.h>

#include "engine/kernels/machine.h"
#include "engine/kernels/matrix.h"

namespace orthros::kernels {
namespace {

struct Shape {
  int64_t rows, columns;
};

std::vector<Shape> smollm2_shapes() {
  std::vector<Shape> shapes;
  for (int layer = 0; layer < 30; ++layer) {
    shapes.insert(shapes.end(), {{960, 576}, {576, 576}, {3072, 576}, {576, 1536}});
  }
  shapes.push_back({49152, 576});
  return shapes;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Model {
 public:
  explicit Model(WeightFormat format) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.05f);
    std::vector<float> source(16 * 1536);
    for (float& v : source) v = normal(random);
    for (const Shape shape : smollm2_shapes()) {
      const int64_t bytes = matrix_bytes(format, shape.rows, shape.columns);
      LargeBuffer buffer(bytes);
      encode(format, shape, source, buffer.data());
      views_.push_back({format, shape.rows, shape.columns, buffer.data()});
      buffers_.push_back(std::move(buffer));
      bytes_ += bytes;
    }
    x_.resize(16 * 1536);
    for (float& v : x_) v = normal(random);
    y_.resize(16 * 49152);
  }

  int64_t bytes() const { return bytes_; }

  double decode_seconds(int64_t num_rows) {
    const double begin = seconds_now();
    for (const MatrixView& view : views_) {
      // In decode the layer before has just written the activations: they are in cache.
      std::fill_n(x_.begin(), num_rows * 1536, 0.25f);
      gemv(view, x_.data(), 1536, num_rows, y_.data(), 49152);
    }
    return seconds_now() - begin;
  }

 private:
  static void encode(WeightFormat format, Shape shape, const std::vector<float>& source, std::byte* out) {
    const int64_t tile = kRowTile * row_bytes(format, shape.columns);
    encode_rows(format, source.data(), kRowTile, shape.columns, out);
    for (int64_t row = kRowTile; row < shape.rows; row += kRowTile) {
      std::copy_n(out, tile, out + row / kRowTile * tile);
    }
  }

  std::vector<LargeBuffer> buffers_;
  std::vector<MatrixView> views_;
  std::vector<float> x_, y_;
  int64_t bytes_ = 0;
};

double best(const std::vector<double>& seconds) {
  return *std::ranges::min_element(seconds);
}

/// Best of the interleaved runs: whatever else runs on the machine only ever adds time.
void decode(benchmark::State& state, WeightFormat format) {
  Model model(format);
  const LargeBuffer plain(model.bytes());
  std::vector<double> read, one, two, four;
  for (auto _ : state) {
    read.push_back(read_seconds(plain, omp_get_max_threads()));
    one.push_back(model.decode_seconds(1));
    two.push_back(model.decode_seconds(2));
    four.push_back(model.decode_seconds(4));
    state.SetIterationTime(one.back());
  }
  const auto bytes = static_cast<double>(model.bytes()) * 1e-9;
  state.counters["read_GB/s"] = bytes / best(read);
  state.counters["gemv_GB/s"] = bytes / best(one);
  state.counters["best_ms"] = best(one) * 1e3;
  state.counters["of_read"] = best(read) / best(one);
  state.counters["M2/M1"] = best(two) / best(one);
  state.counters["M4/M1"] = best(four) / best(one);
  state.SetLabel(gemv_backend(format));
}

BENCHMARK_CAPTURE(decode, float32, WeightFormat::float32)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, bfloat16, WeightFormat::bfloat16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, int8, WeightFormat::int8)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, int4, WeightFormat::int4)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orthros::kernels

BENCHMARK_MAIN();
