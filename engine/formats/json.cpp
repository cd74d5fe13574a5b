#include "engine/formats/json.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/quote.h"

namespace orthros {
namespace {

/// An input iterator that tells how far the parser has read, which nlohmann's SAX events do not.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

/// Builds the document from SAX events and stops at the first breach of a limit.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  DocumentBuilder(const JsonLimits& limits, const char* begin, const char* const* furthest)
      : limits_(limits), begin_(begin), furthest_(furthest) {}

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return stop("binary value"); }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    if (++values_ > limits_.max_values) return stop(fmt::format("more than {} values", limits_.max_values));
    auto& object = stack_.back()->get_ref<Json::object_t&>();
    auto [place, inserted] = object.emplace(std::move(value), nullptr);
    if (!inserted) return stop(fmt::format("key {} occurs twice", quote(place->first)));
    slot_ = &place->second;
    return true;
  }

  bool parse_error(size_t position, const std::string&, const Json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: what is wrong"
    std::string_view text = error.what();
    if (const size_t end = text.find("] "); end != std::string_view::npos) text.remove_prefix(end + 2);
    if (text.starts_with("parse error")) {
      if (const size_t colon = text.find(": "); colon != std::string_view::npos)
        text.remove_prefix(colon + 2);
    }
    position_ = position > 0 ? position - 1 : 0;  // nlohmann counts characters read
    message_ = printable(text, 160);
    return false;
  }

  Json take() { return std::move(root_); }
  size_t position() const { return position_; }
  const std::string& message() const { return message_; }

 private:
  bool stop(std::string message) {
    position_ = static_cast<size_t>(*furthest_ - begin_);
    message_ = std::move(message);
    return false;
  }

  Json* place(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (slot_ != nullptr) {
      Json* slot = std::exchange(slot_, nullptr);
      *slot = std::move(value);
      return slot;
    }
    auto& array = stack_.back()->get_ref<Json::array_t&>();
    array.push_back(std::move(value));
    return &array.back();
  }

  bool add(Json value) {
    if (++values_ > limits_.max_values) return stop(fmt::format("more than {} values", limits_.max_values));
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (++values_ > limits_.max_values) return stop(fmt::format("more than {} values", limits_.max_values));
    if (static_cast<int64_t>(stack_.size()) >= limits_.max_depth) {
      return stop(fmt::format("nested deeper than {}", limits_.max_depth));
    }
    // The pointers on the stack stay valid: a container grows only while it is on top.
    stack_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    stack_.pop_back();
    return true;
  }

  const JsonLimits& limits_;
  const char* begin_;
  const char* const* furthest_;
  Json root_;
  std::vector<Json*> stack_;
  Json* slot_ = nullptr;  // value of the last key
  int64_t values_ = 0;
  size_t position_ = 0;
  std::string message_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view what, const JsonLimits& limits) {
  if (static_cast<int64_t>(text.size()) > limits.max_bytes) {
    return fail(ErrorCode::corrupt_file, "{} has {} bytes, more than the {} read here", what, text.size(),
                limits.max_bytes);
  }
  const char* furthest = text.data();
  DocumentBuilder builder(limits, text.data(), &furthest);
  const CountingIterator begin(text.data(), &furthest);
  const CountingIterator end(text.data() + text.size(), &furthest);
  if (!Json::sax_parse(begin, end, &builder)) {
    return fail(ErrorCode::corrupt_file, "{} is not valid JSON: byte {}: {}", what, builder.position(),
                builder.message());
  }
  return builder.take();
}

}  // namespace orthros
