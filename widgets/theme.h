// Theme: every colour of the program, by role, from resources/themes/studio.json. Code names roles, never
// hex values. ThemeHub holds the one in use and tells when it changes; the style sheet follows it.
// Threads: GUI thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <vector>

class QWidget;

namespace orthros::widgets {

enum class Role {
  Window,
  Surface,
  Raised,
  Line,
  FieldLine,
  Text,
  Muted,
  Accent,
  OnAccent,
  AccentSoft,
  Output,
  OutputSoft,
  Good,
  Warn,
  Bad,
  GoodSoft,
  WarnSoft,
  BadSoft
};
/// Familiar: pink, amber, green, as needle maps are often drawn; not monotone.
enum class Ramp { Base, Output, Difference, Accuracy, Familiar };
enum class ThemeMode { System, Light, Dark };

class Theme {
 public:
  /// `name` is "light" or "dark".
  static Theme load(const QString& name);

  bool isDark() const { return m_dark; }
  QColor color(Role role) const { return m_roles[static_cast<size_t>(role)]; }
  /// t in 0..1, 0 at the background's side (difference: 0.5 is no difference).
  QColor ramp(Ramp ramp, double t) const;
  /// The key of an architecture ("transformer", "swa", "orthros", ...); unknown: muted.
  QColor architecture(const QString& key) const;
  /// `text` or the window colour, whichever reads better on `background`; black or white where neither does.
  QColor textOn(const QColor& background) const;
  /// The style sheet template with this theme's colours put in.
  QString styleSheet() const;

 private:
  bool m_dark = false;
  std::array<QColor, 18> m_roles;
  std::array<std::vector<QRgb>, 5> m_ramps;
  QHash<QString, QColor> m_architectures;
};

class ThemeHub : public QObject {
  Q_OBJECT
 public:
  static ThemeHub& instance();
  const Theme& theme() const { return m_theme; }
  /// Sets palette, fonts and style sheet of the application.
  void apply(ThemeMode mode);
  /// Runs `paint` with the light colours, for paper. Views are told before and after, so that none keeps what
  /// it drew in others; palette and style sheet stay.
  void onPaper(const std::function<void()>& paint);

 Q_SIGNALS:
  void changed();

 private:
  ThemeHub();
  Theme m_theme;
  bool m_systemIsDark = false;
};

inline const Theme& theme() {
  return ThemeHub::instance().theme();
}
inline QColor color(Role role) {
  return theme().color(role);
}

/// The widget's own font in another size.
QFont fontOf(const QWidget& widget, int pixelSize, QFont::Weight weight = QFont::Normal);
/// Numbers, ids and prompts: tabular figures.
QFont monoFont(int pixelSize = 13);

}  // namespace orthros::widgets
