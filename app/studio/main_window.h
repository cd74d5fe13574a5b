// MainWindow: rail, title bar, pages, job bar; drops, commands, and a clean end. Threads: GUI thread.
#pragma once

#include <QMainWindow>
#include <functional>

#include "app/studio/page.h"
#include "app/studio/workspace.h"

class QActionGroup;
class QStackedWidget;
class QVBoxLayout;

namespace orthros::widgets {
class CommandPalette;
class JobBar;
class ShortcutOverlay;
}  // namespace orthros::widgets

namespace orthros::studio {

class TitleBar;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Workspace& workspace, QWidget* parent = nullptr);

  /// The model of the command line, else the last one, else the sample when it is there.
  void openFirstModel(const QString& path);
  void showPage(const QString& name);
  Page* page(const QString& name) const;
  Page* currentPage() const;
  QStringList pageNames() const;
  /// Puts the saved layout back, if any.
  void restoreLayout();

 protected:
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeRail();
  void addPage(Page* page);
  void makeActions();
  QAction* addCommand(const QString& name, const QString& text, const QKeySequence& keys,
                      std::function<void()> run);
  /// The window's and the page's in front.
  QList<QAction*> allActions() const;
  void useRun(const QString& kind, const QString& uuid, RunUse use);
  void updateJobs();
  void stopNewest();
  void escape();
  void showShortcuts();
  void chooseFolder();
  void chooseFile();
  void restoreDefaultLayout();
  void present(bool presenting, bool fullScreen);

  Workspace& m_workspace;
  QStackedWidget* m_stack;
  QWidget* m_rail = nullptr;
  QVBoxLayout* m_railPages = nullptr;
  QActionGroup* m_pageActions;
  TitleBar* m_titleBar;
  widgets::JobBar* m_jobBar;
  widgets::CommandPalette* m_palette;
  widgets::ShortcutOverlay* m_shortcuts = nullptr;
  QWidget* m_dropHint;
  QRect m_shownGeometry;  // as the program put it: kept only when the user changes it
  bool m_closing = false;
};

}  // namespace orthros::studio
