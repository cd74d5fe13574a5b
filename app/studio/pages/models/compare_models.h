// CompareModels: two open models' configurations side by side; rows that differ carry the sign ≠ and come
// first.
#pragma once

#include <QDialog>
#include <vector>

#include "app/studio/model_library.h"

class QComboBox;
class QTableWidget;

namespace orthros::studio {

class CompareModels : public QDialog {
  Q_OBJECT
 public:
  /// `models`: those with facts, at least two.
  explicit CompareModels(const std::vector<OpenedModel>& models, QWidget* parent = nullptr);

 private:
  void refresh();

  std::vector<OpenedModel> m_models;
  QComboBox* m_a;
  QComboBox* m_b;
  QTableWidget* m_table;
};

}  // namespace orthros::studio
