// ConvertDialog: window, sinks and destination of a conversion to Orthros, with what it costs and what is
// exact.
#pragma once

#include <QDialog>

#include "app/studio/model_facts.h"
#include "engine/model/converter.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace orthros::studio {

class ConvertDialog : public QDialog {
  Q_OBJECT
 public:
  ConvertDialog(const ModelFacts& facts, const QString& folder, QWidget* parent = nullptr);
  ConvertOptions options() const;
  QString destination() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void fitHeight();
  void chooseDestination();

  ModelFacts m_facts;
  QString m_folder;
  QRadioButton* m_noTraining;
  QRadioButton* m_paper;
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QLineEdit* m_destination;
  QLabel* m_cost;
  QLabel* m_problem;
  QPushButton* m_convert;
  bool m_ownDestination = false;
};

}  // namespace orthros::studio
