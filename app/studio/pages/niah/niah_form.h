// NiahForm: what a needle experiment runs: up to four arms, lengths, depths, trials, the kind of needle; with
// live counts of what that comes to, and what is wrong with it. Threads: GUI thread.
#pragma once

#include <QWidget>

#include "app/studio/pages/niah/niah_arms.h"
#include "engine/experiments/niah_spec.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace orthros::studio {

class NiahForm : public QWidget {
  Q_OBJECT
 public:
  explicit NiahForm(const ModelLibrary& library, QWidget* parent = nullptr);
  Result<NiahSpec> spec() const;
  /// The arms in order, with their models. Errors: none chosen, a model that was closed.
  Result<std::vector<NiahArmSource>> sources() const;
  const QList<NiahArmChoice>& arms() const { return m_arms; }
  void setArms(const QList<NiahArmChoice>& arms);
  /// Everything but the arms, as a kept experiment had it.
  void setSpec(const NiahSpec& spec);
  void setPreset(const QString& name);  // "smoke", "quick", "paper-like", "publication"
  void setRunning(bool running);
  bool canRun() const;
  /// Looks at the open models again.
  void refreshModels();

 Q_SIGNALS:
  void runRequested();
  void stopRequested();
  void changed();

 private:
  QWidget* makeArmRow();
  QWidget* makeTaskRow();
  void addArm();
  /// Window and sinks of the model to add, where it has its own.
  void takeWindow();
  void showArms();
  void applyPreset();
  void becomeOwn();
  void refresh();

  const ModelLibrary& m_library;
  QList<NiahArmChoice> m_arms;
  bool m_armsChosen = false;  // by hand: no longer filled in by itself
  bool m_running = false;
  bool m_filling = false;  // fields change because a preset or a kept run says so
  QHBoxLayout* m_chips;
  QComboBox* m_model;
  QComboBox* m_reading;
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QPushButton* m_add;
  QComboBox* m_preset;
  QComboBox* m_variant;
  QComboBox* m_names;
  QLineEdit* m_lengths;
  QLineEdit* m_depths;
  QSpinBox* m_trials;
  QSpinBox* m_seed;
  QCheckBox* m_controls;
  QLabel* m_counts;
  QPushButton* m_run;
};

}  // namespace orthros::studio
