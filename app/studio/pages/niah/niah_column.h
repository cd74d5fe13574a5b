// NiahColumn: one arm: its map of what was found, below it the map of another measure where one is asked for,
// and the line that sums it up. Threads: GUI thread.
#pragma once

#include <QWidget>

#include "widgets/needle_map.h"

class QLabel;

namespace orthros::studio {

class NiahColumn : public QWidget {
  Q_OBJECT
 public:
  explicit NiahColumn(QWidget* parent = nullptr);
  void show(const widgets::NeedleMapData& data, const QString& note);
  /// With a measure other than found: two maps.
  void setStyle(const widgets::NeedleStyle& style);
  void setMarked(widgets::NeedleIndex index);
  widgets::NeedleMap* map() const { return m_map; }
  widgets::NeedleMap* measureMap() const { return m_measure; }
  QString note() const;
  /// Room for both maps and the note.
  static QSize hint(const widgets::NeedleStyle& style);

 Q_SIGNALS:
  void hovered(widgets::NeedleIndex index);
  void chosen(widgets::NeedleIndex index);

 private:
  widgets::NeedleMap* m_map;
  widgets::NeedleMap* m_measure;
  QLabel* m_note;
};

}  // namespace orthros::studio
