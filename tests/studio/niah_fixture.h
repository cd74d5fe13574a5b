// NiahFixture: the window with its NIAH page asked and run as a user would.
#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/text.h"
#include "tests/studio/window_fixture.h"
#include "widgets/needle_map.h"

namespace orthros::studio {

inline QString sample(const char* name) {
  return QStringLiteral(ORTHROS_SOURCE "/sample_models/") + QString::fromLatin1(name);
}

class NiahFixture : public WindowFixture {
 protected:
  NiahPage* page() const { return static_cast<NiahPage*>(m_window->page(QStringLiteral("niah"))); }

  quint64 open(const QString& path) {
    const quint64 id = m_workspace->library().open(path);
    [&] {
      QTRY_COMPARE_WITH_TIMEOUT(m_workspace->library().find(id)->state, OpenedModel::State::Ready, kPatience);
    }();
    return id;
  }

  void ask(const char* lengths, const char* depths, int trials, bool controls) {
    m_window->showPage(QStringLiteral("niah"));
    find<QLineEdit>("niahLengths")->setText(QLatin1String(lengths));
    find<QLineEdit>("niahDepths")->setText(QLatin1String(depths));
    find<QSpinBox>("niahTrials")->setValue(trials);
    find<QCheckBox>("niahControls")->setChecked(controls);
  }

  void runToItsEnd() {
    QSignalSpy finished(page(), &NiahPage::finished);
    QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
    [&] { QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience); }();
  }
};

}  // namespace orthros::studio
