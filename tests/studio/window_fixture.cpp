#include "tests/studio/window_fixture.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/prompt/prompt_page.h"

namespace orthros::studio {

void WindowFixture::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_workspace = std::make_unique<Workspace>();
  m_workspace->settings().setTransient(true);
  m_workspace->settings().setDataFolder(m_folder->path());
  m_workspace->settings().setThreads(1);  // tiny models: a second thread would only be waited for
  m_window = std::make_unique<MainWindow>(*m_workspace);
  m_window->show();
}

void WindowFixture::cleanup() {
  m_workspace->engine().stopAll();
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->engine().isIdle() && m_workspace->files().isIdle(), kPatience);
  m_window.reset();
  m_workspace.reset();
}

quint64 WindowFixture::load(const char* name) {
  const quint64 id = m_workspace->library().open(fixture(name));
  const auto settled = [this, id] {
    const OpenedModel* model = m_workspace->library().find(id);
    return model->state != OpenedModel::State::Reading && model->state != OpenedModel::State::Loading;
  };
  [&] { QTRY_VERIFY_WITH_TIMEOUT(settled(), kPatience); }();
  return id;
}

QList<widgets::TokenChips*> WindowFixture::columns() const {
  QList<widgets::TokenChips*> found;
  for (auto* chips : m_window->findChildren<widgets::TokenChips*>(QStringLiteral("armChips"))) {
    if (!chips->parentWidget()->isHidden()) found.append(chips);
  }
  return found;
}

void WindowFixture::run(int tokens) {
  m_window->showPage(QStringLiteral("prompt"));
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("the cat"));
  find<QSpinBox>("maxTokens")->setValue(tokens);
  QSignalSpy spy(static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt"))), &PromptPage::finished);
  QTest::mouseClick(find<QPushButton>("promptRun"), Qt::LeftButton);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience); }();
}

AttentionPage* WindowFixture::look() {
  load();
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setText(QStringLiteral("the cat sat on the mat and the dog sat on the cat and all of them were old"));
  find<QSpinBox>("attentionWindow")->setValue(4);
  find<QSpinBox>("attentionSinks")->setValue(2);
  QSignalSpy spy(page, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("attentionLook"), Qt::LeftButton);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience); }();
  // Drawings are made by jobs.
  [&] { QTRY_VERIFY_WITH_TIMEOUT(m_workspace->files().isIdle(), kPatience); }();
  return page;
}

void WindowFixture::picture(QWidget* widget, const char* name) const {
  const QString folder = qEnvironmentVariable("ORTHROS_PICTURES");
  if (folder.isEmpty()) return;
  QCoreApplication::processEvents();  // what changed is laid out
  widget->grab().save(folder + u'/' + QLatin1String(name) + QStringLiteral(".png"));
}

}  // namespace orthros::studio
