// Paper overlay: numbers as the Orthros paper reports them, each with its exhibit, protocol and how it was
// obtained. Exhibits are never mixed: Figure 4 and Table 4 measured different things on different software,
// so a plot asks for one exhibit and one metric and gets nothing else. Units: PaperPoint::unit; lengths in
// tokens. Errors: corrupt_file (the data breaks its schema), not_found (no such exhibit or metric),
// invalid_argument (a point of another exhibit or metric). Threads: pure functions. Public: no torch. Source:
// resources/paper/reported.json.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

enum class ReadFrom { text, table, axis };  // axis: measured off a plot, so approximate
const char* to_string(ReadFrom read_from);

struct PaperExhibit {
  std::string id;        // "table4"
  std::string title;     // "Table 4"
  std::string protocol;  // hardware, software, batch, what is timed
};

struct PaperPoint {
  std::string exhibit;  // an id
  std::string series;   // "Transformer", "Orthros", "Linear Hybrid", "Orthros-H"
  int64_t ctx_len = 0, devices = 0;
  std::optional<int64_t> out_len, batch;  // nullopt: not stated
  std::string metric;                     // a key of timing.h, or "prefill_speedup"
  double value = 0;
  std::string unit;
  ReadFrom read_from = ReadFrom::table;
};

struct PaperData {
  std::string source;
  std::vector<PaperExhibit> exhibits;
  std::vector<PaperPoint> points;
};
Result<PaperData> parse_paper_data(std::string_view json);
std::string_view embedded_paper_json();
/// What is built into the program; parsed once.
const Result<PaperData>& paper_data();

/// What a plot's value axis shows.
struct OverlayAxis {
  std::string exhibit, metric;
};

/// Points of one exhibit and one metric with the text that must stand beside them.
class Overlay {
 public:
  const OverlayAxis& axis() const { return axis_; }
  const PaperExhibit& exhibit() const { return exhibit_; }
  std::span<const PaperPoint> points() const { return points_; }
  /// Refuses a point of another exhibit or metric.
  Result<void> add(PaperPoint point);
  /// "Table 4, Orthros: 131072 in, 128 out, batch 2, 1 device; from table"
  std::string label(const PaperPoint& point) const;

 private:
  friend Result<Overlay> overlay_for(const PaperData&, const OverlayAxis&);
  OverlayAxis axis_;
  PaperExhibit exhibit_;
  std::vector<PaperPoint> points_;
};
Result<Overlay> overlay_for(const PaperData& data, const OverlayAxis& axis);

}  // namespace orthros
