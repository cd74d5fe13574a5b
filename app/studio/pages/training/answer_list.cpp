#include "app/studio/pages/training/answer_list.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

constexpr qsizetype kMostRows = 300;
constexpr int kRowHeight = 54;

// Line breaks and control characters as a space: one row is one line.
QString plain(const std::string& text) {
  return toQt(text).simplified();
}

class AnswerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kRowHeight}; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    using widgets::Role;
    const AnswerRow row = index.data(AnswerModel::RowRole).value<AnswerRow>();
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
      painter->fillRect(option.rect, widgets::color(Role::AccentSoft));
    painter->setPen(widgets::color(Role::Line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    const QRect box = option.rect.adjusted(4, 5, -4, -6);
    const QPixmap sign =
        widgets::iconPixmap(row.right ? QStringLiteral("good") : QStringLiteral("bad"),
                            row.right ? Role::Good : Role::Bad, 16, painter->device()->devicePixelRatioF());
    painter->drawPixmap(box.left(), box.bottom() - 19, sign);
    QFont caption = option.font;
    caption.setPixelSize(11);
    painter->setFont(caption);
    painter->setPen(widgets::color(Role::Muted));
    const QFontMetrics metrics(caption);
    const QString step = QString::number(row.step);
    const int stepWidth = metrics.horizontalAdvance(step) + 8;
    painter->drawText(box, Qt::AlignTop | Qt::AlignRight, step);
    painter->drawText(box, Qt::AlignTop | Qt::AlignLeft,
                      metrics.elidedText(row.asked, Qt::ElideLeft, box.width() - stepWidth));
    painter->setFont(widgets::monoFont(12));
    painter->setPen(widgets::color(Role::Text));
    painter->drawText(
        box.adjusted(22, 0, 0, 0), Qt::AlignBottom | Qt::AlignLeft,
        QFontMetrics(painter->font()).elidedText(index.data().toString(), Qt::ElideRight, box.width() - 22));
    painter->restore();
  }
};

}  // namespace

void AnswerModel::clear() {
  beginResetModel();
  m_rows.clear();
  endResetModel();
}

void AnswerModel::add(const TrainingProbe& probe) {
  if (probe.samples.empty()) return;
  beginInsertRows({}, 0, static_cast<int>(probe.samples.size()) - 1);
  for (size_t i = probe.samples.size(); i-- > 0;) {
    const training::AnswerSample& sample = probe.samples[i];
    m_rows.prepend(
        {probe.step, plain(sample.asked), plain(sample.expected), plain(sample.said), sample.right});
  }
  endInsertRows();
  if (m_rows.size() <= kMostRows) return;
  beginRemoveRows({}, static_cast<int>(kMostRows), static_cast<int>(m_rows.size()) - 1);
  m_rows.resize(kMostRows);
  endRemoveRows();
}

int AnswerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant AnswerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const AnswerRow& row = m_rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return row.right ? row.said : tr("%1   right: %2").arg(row.said, row.expected);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return tr("Step %1\nAsked: … %2\nRight: %3\nSaid: %4 (%5)")
          .arg(row.step)
          .arg(row.asked, row.expected, row.said, row.right ? tr("right") : tr("wrong"));
    case RowRole:
      return QVariant::fromValue(row);
    default:
      return {};
  }
}

AnswerList::AnswerList(QWidget* parent)
    : QWidget(parent),
      m_share(widgets::makeLabel({}, "muted", this)),
      m_view(new QListView(this)),
      m_model(new AnswerModel(this)) {
  m_share->setObjectName(QStringLiteral("answerShare"));
  m_share->setWordWrap(true);
  m_view->setObjectName(QStringLiteral("answerView"));
  m_view->setAccessibleName(tr("Answers while learning"));
  m_view->setModel(m_model);
  m_view->setItemDelegate(new AnswerDelegate(m_view));
  m_view->setUniformItemSizes(true);
  m_view->setStyleSheet(QStringLiteral("QListView { border: none; }"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(widgets::makeLabel(tr("Answers"), "section", this));
  layout->addWidget(m_share);
  layout->addWidget(m_view, 1);
  clear();
}

void AnswerList::clear() {
  m_model->clear();
  m_share->setText(
      tr("While a training runs, some of what the model is asked stands here, with what it says. "
         "Each batch is new to it."));
}

void AnswerList::add(const std::vector<TrainingProbe>& probes) {
  for (const TrainingProbe& probe : probes) m_model->add(probe);
  if (!probes.empty())
    m_share->setText(tr("%1 of the answers of step %2 are right as a whole")
                         .arg(widgets::formatPercent(probes.back().exact))
                         .arg(widgets::formatCount(probes.back().step)));
}

}  // namespace orthros::studio
