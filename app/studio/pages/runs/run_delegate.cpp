#include "app/studio/pages/runs/run_delegate.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "app/studio/pages/runs/run_table_model.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using widgets::Role;

constexpr int kPadding = 8;
constexpr int kSign = 16;

void drawText(QPainter& painter, const QRect& box, int alignment, const QString& text) {
  painter.drawText(box, alignment, painter.fontMetrics().elidedText(text, Qt::ElideRight, box.width()));
}

// Sign left, word beside it.
void drawSigned(QPainter& painter, const QRect& box, const QString& sign, Role role, const QString& word) {
  const QRect at(box.left(), box.center().y() - kSign / 2 + 1, kSign, kSign);
  painter.drawPixmap(at, widgets::iconPixmap(sign, role, kSign, painter.device()->devicePixelRatioF()));
  drawText(painter, box.adjusted(kSign + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
}

void drawName(QPainter& painter, const QRect& box, const RunRow& row) {
  QFont strong = painter.font();
  const QFont plain = strong;
  strong.setWeight(QFont::DemiBold);
  painter.setFont(strong);
  const QRect top = box.adjusted(0, 5, 0, -box.height() / 2);
  const QRect bottom = box.adjusted(0, box.height() / 2, 0, -5);
  drawText(painter, top, Qt::AlignLeft | Qt::AlignVCenter, row.name.isEmpty() ? row.uuid.left(8) : row.name);
  QFont caption = plain;
  caption.setPixelSize(11);
  painter.setFont(caption);
  int left = bottom.left();
  for (const QString& tag : splitTags(row.tags)) {
    const int width = painter.fontMetrics().horizontalAdvance(tag) + 10;
    if (left + width > bottom.right() - 40) break;
    painter.setPen(Qt::NoPen);
    painter.setBrush(widgets::color(Role::Raised));
    painter.drawRoundedRect(QRect(left, bottom.top() + 1, width, bottom.height() - 2), 4, 4);
    painter.setPen(widgets::color(Role::Text));
    painter.drawText(QRect(left, bottom.top(), width, bottom.height()), Qt::AlignCenter, tag);
    left += width + 6;
  }
  painter.setPen(widgets::color(Role::Muted));
  drawText(painter, QRect(QPoint(left, bottom.top()), bottom.bottomRight()), Qt::AlignLeft | Qt::AlignVCenter,
           row.models);
}

double scaled(double value, bool logarithmic) {
  return logarithmic && value > 0 ? std::log(value) : value;
}

// Steps of a training are even; lengths double.
QPointF scaled(const QPointF& point, const RunRow& row) {
  return {scaled(point.x(), row.kind != u"training"), scaled(point.y(), row.logarithmic)};
}

}  // namespace

std::pair<QString, Role> statusSign(const QString& status) {
  if (status == u"done") return {QStringLiteral("good"), Role::Good};
  if (status == u"running") return {QStringLiteral("play"), Role::Accent};
  if (status == u"failed") return {QStringLiteral("bad"), Role::Bad};
  if (status == u"interrupted") return {QStringLiteral("warn"), Role::Warn};
  if (status == u"cancelled") return {QStringLiteral("stop"), Role::Muted};
  if (status == u"paused") return {QStringLiteral("pause"), Role::Muted};
  return {QStringLiteral("history"), Role::Muted};
}

QString kindIcon(const QString& kind) {
  return kind == u"latency" ? QStringLiteral("latency") : kind;
}

void paintCurves(QPainter& painter, const QRectF& box, const RunRow& row) {
  double lowX = INFINITY, highX = -INFINITY, lowY = INFINITY, highY = -INFINITY;
  for (const RunCurve& curve : row.curves) {
    for (const QPointF& raw : curve.points) {
      const QPointF point = scaled(raw, row);
      lowX = std::min(lowX, point.x());
      highX = std::max(highX, point.x());
      lowY = std::min(lowY, point.y());
      highY = std::max(highY, point.y());
    }
  }
  if (!(highX > lowX)) return;
  if (row.sharesScale) lowY = 0, highY = 1;
  if (!(highY > lowY)) highY = lowY + 1;
  painter.setPen(QPen(widgets::color(Role::Line), 1));
  painter.drawLine(box.bottomLeft(), box.bottomRight());
  painter.setBrush(Qt::NoBrush);
  for (const RunCurve& curve : row.curves) {
    QPolygonF line;
    for (const QPointF& raw : curve.points) {
      const QPointF point = scaled(raw, row);
      const double x = (point.x() - lowX) / (highX - lowX);
      const double y = (point.y() - lowY) / (highY - lowY);
      line.append({box.left() + x * box.width(), box.bottom() - 1 - y * (box.height() - 2)});
    }
    painter.setPen(QPen(widgets::theme().architecture(curve.architecture), 1.5, Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    painter.drawPolyline(line);
  }
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {80, kRowHeight};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  const RunRow row = index.data(RunTableModel::RowRole).value<RunRow>();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  painter->fillRect(option.rect, widgets::color(selected ? Role::AccentSoft : Role::Surface));
  painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                    widgets::color(Role::Line));
  painter->setFont(option.font);
  painter->setPen(widgets::color(Role::Text));
  const QRect box = option.rect.adjusted(kPadding, 0, -kPadding, -1);
  switch (index.column()) {
    case RunTableModel::Star: {
      const QRect at(option.rect.center() - QPoint(8, 8), QSize(17, 17));
      painter->drawPixmap(
          at, widgets::iconPixmap(row.starred ? QStringLiteral("starred") : QStringLiteral("star"),
                                  row.starred ? Role::Output : Role::FieldLine, 17,
                                  painter->device()->devicePixelRatioF()));
      break;
    }
    case RunTableModel::Kind:
      drawSigned(*painter, box, kindIcon(row.kind), Role::Muted, index.data().toString());
      break;
    case RunTableModel::Name:
      drawName(*painter, box, row);
      break;
    case RunTableModel::Status: {
      const auto [sign, role] = statusSign(row.status);
      drawSigned(*painter, box, sign, role, index.data().toString());
      break;
    }
    case RunTableModel::Curve:
      paintCurves(*painter, QRectF(box).adjusted(0, 8, 0, -7), row);
      break;
    default:
      if (index.column() != RunTableModel::When) painter->setFont(widgets::monoFont(12));
      if (index.column() == RunTableModel::When) painter->setPen(widgets::color(Role::Muted));
      drawText(*painter, box, index.data(Qt::TextAlignmentRole).toInt(), index.data().toString());
  }
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter->setPen(QPen(widgets::color(Role::Accent), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(1, 1, -1, -2));
  }
  painter->restore();
}

}  // namespace orthros::studio
