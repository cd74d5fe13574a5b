// StripUnits: what is one frame of the token strip: token, word, line, paragraph, or a match of a pattern,
// with a box for the pattern and what is wrong with it.
#pragma once

#include <QWidget>

#include "widgets/token_units.h"

class QComboBox;
class QLineEdit;
class QTimer;

namespace orthros::widgets {
class ElidedLabel;
class TokenHeat;
}  // namespace orthros::widgets

namespace orthros::studio {

class StripUnits : public QWidget {
  Q_OBJECT
 public:
  explicit StripUnits(widgets::TokenHeat* heat, QWidget* parent = nullptr);
  widgets::Granularity granularity() const;
  QString pattern() const;
  /// At once, as of a bookmark.
  void setUnits(widgets::Granularity granularity, const QString& pattern);
  /// The pattern's box, to type in.
  void editPattern();

 private:
  void chooseUnits();
  void apply();
  void say();

  widgets::TokenHeat* m_heat;
  QComboBox* m_units;
  QLineEdit* m_pattern;
  widgets::ElidedLabel* m_note;
  QTimer* m_typing;
};

}  // namespace orthros::studio
