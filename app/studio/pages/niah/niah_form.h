// NiahForm: what a needle experiment runs: up to four arms, lengths, depths, trials, the kind of needle and
// of haystack, the scorer; with live counts, time and memory of what that comes to, and what is wrong with
// it. Folds to one line. Threads: GUI thread.
#pragma once

#include <QWidget>

#include "app/studio/pages/niah/niah_arms.h"
#include "app/studio/pages/niah/niah_estimate.h"
#include "engine/experiments/niah_spec.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

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
  /// Everything but the arms and the text folder, as a kept experiment had it.
  void setSpec(const NiahSpec& spec);
  void setPreset(const QString& name);  // "smoke", "quick", "paper-like", "publication"
  /// Text files to hide needles in; empty: none.
  void setFolder(const QString& folder);
  const QString& folder() const { return m_folder; }
  /// Times of kept trials, for the estimate.
  void setRates(const NiahRates& rates);
  enum class State { Idle, Running, Paused };
  void setState(State state);
  bool canRun() const;
  void setFolded(bool folded);
  bool isFolded() const { return m_folded; }
  /// Looks at the open models again.
  void refreshModels();

 Q_SIGNALS:
  void runRequested();
  void stopRequested();
  void pauseRequested(bool pause);
  void changed();

 private:
  QWidget* makeArmRow();
  QWidget* makeTaskRow();
  QWidget* makeGridRow();
  QWidget* makeFoot();
  void makeControls();
  void addArm();
  /// Window and sinks of the model to add, where it has its own.
  void takeWindow();
  void takeArms(const QList<NiahArmChoice>& arms);
  void showArms();
  void applyPreset();
  void becomeOwn();
  void chooseHaystack(int index);
  void refresh();
  void showEstimates(const NiahSpec& spec);

  const ModelLibrary& m_library;
  QList<NiahArmChoice> m_arms;
  NiahRates m_rates;
  QString m_folder;
  bool m_armsChosen = false;  // by somebody: no longer filled in by itself
  State m_state = State::Idle;
  bool m_folded = false;
  bool m_filling = false;  // fields change because a preset or a kept run says so
  QLayout* m_chips;
  QList<QWidget*> m_rows;  // that folding hides
  QToolButton* m_fold;
  QComboBox* m_model;
  QComboBox* m_reading;
  QSpinBox* m_window = nullptr;
  QSpinBox* m_sinks = nullptr;
  QPushButton* m_add;
  QComboBox* m_preset;
  QComboBox* m_variant;
  QComboBox* m_names;
  QComboBox* m_haystack;
  QComboBox* m_scorer;
  QLineEdit* m_lengths;
  QLineEdit* m_depths;
  QSpinBox* m_trials = nullptr;
  QSpinBox* m_seed = nullptr;
  QCheckBox* m_controls;
  QLabel* m_counts;
  QLabel* m_estimates;
  QPushButton* m_pause;
  QPushButton* m_run;
};

}  // namespace orthros::studio
