#include "app/studio/options.h"

#include <QCommandLineParser>
#include <cstring>

namespace orthros::studio {
namespace {

constexpr int kMostThreads = 1024;

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
  add("data", "folder of the run database", "DIR");
  add("page", "page to begin with", "PAGE");
  add("screenshot", "draw PAGE once it is filled, write it to --out and end; needs no display", "PAGE");
  add("out", "file of the picture (.png)", "FILE");
  add("size", "size of the window, for example 1280x800", "WxH");
  add("prompt", "text to put into the prompt page", "TEXT");
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
  const QString type = parser.value(QStringLiteral("dtype"));
  if (!type.isEmpty()) {
    if (type != u"auto" && type != u"float32" && type != u"bfloat16")
      return QStringLiteral("--dtype %1: auto, float32 or bfloat16").arg(type);
    settings.setComputeType(type);
  }
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
  }
  return false;
}

}  // namespace orthros::studio
