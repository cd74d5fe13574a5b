// LessonsFixture: the lessons page of the real window, and keys as a reader presses them.
#pragma once

#include <QSignalSpy>

#include "app/studio/pages/lessons/lessons_page.h"
#include "tests/studio/window_fixture.h"

namespace orthros::studio {

class LessonsFixture : public WindowFixture {
  Q_OBJECT
 protected:
  LessonsPage* page() const { return static_cast<LessonsPage*>(m_window->page(QStringLiteral("lessons"))); }
  /// 0-based; with its passes.
  LessonsPage* open(int lesson = 0) {
    m_workspace->settings().setReducedMotion(true);
    QSignalSpy ready(page(), &LessonsPage::ready);
    if (!page()->isReady()) {
      m_window->showPage(QStringLiteral("lessons"));
      [&] { QTRY_VERIFY_WITH_TIMEOUT(ready.size() >= 1, kPatience); }();
    }
    if (page()->lesson().number != lesson + 1) {
      ready.clear();
      page()->openLesson(lesson);
      [&] { QTRY_VERIFY_WITH_TIMEOUT(ready.size() >= 1, kPatience); }();
    }
    page()->setFocus();
    return page();
  }
  void key(int code, Qt::KeyboardModifiers modifiers = {}) const {
    QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : page(),
                    static_cast<Qt::Key>(code), modifiers);
  }
};

}  // namespace orthros::studio
