// Page: one entry of the rail.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QWidget>
#include <functional>

#include "widgets/shortcut_overlay.h"

namespace orthros::studio {

/// What a page is asked to do with a kept run.
enum class RunUse {
  Show,
  Resume,  // run what is missing
  Again,   // the same as a new run
  Copy     // its spec into the form
};

class Page : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  virtual QString name() const = 0;   // for --screenshot and the object tree: "models"
  virtual QString title() const = 0;  // on the rail
  virtual QString iconName() const = 0;
  virtual QString purpose() const = 0;  // tooltip
  /// Kept runs of this kind are shown here: "niah"; empty: none.
  virtual QString runKind() const { return {}; }
  virtual void useRun(const QString& /*uuid*/, RunUse /*use*/) {}
  /// What Ctrl+Return does here.
  virtual void primaryAction() {}
  /// Closes a popup or releases a pin; false when there was nothing to give up.
  virtual bool escape() { return false; }
  /// Keys that are no actions (arrows in a view), for the sheet of keys.
  virtual QList<widgets::ShortcutRow> moreKeys() const { return {}; }
  /// Made for pictures: does what fills the page, then emits readyForPicture.
  virtual void prepareForPicture() { Q_EMIT readyForPicture(); }

 Q_SIGNALS:
  void readyForPicture();

 protected:
  /// A command of this page: in the palette and the shortcut overlay by its text, by its keys while the page
  /// has the focus.
  QAction* addKey(const char* name, const QString& text, const char* keys, std::function<void()> run) {
    auto* action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcut(QKeySequence(QString::fromLatin1(keys)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, std::move(run));
    addAction(action);
    return action;
  }
};

}  // namespace orthros::studio
