#include "widgets/curve_style.h"

#include <array>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLine = 1.75;
constexpr double kThinLine = 1.25;
constexpr double kMark = 7;
constexpr double kReportedMark = 9;

struct Look {
  const char* architecture;
  QCPScatterStyle::ScatterShape shape;
  QList<double> dash;  // in pen widths; empty: solid
};

const Look& lookOf(const QString& architecture) {
  using Style = QCPScatterStyle;
  static const std::array<Look, 10> looks{{{"transformer", Style::ssCircle, {}},
                                           {"swa", Style::ssSquare, {2, 2}},
                                           {"gla", Style::ssTriangle, {4, 2}},
                                           {"retnet", Style::ssTriangleInverted, {4, 2, 1, 2}},
                                           {"gdn", Style::ssPlusCircle, {6, 2}},
                                           {"hybrid", Style::ssPlusSquare, {6, 2, 1, 2}},
                                           {"orthros", Style::ssDiamond, {8, 2}},
                                           {"orthros_no_scale_offset", Style::ssCrossSquare, {3, 3}},
                                           {"orthros_hybrid", Style::ssCrossCircle, {8, 2, 2, 2}},
                                           {"", Style::ssStar, {}}}};
  for (const Look& look : looks) {
    if (architecture == QLatin1String(look.architecture)) return look;
  }
  return looks.back();
}

}  // namespace

CurveStyle curveStyle(CurveKind kind, const QString& architecture, int variant) {
  const Look& look = lookOf(architecture);
  const QColor colour = theme().architecture(architecture);
  CurveStyle style;
  style.pen = QPen(colour, kind == CurveKind::Measured ? kLine : kThinLine);
  style.pen.setCapStyle(Qt::FlatCap);
  style.pen.setJoinStyle(Qt::RoundJoin);
  switch (kind) {
    case CurveKind::Measured:
      if (!look.dash.isEmpty()) style.pen.setDashPattern(look.dash);
      if (variant > 0) style.pen.setDashPattern({1.0 + variant, 1.0 + variant});
      style.mark = QCPScatterStyle(look.shape, QPen(colour, kThinLine),
                                   variant > 0 ? color(Role::Surface) : colour, kMark);
      break;
    case CurveKind::Expected:
      break;
    case CurveKind::Model:
      style.pen.setDashPattern({1.5, 3});
      break;
    case CurveKind::Reported:
      style.pen.setDashPattern({5, 4});
      style.mark = QCPScatterStyle(look.shape, QPen(colour, kThinLine), color(Role::Surface), kReportedMark);
      break;
  }
  return style;
}

CurveStyle curveStyle(const Curve& curve) {
  CurveStyle style = curveStyle(curve.kind, curve.architecture, curve.variant);
  if (curve.isDense && curve.kind == CurveKind::Measured) style.pen.setStyle(Qt::SolidLine);
  return style;
}

}  // namespace orthros::widgets
