// orthros-studio: the desktop program.
#include <QApplication>
#include <QIcon>
#include <cstdio>
#include <cstring>

#include "app/studio/export_command.h"
#include "app/studio/main_window.h"
#include "app/studio/options.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/lessons/lessons_page.h"
#include "app/studio/pages/prompt/prompt_form.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "app/studio/screenshot.h"
#include "app/studio/translation.h"

namespace {

constexpr int kUsage = 2;

int complain(const QString& problem) {
  std::fprintf(stderr, "orthros-studio: %s\n", qPrintable(problem));
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace orthros;
  if (studio::isHeadless(argc, argv) && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("orthros"));
  QApplication::setApplicationName(QStringLiteral("orthros-studio"));
  QApplication::setApplicationDisplayName(QApplication::translate("main", "Orthros Studio"));
  QApplication::setApplicationVersion(QStringLiteral(ORTHROS_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("orthros-studio"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/orthros/icons/orthros-studio.svg")));

  if (argc > 1 && std::strcmp(argv[1], "export") == 0) {
    const QString problem = studio::runExport(QApplication::arguments().mid(1));
    return problem.isEmpty() ? 0 : (complain(problem), 1);
  }
  studio::Workspace workspace;
  const studio::Options options = studio::readOptions(QApplication::arguments(), workspace.settings());
  if (!options.problem.isEmpty()) return complain(options.problem);
  studio::installTranslation(application, workspace.settings().language());
  widgets::ThemeHub::instance().apply(workspace.settings().themeMode());
  studio::MainWindow window(workspace);
  for (const QString& name : {options.page, options.screenshot}) {
    if (!name.isEmpty() && window.page(name) == nullptr)
      return complain(studio::Screenshot::tr("there is no page %1: %2")
                          .arg(name, window.pageNames().join(QStringLiteral(", "))));
  }
  if (!options.prompt.isEmpty())
    static_cast<studio::PromptPage*>(window.page(QStringLiteral("prompt")))->form()->setText(options.prompt);
  if (options.viewIndex >= 0)
    static_cast<studio::AttentionPage*>(window.page(QStringLiteral("attention")))
        ->views()
        ->setView(static_cast<studio::HeadViews::View>(options.viewIndex));
  static_cast<studio::LessonsPage*>(window.page(QStringLiteral("lessons")))->setPicture(options.view);
  window.openFirstModel(options.model);
  if (!options.page.isEmpty()) window.showPage(options.page);
  if (options.screenshot.isEmpty()) {
    window.restoreLayout();
    window.show();
    return QApplication::exec();
  }
  window.resize(options.size);
  window.show();
  studio::Screenshot screenshot(window, workspace, options);
  QString problem;
  QObject::connect(&screenshot, &studio::Screenshot::done, &application, [&problem](const QString& what) {
    problem = what;
    QApplication::quit();
  });
  QApplication::exec();
  return problem.isEmpty() ? 0 : (complain(problem), 1);
}
