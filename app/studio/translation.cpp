#include "app/studio/translation.h"

#include <QLocale>
#include <QTranslator>

namespace orthros::studio {

bool installTranslation(QCoreApplication& application, const QString& language) {
  if (language == u"en") return false;
  const QLocale locale = language == u"system" ? QLocale::system() : QLocale(language);
  if (locale.language() == QLocale::English) return false;
  auto* translator = new QTranslator(&application);
  if (!translator->load(locale, QStringLiteral("studio"), QStringLiteral("_"),
                        QStringLiteral(":/orthros/translations"))) {
    delete translator;
    return false;
  }
  return QCoreApplication::installTranslator(translator);
}

}  // namespace orthros::studio
