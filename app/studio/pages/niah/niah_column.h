// NiahColumn: one needle map with the line below it that sums it up. Threads: GUI thread.
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
  widgets::NeedleMap* map() const { return m_map; }
  QString note() const;

 private:
  widgets::NeedleMap* m_map;
  QLabel* m_note;
};

}  // namespace orthros::studio
