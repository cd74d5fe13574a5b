// ModelCard: one model of the library: what it is, what it takes, and what can be done with it.
#pragma once

#include <QFrame>

#include "app/studio/model_library.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace orthros::widgets {
class ElidedLabel;
class MemoryBar;
class MixerStrip;
class Notice;
}  // namespace orthros::widgets

namespace orthros::studio {

class ModelCard : public QFrame {
  Q_OBJECT
 public:
  ModelCard(quint64 id, QWidget* parent = nullptr);
  quint64 id() const { return m_id; }
  void setModel(const OpenedModel& model, bool isCurrent);

 Q_SIGNALS:
  void promptRequested(quint64 id);
  void convertRequested(quint64 id);
  void closeRequested(quint64 id);
  void retryRequested(quint64 id);

 private:
  void addFigures();
  void setFigures(const ModelFacts& facts);
  void showState(const OpenedModel& model);

  quint64 m_id;
  widgets::ElidedLabel* m_name;
  QLabel* m_dot;
  QLabel* m_kind;
  QLabel* m_state;
  QLabel* m_provenance;
  QLabel* m_memoryText;
  QWidget* m_details;
  widgets::MixerStrip* m_strip;
  widgets::MemoryBar* m_memory;
  widgets::Notice* m_notice;
  QGridLayout* m_grid;
  QList<QLabel*> m_figures;
  QPushButton* m_prompt;
  QPushButton* m_convert;
};

}  // namespace orthros::studio
