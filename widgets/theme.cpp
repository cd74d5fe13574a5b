#include "widgets/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "widgets/oklab.h"

namespace orthros::widgets {
namespace {

constexpr std::array kRoleNames{"window", "surface", "raised",    "line",        "field_line", "text",
                                "muted",  "accent",  "on_accent", "accent_soft", "output",     "output_soft",
                                "good",   "warn",    "bad",       "good_soft",   "warn_soft",  "bad_soft"};
constexpr std::array kRampNames{"base", "output", "difference", "accuracy", "familiar"};
constexpr int kRampSteps = 256;

QByteArray readResource(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<QRgb> interpolated(const QStringList& stops) {
  std::vector<QRgb> table(kRampSteps, qRgb(0, 0, 0));
  if (stops.size() < 2) return table;
  for (int i = 0; i < kRampSteps; ++i) {
    const double at = static_cast<double>(i) / (kRampSteps - 1) * static_cast<double>(stops.size() - 1);
    const int low = std::min(static_cast<int>(at), static_cast<int>(stops.size()) - 2);
    const Oklab from = toOklab(QColor(stops[low]));
    const Oklab to = toOklab(QColor(stops[low + 1]));
    table[static_cast<size_t>(i)] = fromOklab(mix(from, to, at - low)).rgb();
  }
  return table;
}

QPalette paletteOf(const Theme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.color(Role::Window));
  palette.setColor(QPalette::Base, theme.color(Role::Surface));
  palette.setColor(QPalette::AlternateBase, theme.color(Role::Raised));
  palette.setColor(QPalette::Button, theme.color(Role::Surface));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                                         QPalette::ToolTipText, QPalette::BrightText})
    palette.setColor(role, theme.color(Role::Text));
  palette.setColor(QPalette::ToolTipBase, theme.color(Role::Raised));
  palette.setColor(QPalette::PlaceholderText, theme.color(Role::Muted));
  palette.setColor(QPalette::Highlight, theme.color(Role::Accent));
  palette.setColor(QPalette::HighlightedText, theme.color(Role::OnAccent));
  palette.setColor(QPalette::Link, theme.color(Role::Accent));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.color(Role::Muted));
  return palette;
}

// A style sheet names pictures by path only: the tinted ones lie in a folder of this process.
void writeTintedIcons(const Theme& theme) {
  static const QTemporaryDir folder;
  const QString suffix = theme.isDark() ? QStringLiteral("-dark.svg") : QStringLiteral("-light.svg");
  const QList<std::pair<QString, Role>> icons{{QStringLiteral("up"), Role::Muted},
                                              {QStringLiteral("down"), Role::Muted},
                                              {QStringLiteral("check"), Role::OnAccent}};
  for (const auto& [name, role] : icons) {
    QByteArray svg = readResource(QStringLiteral(":/orthros/icons/") + name + QStringLiteral(".svg"));
    svg.replace("#000", theme.color(role).name().toLatin1());
    svg.replace("stroke-width=\"1.5\"", "stroke-width=\"2.5\"");
    QFile file(folder.filePath(name + suffix));
    if (file.open(QIODevice::WriteOnly)) file.write(svg);
  }
  QDir::setSearchPaths(QStringLiteral("orthrosicon"), {folder.path()});
}

QString firstFamily(std::initializer_list<const char*> wanted, QFontDatabase::SystemFont fallback) {
  const QStringList families = QFontDatabase::families();
  for (const char* name : wanted) {
    if (families.contains(QLatin1String(name))) return QString::fromLatin1(name);
  }
  return QFontDatabase::systemFont(fallback).family();
}

}  // namespace

Theme Theme::load(const QString& name) {
  Theme theme;
  const QByteArray json = readResource(QStringLiteral(":/orthros/themes/studio.json"));
  const QJsonObject root = QJsonDocument::fromJson(json).object()[name].toObject();
  const QJsonObject roles = root[u"roles"].toObject();
  for (size_t i = 0; i < kRoleNames.size(); ++i)
    theme.m_roles[i] = QColor(roles[QLatin1String(kRoleNames[i])].toString());
  const QJsonObject ramps = root[u"ramps"].toObject();
  for (size_t i = 0; i < kRampNames.size(); ++i)
    theme.m_ramps[i] = interpolated(ramps[QLatin1String(kRampNames[i])].toString().split(u' '));
  const QJsonObject architectures = root[u"architectures"].toObject();
  for (auto it = architectures.begin(); it != architectures.end(); ++it)
    theme.m_architectures.insert(it.key(), QColor(it.value().toString()));
  theme.m_dark = name == u"dark";
  return theme;
}

QColor Theme::ramp(Ramp ramp, double t) const {
  const auto index = static_cast<size_t>(std::clamp(t, 0.0, 1.0) * (kRampSteps - 1) + 0.5);
  return QColor::fromRgb(m_ramps[static_cast<size_t>(ramp)][index]);
}

QColor Theme::architecture(const QString& key) const {
  return m_architectures.value(key, color(Role::Muted));
}

QColor Theme::textOn(const QColor& background) const {
  constexpr double kReadable = 4.5;
  const auto better = [&background](const QColor& one, const QColor& other) {
    return contrastRatio(one, background) >= contrastRatio(other, background) ? one : other;
  };
  const QColor own = better(color(Role::Text), color(Role::Window));
  // Half-way between the two neither reads; black or white does on every colour.
  return contrastRatio(own, background) >= kReadable ? own : better(Qt::black, Qt::white);
}

QString Theme::styleSheet() const {
  QString sheet = QString::fromUtf8(readResource(QStringLiteral(":/orthros/themes/studio.qss")));
  for (size_t i = 0; i < kRoleNames.size(); ++i)
    sheet.replace(u'@' + QLatin1String(kRoleNames[i]) + u'@', m_roles[i].name());
  sheet.replace(QStringLiteral("@theme@"), m_dark ? QStringLiteral("dark") : QStringLiteral("light"));
  return sheet;
}

ThemeHub::ThemeHub() : m_theme(Theme::load(QStringLiteral("light"))) {
  m_systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
}

ThemeHub& ThemeHub::instance() {
  static ThemeHub hub;
  return hub;
}

void ThemeHub::apply(ThemeMode mode) {
  const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && m_systemIsDark);
  m_theme = Theme::load(dark ? QStringLiteral("dark") : QStringLiteral("light"));
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QFont font(firstFamily({"Inter", "Noto Sans", "DejaVu Sans"}, QFontDatabase::GeneralFont));
  font.setPixelSize(13);
  QApplication::setFont(font);
  QApplication::setPalette(paletteOf(m_theme));
  writeTintedIcons(m_theme);
  qApp->setStyleSheet(m_theme.styleSheet());
  Q_EMIT changed();
}

void ThemeHub::onPaper(const std::function<void()>& paint) {
  if (!m_theme.isDark()) return paint();
  const Theme shown = std::exchange(m_theme, Theme::load(QStringLiteral("light")));
  Q_EMIT changed();
  paint();
  m_theme = shown;
  Q_EMIT changed();
}

QFont fontOf(const QWidget& widget, int pixelSize, QFont::Weight weight) {
  QFont font = widget.font();
  font.setPixelSize(pixelSize);
  font.setWeight(weight);
  return font;
}

QFont monoFont(int pixelSize) {
  static const QString family = firstFamily({"JetBrains Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont);
  QFont font(family);
  font.setPixelSize(pixelSize);
  return font;
}

}  // namespace orthros::widgets
