// ModelsPage: the models that are open as cards, those opened before, and the way to open and convert more.
#pragma once

#include "app/studio/page.h"
#include "app/studio/workspace.h"

class QListView;
class QPushButton;
class QStackedLayout;
class QVBoxLayout;

namespace orthros::widgets {
class Notice;
}

namespace orthros::studio {

class ModelCard;
class ModelList;

class ModelsPage : public Page {
  Q_OBJECT
 public:
  explicit ModelsPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("models"); }
  QString title() const override { return tr("Models"); }
  QString iconName() const override { return QStringLiteral("models"); }
  QString purpose() const override { return tr("Open, look at and convert models"); }
  void prepareForPicture() override;
  /// The pages that work on an open model, shown under the cards.
  void setNextSteps(const QList<Page*>& pages);

 Q_SIGNALS:
  void promptRequested();
  void pageRequested(const QString& name);
  void openFolderRequested();
  void openFileRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QListView* makeList(const char* name, const QString& title, ModelList* models);
  QWidget* makeSide();
  QWidget* makeEmpty();
  void refresh();
  void refreshRecent();
  ModelCard* cardOf(quint64 id);
  void convert(quint64 id);
  void compare();

  Workspace& m_workspace;
  QWidget* m_empty;
  QWidget* m_body;
  QWidget* m_side = nullptr;
  QVBoxLayout* m_cardColumn;
  QList<ModelCard*> m_cards;
  QPushButton* m_compare = nullptr;
  widgets::Notice* m_notice;
  ModelList* m_samples;
  ModelList* m_recent;
  QListView* m_recentView = nullptr;
};

}  // namespace orthros::studio
