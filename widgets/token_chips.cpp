#include "widgets/token_chips.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <cmath>

#include "widgets/alternatives_popup.h"
#include "widgets/format.h"
#include "widgets/oklab.h"
#include "widgets/theme.h"
#include "widgets/token_text.h"

namespace orthros::widgets {
namespace {

constexpr double kLine = 30;   // from one line of chips to the next
constexpr double kChip = 24;   // height of a chip
constexpr double kInside = 4;  // left and right of the text
constexpr double kMargin = 12;

// Unsure tokens are warm: from the surface (no surprise) to the lower third of the output ramp (6 bits or
// more).
QColor fillOf(double probability) {
  constexpr double kMostBits = 6;
  const double surprise = std::clamp(-std::log2(std::max(probability, 1e-9)) / kMostBits, 0.0, 1.0);
  const Oklab surface = toOklab(color(Role::Surface));
  const Oklab warm = toOklab(theme().ramp(Ramp::Output, 0.1 + 0.24 * surprise));
  return fromOklab(mix(surface, warm, std::min(1.0, surprise * 2)));
}

}  // namespace

TokenChips::TokenChips(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(false);
  setAccessibleName(tr("Generated tokens"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, viewport(), qOverload<>(&QWidget::update));
}

TokenChips::~TokenChips() = default;

void TokenChips::clear() {
  m_apart.clear();
  m_chips.clear();
  m_boxes.clear();
  m_texts.clear();
  m_current = -1;
  m_kept = false;
  m_pen = {kMargin, kMargin};
  if (m_popup != nullptr) m_popup->hide();
  updateScrollBar();
  viewport()->update();
}

void TokenChips::setPlaceholder(const QString& text) {
  m_placeholder = text;
  viewport()->update();
}

void TokenChips::addChip(const TokenChip& chip) {
  const QScrollBar* bar = verticalScrollBar();
  const bool following = bar->value() >= bar->maximum() - 4;
  m_chips.push_back(chip);
  m_texts.push_back(chip.turn.isEmpty() ? visibleToken(chip.bytes) : chip.turn);
  layOut(m_chips.size() - 1);
  updateScrollBar();
  if (following) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  viewport()->update();
}

void TokenChips::addTurn(const QString& text) {
  TokenChip turn;
  turn.turn = text;
  addChip(turn);
}

QString TokenChips::text() const {
  QByteArray bytes;
  for (const TokenChip& chip : m_chips) bytes += chip.bytes;
  return QString::fromUtf8(bytes);
}

void TokenChips::layOut(size_t from) {
  const QFontMetricsF metrics(monoFont());
  const double right = viewport()->width() - kMargin;
  if (from == 0) m_pen = {kMargin, kMargin};
  m_boxes.resize(m_chips.size());
  for (size_t i = from; i < m_chips.size(); ++i) {
    if (!m_chips[i].turn.isEmpty()) {
      if (m_pen.x() > kMargin) m_pen.ry() += kLine;
      const QRectF room(0, 0, right - kMargin - 16, 1e6);
      const double high =
          QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, m_texts[i]).height() + 16;
      m_boxes[i] = QRectF(kMargin, m_pen.y(), right - kMargin, high);
      m_pen = {kMargin, m_pen.y() + high + 10};
      continue;
    }
    const double wide = std::min(metrics.horizontalAdvance(m_texts[i]) + 2 * kInside, right - kMargin);
    if (m_pen.x() + wide > right && m_pen.x() > kMargin) m_pen = {kMargin, m_pen.y() + kLine};
    m_boxes[i] = QRectF(m_pen.x(), m_pen.y(), wide, kChip);
    m_pen.rx() += wide + 2;
    if (endsLine(m_chips[i].bytes)) m_pen = {kMargin, m_pen.y() + kLine};
  }
}

void TokenChips::updateScrollBar() {
  const int high = m_boxes.empty() ? 0 : static_cast<int>(m_boxes.back().bottom() + kMargin);
  verticalScrollBar()->setRange(0, std::max(0, high - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(kLine));
}

std::vector<qint64> TokenChips::ids() const {
  std::vector<qint64> ids;
  for (const TokenChip& chip : m_chips) {
    if (chip.turn.isEmpty()) ids.push_back(chip.id);
  }
  return ids;
}

void TokenChips::setApart(const std::vector<bool>& apart) {
  m_apart = apart;
  viewport()->update();
}

QRect TokenChips::chipRect(int index) const {
  return m_boxes[static_cast<size_t>(index)].translated(0, -verticalScrollBar()->value()).toRect();
}

int TokenChips::chipAt(const QPoint& point) const {
  const QPointF at = point + QPointF(0, verticalScrollBar()->value());
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    if (m_chips[i].turn.isEmpty() && m_boxes[i].adjusted(-1, -3, 1, 3).contains(at))
      return static_cast<int>(i);
  }
  return -1;
}

void TokenChips::paintChip(QPainter& painter, size_t index, const QRectF& box) const {
  const TokenChip& chip = m_chips[index];
  painter.setPen(Qt::NoPen);
  if (!chip.turn.isEmpty()) {
    painter.setBrush(color(Role::Raised));
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(color(Role::Text));
    painter.setFont(font());
    painter.drawText(box.adjusted(8, 8, -8, -8), Qt::TextWordWrap, chip.turn);
    return;
  }
  const QColor fill = fillOf(chip.probability);
  painter.setBrush(fill);
  painter.drawRoundedRect(box, 3, 3);
  painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), color(Role::Line));
  painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width() * chip.probability, 2),
                   color(Role::Accent));
  if (static_cast<int>(index) == m_current) {
    painter.setPen(QPen(color(Role::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0, 0, 0, 1), 3, 3);
  }
  painter.setPen(theme().textOn(fill));
  painter.setFont(monoFont());
  const QString text = painter.fontMetrics().elidedText(m_texts[index], Qt::ElideRight,
                                                        static_cast<int>(box.width() - 2 * kInside) + 2);
  painter.drawText(box.adjusted(kInside, 0, 0, -2), Qt::AlignVCenter | Qt::AlignLeft, text);
}

void TokenChips::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_chips.empty()) {
    painter.setPen(color(Role::Muted));
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                     m_placeholder);
    return;
  }
  const QRectF seen = QRectF(viewport()->rect()).translated(0, verticalScrollBar()->value());
  painter.translate(0, -verticalScrollBar()->value());
  size_t generated = 0;
  for (size_t i = 0; i < m_boxes.size(); ++i) {
    const bool isTurn = !m_chips[i].turn.isEmpty();
    const bool apart = !isTurn && generated < m_apart.size() && m_apart[generated];
    if (!isTurn) ++generated;
    if (!m_boxes[i].intersects(seen)) continue;
    paintChip(painter, i, m_boxes[i]);
    if (!apart) continue;
    painter.setPen(QPen(color(Role::Text), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(m_boxes[i].adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
}

void TokenChips::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut(0);
  updateScrollBar();
}

void TokenChips::showAlternatives(int index, bool keep) {
  m_current = index;
  m_kept = keep && index >= 0;
  viewport()->update();
  if (index < 0 || !m_chips[static_cast<size_t>(index)].turn.isEmpty()) {
    if (m_popup != nullptr) m_popup->hide();
    return;
  }
  if (m_popup == nullptr) {
    m_popup = new AlternativesPopup(window());
    connect(this, &QObject::destroyed, m_popup, &QObject::deleteLater);
    connect(m_popup, &AlternativesPopup::chosen, this, [this](qint64 id) {
      const int chip = m_current;
      showAlternatives(-1, false);
      Q_EMIT branchRequested(chip, id);
    });
  }
  m_popup->setAttribute(Qt::WA_TransparentForMouseEvents, !m_kept);
  m_popup->setChip(m_chips[static_cast<size_t>(index)]);
  const QRect box = chipRect(index);
  m_popup->place(QRect(viewport()->mapTo(window(), box.topLeft()), box.size()));
}

void TokenChips::mouseMoveEvent(QMouseEvent* event) {
  if (!m_kept) showAlternatives(chipAt(event->pos()), false);
}

void TokenChips::mousePressEvent(QMouseEvent* event) {
  const int index = chipAt(event->pos());
  showAlternatives(index, index >= 0);
}

void TokenChips::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(m_chips.size()) - 1;
  if (event->matches(QKeySequence::Copy)) {
    QGuiApplication::clipboard()->setText(text());
  } else if (event->key() == Qt::Key_Right && last >= 0) {
    showAlternatives(std::min(m_current + 1, last), true);
  } else if (event->key() == Qt::Key_Left && last >= 0) {
    showAlternatives(std::max(m_current - 1, 0), true);
  } else if (event->key() == Qt::Key_Escape && m_current >= 0) {
    showAlternatives(-1, false);
  } else {
    QAbstractScrollArea::keyPressEvent(event);
  }
}

void TokenChips::focusInEvent(QFocusEvent* event) {
  setAccessibleDescription(
      text());  // here, not with every token: a long answer would be copied again and again
  QAbstractScrollArea::focusInEvent(event);
}

void TokenChips::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  if (!m_kept) showAlternatives(-1, false);
}

bool TokenChips::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && !m_kept) showAlternatives(-1, false);
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace orthros::widgets
