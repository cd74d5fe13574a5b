// The words of the lessons page: titles and equations of the steps, live texts with the engine's numbers, the
// glossary. Equations: markup of widgets/formula.h.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include "engine/lessons/lesson.h"

namespace orthros::studio {

/// Where these texts stand for translators.
struct LessonText {
  Q_DECLARE_TR_FUNCTIONS(LessonText)
};

QString stepName(LessonStep step);
/// "Layer 1 of 2 · 6 of 11: window mask and softmax of x"
QString stepTitle(const Moment& moment);
/// One line of mathematics each.
QStringList equationsOf(const Moment& moment, bool scaleOffset);

QString valueText(const QuantityValue& value);
/// The text with its quantities computed; "?" for one that cannot be, "…" where there is no source yet.
QString liveText(const std::string& text, const PassSetting& setting,
                 const std::optional<PassSource>& source);

struct GlossaryEntry {
  QString term, meaning;
};
QList<GlossaryEntry> glossary();

/// Lessons speak the program's language where they have it.
bool lessonsInChinese(const QString& language);

}  // namespace orthros::studio
