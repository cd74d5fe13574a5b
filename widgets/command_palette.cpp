#include "widgets/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

class WordFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setWords(const QString& text) {
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const QString text = sourceModel()->index(row, 0, parent).data().toString();
    return std::ranges::all_of(
        m_words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  }

 private:
  QStringList m_words;
};

// Name at the left, shortcut at the right.
class ActionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setFont(monoFont(11));
    painter->setPen(color(Role::Muted));
    painter->drawText(option.rect.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(Qt::UserRole).toString());
    painter->restore();
  }
};

}  // namespace

void ActionModel::setActions(const QList<QAction*>& actions) {
  beginResetModel();
  m_actions.clear();
  for (QAction* action : actions) {
    if (action->isEnabled() && action->isVisible() && !action->text().isEmpty()) m_actions.append(action);
  }
  endResetModel();
}

QAction* ActionModel::action(const QModelIndex& index) const {
  return index.isValid() ? m_actions.at(index.row()).data() : nullptr;
}

int ActionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_actions.size());
}

QVariant ActionModel::data(const QModelIndex& index, int role) const {
  const QAction* found = action(index);
  if (found == nullptr) return {};
  if (role == Qt::DisplayRole) return QString(found->text()).remove(u'&');
  if (role == Qt::ToolTipRole) return found->toolTip();
  if (role == Qt::UserRole) return found->shortcut().toString(QKeySequence::NativeText);
  return {};
}

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window),
      m_model(new ActionModel(this)),
      m_filter(new WordFilter(this)),
      m_edit(new QLineEdit(this)),
      m_list(new QListView(this)) {
  setObjectName(QStringLiteral("commandPalette"));
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  m_filter->setSourceModel(m_model);
  m_list->setModel(m_filter);
  m_list->setItemDelegate(new ActionDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setStyleSheet(QStringLiteral("border: none;"));
  m_edit->setPlaceholderText(tr("Type what you want to do"));
  m_edit->setAccessibleName(tr("Command"));
  m_edit->setClearButtonEnabled(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->setSpacing(8);
  layout->addWidget(m_edit);
  layout->addWidget(m_list);
  m_edit->installEventFilter(this);
  connect(m_edit, &QLineEdit::textChanged, this, [this](const QString& text) {
    static_cast<WordFilter*>(m_filter)->setWords(text);
    m_list->setCurrentIndex(m_filter->index(0, 0));
  });
  connect(m_edit, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QListView::clicked, this, &CommandPalette::run);
  hide();
}

void CommandPalette::open(const QList<QAction*>& actions) {
  if (!isVisible()) m_before = window()->focusWidget();
  m_model->setActions(actions);
  m_edit->clear();
  m_list->setCurrentIndex(m_filter->index(0, 0));
  const QSize room = parentWidget()->size();
  const QSize size(std::min(560, room.width() - 48), std::min(380, room.height() - 96));
  setGeometry((room.width() - size.width()) / 2, 64, size.width(), size.height());
  show();
  raise();
  m_edit->setFocus();
}

// Keys of the page work again without a click. Where the focus has gone elsewhere by itself it stays there.
void CommandPalette::hideEvent(QHideEvent*) {
  if (m_before != nullptr && window()->focusWidget() == m_edit) m_before->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && !m_list->underMouse()) hide();
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Escape) {
    hide();
    return true;
  }
  if (key == Qt::Key_Down || key == Qt::Key_Up) {
    const int step = key == Qt::Key_Down ? 1 : -1;
    const int rows = m_filter->rowCount();
    if (rows > 0)
      m_list->setCurrentIndex(m_filter->index((m_list->currentIndex().row() + step + rows) % rows, 0));
    return true;
  }
  return QFrame::eventFilter(watched, event);
}

void CommandPalette::run() {
  QAction* action = m_model->action(m_filter->mapToSource(m_list->currentIndex()));
  hide();
  if (action != nullptr) action->trigger();
}

}  // namespace orthros::widgets
