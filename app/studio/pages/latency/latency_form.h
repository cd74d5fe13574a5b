// LatencyForm: what a latency experiment times: up to four arms, a mode, points of T, N, B and threads, and
// the protocol; with live counts of what that comes to, and what is wrong with it. Threads: GUI thread.
#pragma once

#include <QWidget>

#include "app/studio/pages/latency/latency_estimate.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace orthros::studio {

struct LatencyArmChoice {
  NiahArmChoice arm;
  std::optional<ScalarType> dtype;  // empty: as the model was loaded
  bool operator==(const LatencyArmChoice&) const = default;
};

class LatencyForm : public QWidget {
  Q_OBJECT
 public:
  explicit LatencyForm(const ModelLibrary& library, QWidget* parent = nullptr);
  Result<LatencySpec> spec() const;
  /// The arms in order, with their models. Errors: none chosen, a model that was closed.
  Result<std::vector<LatencyArmSource>> sources() const;
  const QList<LatencyArmChoice>& arms() const { return m_arms; }
  void setArms(const QList<LatencyArmChoice>& arms);
  /// Everything but the arms, as a kept experiment had it.
  void setSpec(const LatencySpec& spec);
  void setPreset(const QString& name);  // "smoke", "quick", "paper-like"
  void setMode(LatencyMode mode);
  /// What the machine does by itself: from then on there is a time.
  void setRates(const MachineRates& rates);
  bool hasRates() const { return m_rates.has_value(); }
  void setRunning(bool running, bool paused);
  bool canRun() const;
  /// Looks at the open models again.
  void refreshModels();
  void setFolded(bool folded);
  bool isFolded() const;

 Q_SIGNALS:
  void runRequested();
  void stopRequested();
  void pauseRequested();
  void changed();

 private:
  QWidget* makeTopRow();
  QWidget* makeArmRow();
  QWidget* makeProtocolRow();
  QWidget* makePointRow();
  void addArm();
  void takeWindow();
  void takeArms(const QList<LatencyArmChoice>& arms);
  void showArms();
  void applyPreset();
  void becomeOwn();
  void refresh();
  LatencyMode mode() const;
  bool isAsked(const QLineEdit* edit) const;
  Result<std::vector<int64_t>> listOf(const QLineEdit* edit, int64_t fallback) const;
  QString countText() const;

  const ModelLibrary& m_library;
  QList<LatencyArmChoice> m_arms;
  bool m_armsChosen = false;  // by somebody: no longer filled in by itself
  bool m_running = false, m_paused = false;
  bool m_filling = false;  // fields change because a preset or a kept run says so
  std::optional<MachineRates> m_rates;
  QHBoxLayout* m_chips;
  QToolButton* m_fold;
  QWidget* m_details;
  QComboBox* m_model;
  QComboBox* m_reading;
  QComboBox* m_dtype;
  QSpinBox* m_window;
  QSpinBox* m_sinks;
  QPushButton* m_add;
  QComboBox* m_mode;
  QComboBox* m_preset;
  QSpinBox* m_pairs;
  QSpinBox* m_warmups;
  QSpinBox* m_limit;
  QLineEdit* m_lengths;
  QLineEdit* m_outputs;
  QLineEdit* m_batches;
  QLineEdit* m_threads;
  QLabel* m_counts;
  QPushButton* m_pause;
  QPushButton* m_run;
};

}  // namespace orthros::studio
