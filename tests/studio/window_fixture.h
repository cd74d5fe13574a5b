// WindowFixture: the real window with a data folder of its own and one thread, made anew for every test.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/studio/main_window.h"
#include "widgets/token_chips.h"

namespace orthros::studio {

constexpr int kPatience = 60'000;

inline QString fixture(const char* name) {
  return QStringLiteral(ORTHROS_FIXTURES) + u'/' + QString::fromLatin1(name);
}

class AttentionPage;

class WindowFixture : public QObject {
  Q_OBJECT
 protected:
  template <class T>
  T* find(const char* name) const {
    return m_window->findChild<T*>(QString::fromLatin1(name));
  }
  quint64 load(const char* name = "tiny/llama-tokenizer");
  void run(int tokens);
  QList<widgets::TokenChips*> columns() const;

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Workspace> m_workspace;
  std::unique_ptr<MainWindow> m_window;
  /// A small text, captured whole, with window 4 and 2 sinks.
  AttentionPage* look();
  /// With ORTHROS_PICTURES=FOLDER the tests leave there what they saw, for a person to look at.
  void picture(QWidget* widget, const char* name) const;

 private Q_SLOTS:
  void init();
  void cleanup();
};

}  // namespace orthros::studio
