// YourModelView: the lesson's needle on the user's own model: both rows of the head of x′ that reads it most,
// and what they say in words. The way to all other heads is the attention page. Threads: GUI thread.
#pragma once

#include <QDialog>

#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/lessons/your_model.h"

namespace orthros::widgets {
class RowPlot;
}

namespace orthros::studio {

class YourModelView : public QDialog {
  Q_OBJECT
 public:
  /// zoom: of its texts; 1 is that of a page.
  YourModelView(const std::shared_ptr<const Model>& model, const QString& name, NeedleReading reading,
                double zoom, QWidget* parent);
  widgets::RowPlot* plot() const { return m_plot; }

 Q_SIGNALS:
  void attentionRequested(const AttentionRequest& request);

 private:
  widgets::RowPlot* m_plot;
};

}  // namespace orthros::studio
