// PromptPage: one prompt, several arms side by side, every run kept.
#pragma once

#include <functional>

#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/prompt/kept_prompts.h"
#include "app/studio/pages/prompt/prompt_runner.h"

class QHBoxLayout;
class QLabel;
class QListView;
class QPushButton;
class QStackedWidget;

namespace orthros::widgets {
class Notice;
}

namespace orthros::studio {

class ArmColumn;
class PromptForm;

class PromptPage : public Page {
  Q_OBJECT
 public:
  explicit PromptPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("prompt"); }
  QString title() const override { return tr("Prompt"); }
  QString iconName() const override { return QStringLiteral("prompt"); }
  QString purpose() const override {
    return tr("Run one prompt as Transformer, sliding-window and Orthros model");
  }
  bool escape() override;
  void prepareForPicture() override;
  void primaryAction() override { run(); }
  QString runKind() const override { return QStringLiteral("prompt"); }
  void useRun(const QString& uuid, RunUse use) override;
  void run();
  PromptForm* form() const { return m_form; }

 Q_SIGNALS:
  void modelsRequested();
  /// The user wants to see the attention of this text.
  void attentionRequested(const QString& text, const WindowSpec& window);
  /// Or of what the last column has read and written.
  void idsRequested(const AttentionRequest& request);
  void finished();

 private:
  QWidget* makeLeft();
  QWidget* makeKept();
  void connectRunner();
  void explainSameAnswers();
  void forgetPrompts();
  std::shared_ptr<const Model> shownModel() const;
  void askForAttention();
  void showModel();
  void showPlaceholders();
  void setColumns(const std::vector<PromptArm>& arms);
  void start(const PromptSpec& spec, bool keepText);
  void branch(int column, int chip, qint64 id);
  void refreshKept();
  void openKept();
  /// Reads them and shows them side by side; then `then`.
  void openRuns(const QStringList& uuids, std::function<void()> then = {});
  void showKept(const QList<KeptRun>& runs);
  /// Puts the opened runs' text, arms and sampling into the form; `start` runs them at once.
  void takeKept(bool start);
  /// Frames what two outputs side by side do not share, and says where they part.
  void compareColumns();

  Workspace& m_workspace;
  PromptRunner* m_runner;
  PromptForm* m_form;
  KeptPrompts* m_kept;
  QListView* m_keptView = nullptr;
  QPushButton* m_again = nullptr;
  QPushButton* m_duplicate = nullptr;
  QList<KeptRun> m_opened;
  QStackedWidget* m_left = nullptr;
  QPushButton* m_newTab = nullptr;
  QPushButton* m_keptTab = nullptr;
  widgets::Notice* m_notice;
  QPushButton* m_look;
  QHBoxLayout* m_columnRow;
  QList<ArmColumn*> m_columns;
  std::vector<PromptArm> m_arms;                // of the columns
  std::vector<std::vector<TokenId>> m_prompts;  // of the columns; empty: nothing was read yet
  std::vector<int> m_columnOfArm;               // of the run that goes on
  PromptSpec m_lastSpec;
  qint64 m_promptTokens = 0;  // of the arm that ended last
};

}  // namespace orthros::studio
