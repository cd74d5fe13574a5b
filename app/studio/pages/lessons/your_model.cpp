#include "app/studio/pages/lessons/your_model.h"

#include "engine/inference/attention_atlas.h"

namespace orthros::studio {
namespace {

constexpr int64_t kFillerTokens = 260;  // twice the window of 128, and still a second of work
constexpr const char* kNeedle = " The magic number of David is 48213.";
constexpr const char* kQuestion = " The magic number of David is";
constexpr const char* kFiller =
    " The river bends twice below the mill before it meets the road. Boats with bricks come up at noon and "
    "leave "
    "empty in the evening. Nobody hurries, and the lock keeper writes every name into his book.";

Result<std::vector<TokenId>> joined(const Tokenizer& tokenizer, int64_t window, NeedleReading& reading) {
  ORTHROS_TRY(std::vector<TokenId> ids, tokenizer.encode("Here is a note."));
  ORTHROS_TRY(const auto needle, tokenizer.encode(kNeedle, false));
  ORTHROS_TRY(const auto filler, tokenizer.encode(kFiller, false));
  ORTHROS_TRY(const auto question, tokenizer.encode(kQuestion, false));
  reading.needle_begin = std::ssize(ids);
  ids.insert(ids.end(), needle.begin(), needle.end());
  reading.needle_end = std::ssize(ids);
  const int64_t wanted = std::min(kFillerTokens, std::max<int64_t>(2 * window, 64));
  while (std::ssize(ids) - reading.needle_end < wanted && !filler.empty())
    ids.insert(ids.end(), filler.begin(), filler.end());
  ids.insert(ids.end(), question.begin(), question.end());
  return ids;
}

}  // namespace

Result<NeedleReading> readNeedle(const std::shared_ptr<const Model>& model, const StopToken& stop,
                                 const ProgressSink& progress) {
  if (!model->files().tokenizer) return fail(model->files().tokenizer.error());
  const WindowSpec window = window_for(model->config(), {}, {});
  ORTHROS_TRY(const ModelConfig config, with_architecture(model->config(), Architecture::orthros, window));
  NeedleReading reading;
  reading.config = config;
  reading.window = window.window;
  reading.sinks = window.sinks;
  AttentionAtlasRequest request;
  ORTHROS_TRY(request.ids, joined(*model->files().tokenizer, window.window, reading));
  reading.ids = request.ids;
  reading.tokens = std::ssize(request.ids);
  reading.base_support = window.support(reading.tokens - 1);
  ORTHROS_TRY(const AttentionAtlas atlas, attention_atlas(model, config, request, stop, progress));
  const auto mass = [&](StreamKind stream, int64_t layer, int64_t head) {
    const auto row = atlas.row(stream, layer, head);
    double sum = 0;
    for (int64_t key = reading.needle_begin; key < reading.needle_end; ++key)
      sum += row[static_cast<size_t>(key)];
    return sum;
  };
  for (int64_t layer = 0; layer < atlas.layers; ++layer) {
    for (int64_t head = 0; head < atlas.heads; ++head) {
      reading.base_weight = std::max(reading.base_weight, mass(StreamKind::base, layer, head));
      const double own = mass(StreamKind::output, layer, head);
      if (own <= reading.output_weight) continue;
      reading.output_weight = own;
      reading.layer = layer;
      reading.head = head;
    }
  }
  const auto copied = [&](StreamKind stream) {
    const auto row = atlas.row(stream, reading.layer, reading.head);
    return std::vector<float>(row.begin(), row.end());
  };
  reading.base = copied(StreamKind::base);
  reading.output = copied(StreamKind::output);
  return reading;
}

}  // namespace orthros::studio
