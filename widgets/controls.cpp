#include "widgets/controls.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QVariant>

#include "widgets/icon.h"

namespace orthros::widgets {

QLabel* makeLabel(const QString& text, const char* kind, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setProperty("kind", QString::fromLatin1(kind));
  label->setTextFormat(Qt::PlainText);
  return label;
}

QFrame* makePanel(QWidget* parent) {
  auto* panel = new QFrame(parent);
  panel->setProperty("panel", true);
  return panel;
}

QPushButton* makeButton(const QString& text, const QString& iconName, const char* kind, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setProperty("kind", QString::fromLatin1(kind));
  button->setIconSize({16, 16});
  const bool primary = qstrcmp(kind, "primary") == 0;
  if (!iconName.isEmpty()) setThemedIcon(button, iconName, primary ? Role::OnAccent : Role::Text);
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

QToolButton* makeToolButton(const QString& iconName, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  setThemedIcon(button, iconName, Role::Muted);
  button->setIconSize({18, 18});
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

QFrame* makeLine(Qt::Orientation orientation, QWidget* parent) {
  auto* line = new QFrame(parent);
  line->setProperty("line", true);
  if (orientation == Qt::Horizontal) {
    line->setFixedHeight(1);
  } else {
    line->setFixedWidth(1);
  }
  return line;
}

void restyle(QWidget* widget) {
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
  widget->update();
}

ElidedLabel::ElidedLabel(const char* kind, QWidget* parent) : QLabel(parent) {
  setProperty("kind", QString::fromLatin1(kind));
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setMinimumWidth(10);
}

void ElidedLabel::setWhole(const QString& text) {
  setText(text);
  setToolTip(text);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

Notice::Notice(QWidget* parent)
    : QFrame(parent),
      m_sign(new QLabel(this)),
      m_text(makeLabel({}, "notice", this)),
      m_action(makeButton({}, {}, "plain", this)),
      m_close(makeToolButton(QStringLiteral("close"), tr("Dismiss"), this)) {
  setProperty("notice", QStringLiteral("info"));
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_text->setObjectName(QStringLiteral("noticeText"));
  m_action->setObjectName(QStringLiteral("noticeAction"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 8, 8, 8);
  layout->setSpacing(8);
  layout->addWidget(m_sign);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_action);
  layout->addWidget(m_close);
  connect(m_action, &QPushButton::clicked, this, &Notice::actionRequested);
  connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, &Notice::paintSign);
  hide();
}

QString Notice::text() const {
  return m_text->text();
}

void Notice::show(Kind kind, const QString& text, const QString& action) {
  static constexpr const char* kNames[] = {"info", "good", "warn", "bad"};
  m_kind = kind;
  setProperty("notice", QString::fromLatin1(kNames[static_cast<int>(kind)]));
  m_text->setText(text);
  m_action->setText(action);
  m_action->setVisible(!action.isEmpty());
  paintSign();
  restyle(this);
  QFrame::show();
}

void Notice::paintSign() {
  static constexpr const char* kIcons[] = {"info", "good", "warn", "bad"};
  static constexpr Role kRoles[] = {Role::Accent, Role::Good, Role::Warn, Role::Bad};
  const auto index = static_cast<size_t>(m_kind);
  m_sign->setPixmap(iconPixmap(QString::fromLatin1(kIcons[index]), kRoles[index], 18, devicePixelRatioF()));
}

}  // namespace orthros::widgets
