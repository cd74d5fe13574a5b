#include "app/studio/translation.h"

#include <QDir>
#include <QLocale>
#include <QTranslator>

namespace orthros::studio {

bool installTranslation(QCoreApplication& application, const QString& language) {
  if (language == u"en") return false;
  const QLocale locale = language == u"system" ? QLocale::system() : QLocale(language);
  if (locale.language() == QLocale::English) return false;
  const QString folder = QStringLiteral(":/orthros/translations");
  // One file a room, named ROOM_LANGUAGE_COUNTRY.
  QStringList rooms;
  for (const QString& file : QDir(folder).entryList({QStringLiteral("*.qm")}))
    rooms.append(file.section(QLatin1Char('_'), 0, 0));
  rooms.removeDuplicates();
  bool installed = false;
  for (const QString& room : std::as_const(rooms)) {
    auto* translator = new QTranslator(&application);
    if (translator->load(locale, room, QStringLiteral("_"), folder) &&
        QCoreApplication::installTranslator(translator)) {
      installed = true;
    } else {
      delete translator;
    }
  }
  return installed;
}

}  // namespace orthros::studio
