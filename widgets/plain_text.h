// PlainText: QPlainTextEdit that stands an empty clipboard. Qt 6.4's own takes the first format of a
// clipboard that has none, and ends the program. Threads: GUI thread.
#pragma once

#include <QMimeData>
#include <QPlainTextEdit>

namespace orthros::widgets {

class PlainText : public QPlainTextEdit {
 public:
  using QPlainTextEdit::QPlainTextEdit;

 protected:
  bool canInsertFromMimeData(const QMimeData* source) const override {
    return source != nullptr && source->hasText();
  }
  void insertFromMimeData(const QMimeData* source) override {
    if (canInsertFromMimeData(source)) insertPlainText(source->text());
  }
};

}  // namespace orthros::widgets
