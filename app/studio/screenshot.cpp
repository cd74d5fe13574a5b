#include "app/studio/screenshot.h"

#include <QPixmap>
#include <QTimer>

namespace orthros::studio {

Screenshot::Screenshot(MainWindow& window, Workspace& workspace, const Options& options, QObject* parent)
    : QObject(parent), m_window(window), m_workspace(workspace), m_options(options) {
  const auto waiting = [this] {
    for (const OpenedModel& model : m_workspace.library().models()) {
      if (model.state == OpenedModel::State::Reading || model.state == OpenedModel::State::Loading)
        return true;
    }
    return false;
  };
  if (!waiting()) {
    QTimer::singleShot(0, this, &Screenshot::prepare);
    return;
  }
  const auto once = [this, waiting] {
    if (waiting()) return;
    disconnect(&m_workspace.library(), nullptr, this, nullptr);
    QTimer::singleShot(0, this, &Screenshot::prepare);
  };
  connect(&workspace.library(), &ModelLibrary::modelReady, this, once);
  connect(&workspace.library(), &ModelLibrary::modelFailed, this, once);
}

void Screenshot::prepare() {
  Page* page = m_window.page(m_options.screenshot);
  m_window.showPage(m_options.screenshot);
  connect(page, &Page::readyForPicture, this, &Screenshot::draw, Qt::SingleShotConnection);
  page->prepareForPicture();
}

void Screenshot::draw() {
  if (m_options.palette) m_window.findChild<QAction*>(QStringLiteral("palette"))->trigger();
  if (m_options.shortcuts) m_window.findChild<QAction*>(QStringLiteral("shortcuts"))->trigger();
  // Once more through the event loop, so that what the last tokens changed is laid out.
  QTimer::singleShot(100, this, [this] {
    const QPixmap picture = m_window.grab();
    Q_EMIT done(picture.save(m_options.out) ? modelProblem() : tr("cannot write %1").arg(m_options.out));
  });
}

// The picture of a page without the model that was asked for is not what was asked for.
QString Screenshot::modelProblem() const {
  if (m_options.model.isEmpty()) return {};
  for (const OpenedModel& model : m_workspace.library().models()) {
    const bool gone = model.state == OpenedModel::State::Failed || model.state == OpenedModel::State::Refused;
    if (gone) return QStringLiteral("%1: %2").arg(m_options.model, model.problem);
  }
  return {};
}

}  // namespace orthros::studio
