// SettingsPage: what the user may choose, in force at once.
#pragma once

#include "app/studio/page.h"
#include "app/studio/workspace.h"

class QFormLayout;

class QBoxLayout;

namespace orthros::studio {

class SettingsPage : public Page {
  Q_OBJECT
 public:
  explicit SettingsPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("settings"); }
  QString title() const override { return tr("Settings"); }
  QString iconName() const override { return QStringLiteral("settings"); }
  QString purpose() const override { return tr("Theme, threads, types, folders"); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeLook();
  QWidget* makeEngine();
  QWidget* makeData();

  Workspace& m_workspace;
  QBoxLayout* m_columns;  // one column where two have no room
};

}  // namespace orthros::studio
