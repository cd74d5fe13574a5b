// installTranslation: the program's text in another language, from the .qm files inside the program.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace orthros::studio {

/// "system", "en" or a locale such as "zh_CN". A language that is not there leaves English. Before any widget
/// is made.
bool installTranslation(QCoreApplication& application, const QString& language);

}  // namespace orthros::studio
