#include "app/studio/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>
#include <cstring>

namespace orthros::studio {
namespace {

// "1280x800"
QSize parseSize(const QString& text) {
  const QStringList parts = text.split(u'x');
  return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

void addOptions(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      QCoreApplication::translate("Options", "A laboratory for dual-stream language models."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("MODEL"), QStringLiteral("model folder or .gguf file to open"),
                               QStringLiteral("[MODEL]"));
  const auto add = [&parser](const char* name, const char* text, const char* value) {
    parser.addOption({QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value)});
  };
  add("theme", "system, light or dark", "MODE");
  add("threads", "threads of the engine; 0 takes all cores", "N");
  add("dtype", "compute type: auto, float32 or bfloat16", "TYPE");
  add("weights", "weights held as: auto, float32, bfloat16, int8 or int4", "TYPE");
  add("kv-dtype", "type of the cache: auto, float32 or bfloat16", "TYPE");
  add("device", "cpu or cuda", "DEVICE");
  add("language", "system, en or zh_CN", "LANGUAGE");
  add("view",
      "view in a picture; of attention: rows, all, cache, timeline or compare; of lessons: "
      "LESSON/CARD, both numbers from 1, then /numbers, /glossary or /presenter",
      "VIEW");
  add("data", "folder of the run database", "DIR");
  add("page", "page to begin with", "PAGE");
  add("screenshot", "draw PAGE once it is filled, write it to --out and end; needs no display", "PAGE");
  add("out", "file of the picture (.png)", "FILE");
  add("size", "size of the window, for example 1280x800", "WxH");
  add("prompt", "text to put into the prompt page", "TEXT");
  parser.addOption({QStringLiteral("reduced-motion"), QStringLiteral("moves and pulses are cuts")});
  parser.addOption(
      {QStringLiteral("palette"), QStringLiteral("with the command palette open (for pictures)")});
  parser.addOption(
      {QStringLiteral("shortcuts"), QStringLiteral("with the sheet of keys open (for pictures)")});
}

QString applyToSettings(const QCommandLineParser& parser, Settings& settings) {
  settings.setTransient(true);
  const QString theme = parser.value(QStringLiteral("theme"));
  const QStringList modes{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
  if (!theme.isEmpty()) {
    if (!modes.contains(theme)) return QStringLiteral("--theme %1: system, light or dark").arg(theme);
    settings.setThemeMode(static_cast<widgets::ThemeMode>(modes.indexOf(theme)));
  }
  if (parser.isSet(QStringLiteral("threads"))) {
    bool number = false;
    const int threads = parser.value(QStringLiteral("threads")).toInt(&number);
    if (!number || threads < 0 || threads > kMostThreads)
      return QStringLiteral("--threads: a number from 0 to 1024");
    settings.setThreads(threads);
  }
  const struct {
    const char* name;
    QStringList values;
    void (Settings::*set)(const QString&);
  } choices[] = {{"dtype",
                  {QStringLiteral("auto"), QStringLiteral("float32"), QStringLiteral("bfloat16")},
                  &Settings::setComputeType},
                 {"weights",
                  {QStringLiteral("auto"), QStringLiteral("float32"), QStringLiteral("bfloat16"),
                   QStringLiteral("int8"), QStringLiteral("int4")},
                  &Settings::setWeightType},
                 {"kv-dtype",
                  {QStringLiteral("auto"), QStringLiteral("float32"), QStringLiteral("bfloat16")},
                  &Settings::setKvType},
                 {"device", {QStringLiteral("cpu"), QStringLiteral("cuda")}, &Settings::setDevice},
                 {"language",
                  {QStringLiteral("system"), QStringLiteral("en"), QStringLiteral("zh_CN")},
                  &Settings::setLanguage}};
  for (const auto& choice : choices) {
    const QString name = QString::fromLatin1(choice.name);
    if (!parser.isSet(name)) continue;
    const QString wanted = parser.value(name);
    if (!choice.values.contains(wanted))
      return QStringLiteral("--%1 %2: one of %3").arg(name, wanted, choice.values.join(QStringLiteral(", ")));
    (settings.*choice.set)(wanted);
  }
  if (parser.isSet(QStringLiteral("reduced-motion"))) settings.setReducedMotion(true);
  if (parser.isSet(QStringLiteral("data"))) settings.setDataFolder(parser.value(QStringLiteral("data")));
  settings.setTransient(false);
  return {};
}

}  // namespace

Options readOptions(const QStringList& arguments, Settings& settings) {
  QCommandLineParser parser;
  addOptions(parser);
  parser.process(arguments);  // --help and --version end the program here
  Options options;
  options.problem = applyToSettings(parser, settings);
  options.model = parser.positionalArguments().value(0);
  options.page = parser.value(QStringLiteral("page"));
  options.screenshot = parser.value(QStringLiteral("screenshot"));
  options.out = parser.value(QStringLiteral("out"));
  options.prompt = parser.value(QStringLiteral("prompt"));
  options.view = parser.value(QStringLiteral("view"));
  const QStringList views{QStringLiteral("rows"), QStringLiteral("all"), QStringLiteral("cache"),
                          QStringLiteral("timeline"), QStringLiteral("compare")};
  if (options.screenshot != u"lessons" && !options.view.isEmpty() && !views.contains(options.view))
    options.problem =
        QStringLiteral("--view %1: one of %2").arg(options.view, views.join(QStringLiteral(", ")));
  static const QRegularExpression lessonView(
      QStringLiteral("^[1-9]\\d*/[1-9]\\d*(/(numbers|glossary|presenter))?$"));
  if (options.screenshot == u"lessons" && !options.view.isEmpty() &&
      !lessonView.match(options.view).hasMatch())
    options.problem =
        QStringLiteral("--view %1: a lesson and a card by number, for example 7/4/numbers").arg(options.view);
  options.viewIndex = static_cast<int>(views.indexOf(options.view));
  options.palette = parser.isSet(QStringLiteral("palette"));
  options.shortcuts = parser.isSet(QStringLiteral("shortcuts"));
  if (parser.isSet(QStringLiteral("size"))) options.size = parseSize(parser.value(QStringLiteral("size")));
  if (options.size.width() < 320 || options.size.height() < 240 || options.size.width() > 16384)
    options.problem = QStringLiteral("--size: WIDTHxHEIGHT, from 320x240");
  if (!options.screenshot.isEmpty() && options.out.isEmpty())
    options.problem = QStringLiteral("--screenshot needs --out FILE.png");
  return options;
}

bool isHeadless(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--screenshot", 12) == 0) return true;
    for (const char* answer : {"-h", "--help", "--help-all", "-v", "--version"}) {
      if (std::strcmp(argv[i], answer) == 0) return true;
    }
  }
  if (argc > 1 && std::strcmp(argv[1], "export") == 0) return true;
  return false;
}

}  // namespace orthros::studio
