#include "app/studio/pages/niah/niah_figure.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLayout>

#include "app/studio/pages/niah/niah_column.h"
#include "app/studio/pages/niah/niah_export.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/text.h"
#include "widgets/export_picture.h"

namespace orthros::studio {
namespace {

const QStringList kMeasures{QStringLiteral("found"), QStringLiteral("attention"),
                            QStringLiteral("log-probability")};
constexpr int kGap = 16;

// "1-3": arms from 1, in the order of the run.
Result<qsizetype> pairOf(const NiahView& view, const QString& text) {
  for (size_t i = 0; i < view.map.pairs.size(); ++i) {
    const NiahPair& pair = view.map.pairs[i];
    if (text == QStringLiteral("%1-%2").arg(pair.a + 1).arg(pair.b + 1)) return static_cast<qsizetype>(i);
  }
  return fail(Error{ErrorCode::invalid_argument,
                    fmt::format("--pair {}: the run has {} arms", toStd(text), view.map.arms.size()),
                    "write two of them, the first below the second: 1-2"});
}

}  // namespace

std::unique_ptr<QWidget> makeNiahFigure(const NiahView& view, const NiahFigure& figure) {
  auto whole = std::make_unique<QWidget>();
  auto* row = new QHBoxLayout(whole.get());
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kGap);
  const auto add = [&](const widgets::NeedleMapData& data, const QString& note) {
    auto* column = new NiahColumn(whole.get());
    column->setStyle(figure.style);
    column->show(data, note);
    column->setStyle(figure.style);  // now that it is known to be a difference
    row->addWidget(column, 1);
  };
  for (size_t arm = 0; arm < view.map.arms.size(); ++arm) add(mapDataOf(view, arm), armNote(view, arm));
  const bool difference = figure.pair >= 0 && figure.pair < std::ssize(view.map.pairs);
  if (difference) {
    const auto pair = static_cast<size_t>(figure.pair);
    add(deltaDataOf(view, pair), deltaNote(view, pair));
  }
  const QSize one = NiahColumn::hint(figure.style);
  const auto columns = static_cast<int>(view.map.arms.size()) + (difference ? 1 : 0);
  whole->resize(columns * one.width() + (columns - 1) * kGap, one.height());
  whole->grab();  // lays it out
  return whole;
}

Result<void> writeNiahFigure(const NiahView& view, const NiahFigure& figure, const QString& path,
                             bool inTheme) {
  const auto drawn = makeNiahFigure(view, figure);
  const QString problem = widgets::exportPicture(drawn.get(), path, {view.name, captionOf(view), inTheme});
  if (!problem.isEmpty()) return fail(ErrorCode::io, "{}", toStd(problem));
  return {};
}

void addNiahFigureOptions(QCommandLineParser& parser) {
  const auto add = [&parser](const char* name, const char* text, const char* value = "") {
    parser.addOption({QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value)});
  };
  add("measure", "niah: also found, attention or log-probability", "MEASURE");
  add("pair", "niah: with the difference of two arms, such as 1-2", "A-B");
  add("to-scale", "niah: axes in proportion to tokens and depths");
  add("from-end", "niah: a second axis in tokens from the end, with window and reach");
  add("familiar", "niah: pink, amber, green");
}

Result<void> exportNiah(const QCommandLineParser& parser, const QString& store, const QString& run,
                        const QString& out) {
  ORTHROS_TRY(const NiahView view, readNiah(store, run));
  if (QFileInfo(out).suffix().toLower() == u"csv") return writeNiahValues(view, out);
  NiahFigure figure;
  if (parser.isSet(QStringLiteral("measure"))) {
    const qsizetype measure = kMeasures.indexOf(parser.value(QStringLiteral("measure")));
    if (measure < 0)
      return fail(ErrorCode::invalid_argument, "--measure {}: one of {}",
                  toStd(parser.value(QStringLiteral("measure"))),
                  toStd(kMeasures.join(QStringLiteral(", "))));
    figure.style.measure = static_cast<widgets::NeedleMeasure>(measure);
  }
  figure.style.trueToScale = parser.isSet(QStringLiteral("to-scale"));
  figure.style.fromEnd = parser.isSet(QStringLiteral("from-end"));
  figure.style.familiar = parser.isSet(QStringLiteral("familiar"));
  if (parser.isSet(QStringLiteral("pair"))) {
    ORTHROS_TRY(figure.pair, pairOf(view, parser.value(QStringLiteral("pair"))));
  }
  return writeNiahFigure(view, figure, out, /*inTheme=*/true);
}

}  // namespace orthros::studio
