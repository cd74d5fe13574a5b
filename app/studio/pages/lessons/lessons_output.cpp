// What leaves the lessons page: exports, and the same on the user's own model.
#include <QMenu>

#include "app/studio/export_dialog.h"
#include "app/studio/pages/lessons/card_panel.h"
#include "app/studio/pages/lessons/lesson_export.h"
#include "app/studio/pages/lessons/lesson_text.h"
#include "app/studio/pages/lessons/lessons_page.h"
#include "app/studio/pages/lessons/your_model_view.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/export_picture.h"

namespace orthros::studio {

void LessonsPage::fillExportMenu(QMenu* menu) {
  const struct {
    QString text, suffix;
    bool whole;
  } kinds[] = {{tr("This step as SVG…"), QStringLiteral("svg"), false},
               {tr("This step as PNG…"), QStringLiteral("png"), false},
               {tr("This step as PDF…"), QStringLiteral("pdf"), false},
               {tr("The whole lesson as PDF…"), QStringLiteral("pdf"), true}};
  for (const auto& kind : kinds) {
    QAction* action = menu->addAction(kind.text);
    connect(action, &QAction::triggered, this,
            [this, suffix = kind.suffix, whole = kind.whole] { chooseExport(suffix, whole); });
  }
}

void LessonsPage::askYourModel() {
  const OpenedModel* current = m_workspace.currentModel();
  if (current == nullptr || current->model == nullptr || m_readingYours) return;
  m_readingYours = true;
  refreshTools();
  const QString name = current->name();
  m_workspace.engine().start<NeedleReading>(
      tr("The needle on %1").arg(name),
      [model = current->model](JobContext& context) {
        return readNeedle(model, context.stop(), context.sink());
      },
      this,
      [this, name, model = current->model](Result<NeedleReading>& reading) {
        m_readingYours = false;
        refreshTools();
        if (!reading) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(reading.error()));
          return;
        }
        auto* view = new YourModelView(model, name, std::move(*reading), m_zoom, this);
        connect(view, &YourModelView::attentionRequested, this, &LessonsPage::attentionRequested);
        view->open();
      });
}

void LessonsPage::exportStep(const QString& path) {
  if (!isReady()) return;
  m_stage->finishMove();
  const QString title =
      toQt(m_lesson.title.in(m_isChinese)) + QStringLiteral(" · ") + stepTitle(m_spot.moment);
  const QString caption =
      tr("Lesson model, %1, shelf sha256 %2")
          .arg(QLatin1String(to_string(m_spot.setting.regime)), m_stage->data().hash.left(16));
  sayExported(path, widgets::exportPicture(m_figure, path, {title, caption}));
}

void LessonsPage::exportLesson(const QString& path) {
  if (!isReady()) return;
  const int before = m_item;
  QStringList questions;
  for (const LessonQuestion& question : m_lesson.questions)
    questions.append(QStringLiteral("%1.  %2")
                         .arg(questions.size() + 1)
                         .arg(liveText(question.text.in(m_isChinese), question.setting, source())));
  const QString title = toQt(m_lesson.title.in(m_isChinese));
  const auto turn = [this](int card) {
    goTo(card);
    m_stage->finishMove();
    return LessonPageText{QStringLiteral("%1.  %2").arg(card + 1).arg(stepTitle(m_spot.moment)),
                          m_card->plainText()};
  };
  const QString problem =
      writeLessonPdf(path, title, static_cast<int>(m_lesson.cards.size()), m_figure, turn, questions);
  goTo(before);
  m_stage->finishMove();
  sayExported(path, problem);
}

void LessonsPage::sayExported(const QString& path, const QString& problem) {
  sayWritten(*m_notice, path, problem);
  Q_EMIT exported();
}

void LessonsPage::chooseExport(const QString& suffix, bool wholeLesson) {
  if (!isReady()) return;
  QString name = QStringLiteral("lesson-") + toQt(m_lesson.id);
  if (!wholeLesson) name += QStringLiteral("-%1").arg(m_item + 1);
  const QStringList suffixes =
      wholeLesson ? QStringList{suffix}
                  : QStringList{QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("pdf")};
  const QString path = askExportPath(this, m_workspace.settings(), name, suffix, suffixes);
  if (path.isEmpty()) return;
  if (wholeLesson) {
    exportLesson(path);
  } else {
    exportStep(path);
  }
}

}  // namespace orthros::studio
