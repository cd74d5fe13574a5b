#include "engine/lessons/cell_story.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace orthros {
namespace {

constexpr size_t kShownTerms = 3;

struct Term {
  double a = 0, b = 0;
  double product() const { return a * b; }
};

// A number that follows a sign or a dot of multiplication.
std::string factor(double value) {
  return value < 0 ? "(" + story_number(value) + ")" : story_number(value);
}

// The largest products written out, the rest counted: a sum of 64 products is no reading matter.
std::string written(std::vector<Term> terms) {
  std::ranges::sort(terms, std::ranges::greater(), [](const Term& term) { return std::abs(term.product()); });
  std::string text;
  for (size_t i = 0; i < std::min(kShownTerms, terms.size()); ++i)
    text += (i == 0 ? "" : " + ") + factor(terms[i].a) + R"( \cdot )" + factor(terms[i].b);
  if (terms.size() > kShownTerms) text += fmt::format(R"( + \dots_{{{} \more}})", terms.size() - kShownTerms);
  return text;
}

double sum(const std::vector<Term>& terms) {
  return std::accumulate(terms.begin(), terms.end(), 0.0,
                         [](double total, const Term& term) { return total + term.product(); });
}

std::vector<Term> products(std::span<const float> a, std::span<const float> b) {
  std::vector<Term> terms(a.size());
  for (size_t i = 0; i < a.size(); ++i) terms[i] = {a[i], b[i]};
  return terms;
}

class Teller {
 public:
  Teller(const PassTrace& trace, const TracedWeights& weights, const LaneTensor& lane, StreamKind kind,
         int64_t position, int64_t column, bool scale_offset)
      : trace_(trace),
        weights_(weights),
        lane_(lane),
        kind_(kind),
        position_(position),
        column_(static_cast<size_t>(column)),
        scale_offset_(scale_offset),
        mark_(kind == StreamKind::output ? "'" : "") {}

  std::optional<CellStory> tell() {
    const auto own = row(lane_.what, lane_.layer);
    if (own.empty() || column_ >= own.size()) return {};
    story_.value = own[column_];
    story_.recomputed = story_.value;
    switch (lane_.what) {
      case PassTensor::x:
      case PassTensor::last:
        tell_residual();
        break;
      case PassTensor::normed:
        tell_norm(row(PassTensor::x, lane_.layer), layer().input_norm, "x" + at(), "h" + at());
        break;
      case PassTensor::last_normed:
        tell_norm(row(PassTensor::last, lane_.layer), weights_.norm, "x" + at(), "h" + at());
        break;
      case PassTensor::projected_key:
        tell_product(layer().key, PassTensor::normed, "k" + at(), "h" + at(), "W_K");
        break;
      case PassTensor::query:
        tell_query();
        break;
      case PassTensor::attended:
        tell_attended();
        break;
      case PassTensor::residual:
        tell_mixed();
        break;
      default:
        return {};
    }
    return story_;
  }

 private:
  std::string at() const { return mark_ + fmt::format("_{{{}}}", position_ + 1); }
  std::string index() const { return fmt::format("[{}]", column_ + 1); }
  const TracedWeights::Layer& layer() const { return weights_.layers[static_cast<size_t>(lane_.layer)]; }

  std::span<const float> row(PassTensor what, int64_t layer) const {
    const StreamTrace& stream = trace_.layers[static_cast<size_t>(layer)].stream(kind_);
    const int64_t found = stream.row_of(position_);
    if (found < 0 || found >= stream[what].rows()) return {};
    return stream[what].row(found);
  }

  void tell_residual() {
    story_.name = "x" + at() + index();
    const bool last = lane_.what == PassTensor::last;
    if (!last && lane_.layer == 0) {
      story_.formula = kind_ == StreamKind::base
                           ? fmt::format(R"(E[\rm{{token}}_{{{}}}])", position_ + 1)
                           : fmt::format(R"(x_{{{}}} \quad \rm{{a copy}})", position_ + 1);
      story_.operands = story_number(story_.value);
      return;
    }
    const int64_t before = last ? lane_.layer : lane_.layer - 1;
    const double a = row(PassTensor::residual, before)[column_], b = row(PassTensor::ffn, before)[column_];
    story_.formula = fmt::format(R"(r{} + \rm{{FFN}}(r{}))", at(), at());
    story_.operands = story_number(a) + " + " + factor(b);
    story_.recomputed = a + b;
  }

  void tell_norm(std::span<const float> x, const std::vector<float>& gain, const std::string& in,
                 const std::string& out) {
    double square = 0;
    for (const float value : x) square += static_cast<double>(value) * value;
    const double size = std::sqrt(square / static_cast<double>(x.size()) + weights_.rms_norm_eps);
    story_.name = out + index();
    story_.formula = fmt::format(R"(\frac{{{}}}{{\rm{{rms}}({})}} \cdot g)", in + index(), in);
    story_.operands = fmt::format(R"(\frac{{{}}}{{{}}} \cdot {})", story_number(x[column_]),
                                  story_number(size), factor(gain[column_]));
    story_.recomputed = x[column_] / size * gain[column_];
  }

  void tell_product(const TraceTensor& matrix, PassTensor from, const std::string& out, const std::string& in,
                    const char* name) {
    const std::vector<Term> terms =
        products(row(from, lane_.layer), matrix.row(static_cast<int64_t>(column_)));
    story_.name = out + index();
    story_.formula = fmt::format(R"(\sum_m \, {}[m] \, {}[m,{}])", in, name, column_ + 1);
    story_.operands = written(terms);
    story_.recomputed = sum(terms);
  }

  // Scale-offset of both members of the rotation's pair, then the rotation.
  void tell_query() {
    const auto raw = row(PassTensor::projected_query, lane_.layer);
    const auto dim = static_cast<size_t>(trace_.head_dim), half = dim / 2;
    const size_t within = column_ % dim, head = column_ - within;
    const bool upper = within >= half;
    const size_t first = head + within % half, second = first + half;
    const bool output = kind_ == StreamKind::output;
    const std::vector<float>& scale = output ? layer().alpha_out : layer().alpha;
    const std::vector<float>& offset = output ? layer().beta_out : layer().beta;
    const bool scaled = scale_offset_ && !scale.empty();
    const auto put = [&](size_t i) {
      return scaled ? static_cast<double>(scale[i]) * raw[i] + offset[i] : static_cast<double>(raw[i]);
    };
    const auto written_put = [&](size_t i) {
      if (!scaled) return factor(raw[i]);
      return fmt::format(R"(({} \cdot {} + {}))", factor(scale[i]), factor(raw[i]), factor(offset[i]));
    };
    const double cosine = trace_.cos.row(position_)[within % half],
                 sine = trace_.sin.row(position_)[within % half];
    story_.name = "q" + at() + index();
    const std::string m = mark_;
    story_.formula = scaled ? fmt::format(R"(\rm{{RoPE}}(\alpha{} \odot x{} W_Q + \beta{}))", m, at(), m)
                            : fmt::format(R"(\rm{{RoPE}}(x{} W_Q))", at());
    story_.operands = upper ? fmt::format(R"({} \cdot {} + {} \cdot {})", written_put(second), factor(cosine),
                                          written_put(first), factor(sine))
                            : fmt::format(R"({} \cdot {} - {} \cdot {})", written_put(first), factor(cosine),
                                          written_put(second), factor(sine));
    story_.recomputed =
        upper ? put(second) * cosine + put(first) * sine : put(first) * cosine - put(second) * sine;
  }

  void tell_attended() {
    const auto dim = static_cast<size_t>(trace_.head_dim);
    const auto head = static_cast<int64_t>(column_ / dim);
    const LayerTrace& own = trace_.layers[static_cast<size_t>(lane_.layer)];
    const auto weights = own.stream(kind_).weights_of(position_, head, trace_.num_tokens());
    const auto column =
        static_cast<size_t>(head / (trace_.heads / trace_.key_value_heads)) * dim + column_ % dim;
    std::vector<Term> terms;
    for (int64_t key = 0; key < std::ssize(weights); ++key) {
      if (weights[static_cast<size_t>(key)] > 0)
        terms.push_back({weights[static_cast<size_t>(key)], own.values.row(key)[column]});
    }
    story_.name = "o" + at() + index();
    story_.formula = fmt::format(R"(\sum_j \, p{}_{{{},j}} \, v_j{})", mark_, position_ + 1, index());
    story_.operands = written(terms);
    story_.recomputed = sum(terms);
  }

  void tell_mixed() {
    const double before = row(PassTensor::x, lane_.layer)[column_],
                 added = row(PassTensor::mixed, lane_.layer)[column_];
    story_.name = "r" + at() + index();
    story_.formula = fmt::format("x{} + o{} W_O", at(), at());
    story_.operands = story_number(before) + " + " + factor(added);
    story_.recomputed = before + added;
  }

  const PassTrace& trace_;
  const TracedWeights& weights_;
  LaneTensor lane_;
  StreamKind kind_;
  int64_t position_;
  size_t column_;
  bool scale_offset_;
  std::string mark_;
  CellStory story_;
};

}  // namespace

std::string story_number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  std::string text;
  if (size < 1e-4 || size >= 1e7) {
    text = fmt::format("{:.3e}", value);
  } else {
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
    text = fmt::format("{:.{}f}", value, std::max(0, 4 - before));
  }
  // A true minus, as wide as the digits.
  if (text.front() == '-') text.replace(0, 1, "\u2212");
  return text;
}

std::optional<CellStory> tensor_story(const PassTrace& trace, const TracedWeights& weights,
                                      const LaneTensor& lane, StreamKind stream, int64_t position,
                                      int64_t column, bool scale_offset) {
  return Teller(trace, weights, lane, stream, position, column, scale_offset).tell();
}

std::optional<CellStory> weight_story(const PassTrace& trace, int64_t layer, StreamKind stream, int64_t head,
                                      int64_t position, int64_t key) {
  const LayerTrace& own = trace.layers[static_cast<size_t>(layer)];
  const StreamTrace& rows = own.stream(stream);
  const auto weights = rows.weights_of(position, head, trace.num_tokens());
  const int64_t row = rows.row_of(position);
  if (weights.empty() || key < 0 || key >= std::ssize(weights)) return {};
  const char* mark = stream == StreamKind::output ? "'" : "";
  CellStory story;
  story.name = fmt::format("p{}_{{{},{}}}", mark, position + 1, key + 1);
  story.value = weights[static_cast<size_t>(key)];
  const WindowSpec window = stream == StreamKind::output ? WindowSpec::full() : own.window;
  if (!window.sees(position, key)) {
    story.formula = stream == StreamKind::base && key <= position ? R"(0 \quad \rm{outside the window})"
                                                                  : R"(0 \quad \rm{later than the query})";
    story.operands = "0";
    story.recomputed = 0;
    return story;
  }
  const auto dim = static_cast<size_t>(trace.head_dim);
  const auto first = static_cast<size_t>(head) * dim;
  const auto key_first = static_cast<size_t>(head / (trace.heads / trace.key_value_heads)) * dim;
  const auto score = [&](int64_t j) {
    return sum(products(rows[PassTensor::query].row(row).subspan(first, dim),
                        own.keys.row(j).subspan(key_first, dim))) /
           std::sqrt(static_cast<double>(dim));
  };
  double total = 0;
  for (int64_t j = 0; j <= position; ++j) {
    if (window.sees(position, j)) total += std::exp(score(j));
  }
  story.formula = fmt::format(
      R"(\frac{{\exp(q{0}_{{{1}}} \cdot k_{{{2}}} / \sqrt{{d}})}}{{\sum_j \, \exp(q{0}_{{{1}}} \cdot k_j / \sqrt{{d}})}})",
      mark, position + 1, key + 1);
  story.operands = fmt::format(R"(\frac{{\exp({})}}{{{}}})", story_number(score(key)), story_number(total));
  story.recomputed = std::exp(score(key)) / total;
  return story;
}

}  // namespace orthros
