#include <algorithm>
#include <set>

#include "engine/experiments/paper.h"

namespace orthros {
namespace {

const PaperExhibit* find_exhibit(const PaperData& data, std::string_view id) {
  const auto found = std::find_if(data.exhibits.begin(), data.exhibits.end(),
                                  [&](const PaperExhibit& exhibit) { return exhibit.id == id; });
  return found == data.exhibits.end() ? nullptr : &*found;
}

tl::unexpected<Error> no_such_exhibit(const PaperData& data, const std::string& id) {
  std::set<std::string> ids;
  for (const PaperExhibit& exhibit : data.exhibits) ids.insert(exhibit.id);
  return fail(Error{ErrorCode::not_found, fmt::format("the paper data has no exhibit \"{}\"", id),
                    fmt::format("it has {}", fmt::join(ids, ", "))});
}

tl::unexpected<Error> no_such_metric(const PaperData& data, const PaperExhibit& exhibit,
                                     const std::string& metric) {
  std::set<std::string> here, elsewhere;
  for (const PaperPoint& point : data.points) {
    if (point.exhibit == exhibit.id) here.insert(point.metric);
    if (point.metric == metric) elsewhere.insert(point.exhibit);
  }
  std::string hint = fmt::format("it reports {}", fmt::join(here, ", "));
  if (!elsewhere.empty())
    hint += fmt::format("; {} is in {}, on an axis of its own", metric, fmt::join(elsewhere, ", "));
  return fail(Error{ErrorCode::not_found, fmt::format("{} does not report {}", exhibit.title, metric), hint});
}

std::string stated(const char* what, const std::optional<int64_t>& count) {
  return count ? fmt::format("{} {}", what, *count) : fmt::format("{} not stated", what);
}

}  // namespace

Result<void> Overlay::add(PaperPoint point) {
  if (point.exhibit != axis_.exhibit || point.metric != axis_.metric) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("a point of {} ({}) cannot be drawn on an axis of {} ({})", point.exhibit,
                                  point.metric, axis_.exhibit, axis_.metric),
                      "their protocols differ: show it in a plot of its own"});
  }
  points_.push_back(std::move(point));
  return {};
}

std::string Overlay::label(const PaperPoint& point) const {
  const std::string out = point.out_len ? fmt::format("{} out", *point.out_len) : "no output counted";
  return fmt::format("{}, {}: {} in, {}, {}, {} device{}; from {}", exhibit_.title, point.series,
                     point.ctx_len, out, stated("batch", point.batch), point.devices,
                     point.devices == 1 ? "" : "s", to_string(point.read_from));
}

Result<Overlay> overlay_for(const PaperData& data, const OverlayAxis& axis) {
  const PaperExhibit* exhibit = find_exhibit(data, axis.exhibit);
  if (!exhibit) return no_such_exhibit(data, axis.exhibit);
  Overlay overlay;
  overlay.axis_ = axis;
  overlay.exhibit_ = *exhibit;
  for (const PaperPoint& point : data.points) {
    if (point.exhibit == axis.exhibit && point.metric == axis.metric) overlay.points_.push_back(point);
  }
  if (overlay.points_.empty()) return no_such_metric(data, *exhibit, axis.metric);
  return overlay;
}

}  // namespace orthros
