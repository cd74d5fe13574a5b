#include "engine/tasks/sentence_source.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/tasks/filler.h"
#include "engine/tasks/needle_text.h"
#include "engine/tasks/text_folder.h"

namespace orthros {
namespace {

constexpr std::array<std::string_view, 24> kNoise{" The road is long and the hill is low.",
                                                  " Rain falls on the roof.",
                                                  " The cup stands on the shelf.",
                                                  " We walk to the river and back.",
                                                  " The door is shut and the lamp is lit.",
                                                  " A cart rolls past the gate.",
                                                  " The bread is warm and the milk is cold.",
                                                  " Here we stay for a while.",
                                                  " The wall is white.",
                                                  " The dog sleeps by the fire.",
                                                  " Clouds move over the field.",
                                                  " The path leads round the lake.",
                                                  " Two chairs stand in the hall.",
                                                  " The clock ticks in the corner.",
                                                  " A bird sits on the fence.",
                                                  " The water is still and the air is mild.",
                                                  " The coat hangs behind the door.",
                                                  " We wait and the day goes by.",
                                                  " The boat lies at the shore.",
                                                  " Leaves gather under the bench.",
                                                  " The soup is hot and the spoon is clean.",
                                                  " A light burns across the street.",
                                                  " The stones are smooth and grey.",
                                                  " Smoke rises from the chimney."};

/// Six sentences over and over: which, and in what order, is the seed's.
class Noise final : public SentenceSource {
 public:
  explicit Noise(uint64_t seed) : order_(kNoise.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    Random(seed).shuffle(order_);
    order_.resize(6);
  }
  std::string_view next() override {
    const std::string_view sentence = kNoise[order_[at_]];
    at_ = (at_ + 1) % order_.size();
    return sentence;
  }

 private:
  std::vector<size_t> order_;
  size_t at_ = 0;
};

/// Lines of the key_value needle's template; no key comes twice before all have come.
class KeyValueLines final : public SentenceSource {
 public:
  KeyValueLines(uint64_t seed, int64_t digits, std::vector<std::string> avoid)
      : random_(seed), digits_(digits), avoid_(std::move(avoid)), key_(random_.below(num_line_keys())) {
    do {
      stride_ = 1 + random_.below(num_line_keys() - 1);
    } while (std::gcd(stride_, num_line_keys()) != 1);
  }

  std::string_view next() override {
    for (int attempt = 0; attempt < 1000; ++attempt) {  // bounded: all numbers might have to be avoided
      key_ = (key_ + stride_) % num_line_keys();
      line_ = needle_text(NeedleVariant::key_value, {line_key(key_), draw_number(random_, digits_)});
      if (std::none_of(avoid_.begin(), avoid_.end(),
                       [&](const auto& text) { return line_.find(text) != std::string::npos; }))
        break;
    }
    return line_;
  }

 private:
  Random random_;
  int64_t digits_;
  std::vector<std::string> avoid_;
  uint64_t key_, stride_ = 1;
  std::string line_;
};

/// The sentences of a folder in their order, from one given by the seed, round and round.
class FolderSentences final : public SentenceSource {
 public:
  FolderSentences(std::shared_ptr<const TextFolder> folder, uint64_t seed)
      : folder_(std::move(folder)), at_(Random(seed).below(folder_->num_sentences())) {}
  std::string_view next() override {
    const std::string_view sentence = folder_->sentence(at_);
    at_ = (at_ + 1) % folder_->num_sentences();
    return sentence;
  }

 private:
  std::shared_ptr<const TextFolder> folder_;
  size_t at_;
};

class GeneratedHaystack final : public Haystack {
 public:
  GeneratedHaystack(HaystackKind kind, int64_t digits) : kind_(kind), digits_(digits) {}
  std::unique_ptr<SentenceSource> sentences(uint64_t seed, std::vector<std::string> avoid) const override {
    if (kind_ == HaystackKind::filler) return std::make_unique<Filler>(seed);
    if (kind_ == HaystackKind::noise) return std::make_unique<Noise>(seed);
    return std::make_unique<KeyValueLines>(seed, digits_, std::move(avoid));
  }
  std::string name() const override { return to_string(kind_); }

 private:
  HaystackKind kind_;
  int64_t digits_;
};

class FolderHaystack final : public Haystack {
 public:
  explicit FolderHaystack(TextFolder folder)
      : folder_(std::make_shared<const TextFolder>(std::move(folder))) {}
  std::unique_ptr<SentenceSource> sentences(uint64_t seed, std::vector<std::string>) const override {
    return std::make_unique<FolderSentences>(folder_, seed);
  }
  std::string name() const override { return "folder sha256:" + folder_->sha256(); }

 private:
  std::shared_ptr<const TextFolder> folder_;
};

}  // namespace

Result<std::shared_ptr<const Haystack>> Haystack::create(HaystackKind kind, const std::string& folder,
                                                         int64_t digits) {
  if (kind == HaystackKind::folder) {
    ORTHROS_TRY(TextFolder text, TextFolder::read(folder));
    return std::make_shared<const FolderHaystack>(std::move(text));
  }
  if (!folder.empty()) {
    return fail(ErrorCode::invalid_argument, "a text folder is given, but the haystack is {}",
                to_string(kind));
  }
  if (digits < 1 || digits > 18) {
    return fail(ErrorCode::invalid_argument, "digits is {}: it must be 1 to 18", digits);
  }
  return std::make_shared<const GeneratedHaystack>(kind, digits);
}

}  // namespace orthros
