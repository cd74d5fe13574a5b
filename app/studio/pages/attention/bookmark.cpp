#include "app/studio/pages/attention/bookmark.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

constexpr qint64 kMostBytes = 16'000'000;
const QLatin1String kFormat("orthros attention bookmark");

}  // namespace

QString writeBookmark(const QString& path, const Bookmark& bookmark) {
  QJsonArray pins;
  for (const qint64 pin : bookmark.pins) pins.append(pin);
  const QJsonObject json{{QStringLiteral("format"), kFormat},
                         {QStringLiteral("version"), 1},
                         {QStringLiteral("text"), bookmark.text},
                         {QStringLiteral("window"), qint64{bookmark.window.window}},
                         {QStringLiteral("sinks"), qint64{bookmark.window.sinks}},
                         {QStringLiteral("level"), static_cast<int>(bookmark.level)},
                         {QStringLiteral("layer"), bookmark.layer},
                         {QStringLiteral("head"), bookmark.head},
                         {QStringLiteral("query"), bookmark.query},
                         {QStringLiteral("view"), bookmark.view},
                         {QStringLiteral("measure"), bookmark.measure},
                         {QStringLiteral("order"), bookmark.order},
                         {QStringLiteral("scale"), static_cast<int>(bookmark.style.mode)},
                         {QStringLiteral("sums"), bookmark.style.sums},
                         {QStringLiteral("sinkLane"), bookmark.style.lane},
                         {QStringLiteral("streams"), bookmark.streams},
                         {QStringLiteral("regime"), QLatin1String(to_string(bookmark.regime.regime))},
                         {QStringLiteral("split"), bookmark.regime.split},
                         {QStringLiteral("units"), static_cast<int>(bookmark.units)},
                         {QStringLiteral("pattern"), bookmark.pattern},
                         {QStringLiteral("pins"), pins},
                         {QStringLiteral("combine"), bookmark.combine}};
  QSaveFile file(path);
  const QByteArray bytes = QJsonDocument(json).toJson();
  if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
  return QCoreApplication::translate("exportPicture", "cannot write %1").arg(path);
}

Result<Bookmark> readBookmark(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return fail(ErrorCode::io, "cannot read {}: {}", toStd(path), toStd(file.errorString()));
  const QJsonObject json =
      file.size() <= kMostBytes ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
  if (json[u"format"].toString() != kFormat || json[u"version"].toInt() != 1)
    return fail(ErrorCode::corrupt_file, "{} is no bookmark of the attention page", toStd(path));
  Bookmark mark;
  mark.text = json[u"text"].toString();
  mark.window = {json[u"window"].toInteger(), json[u"sinks"].toInteger()};
  mark.level = static_cast<CaptureLevel>(std::clamp(json[u"level"].toInt(), 0, 3));
  mark.layer = json[u"layer"].toInt();
  mark.head = json[u"head"].toInt();
  mark.query = json[u"query"].toInteger();
  mark.view = json[u"view"].toInt();
  mark.measure = json[u"measure"].toInt();
  mark.order = json[u"order"].toInt();
  mark.style.mode =
      static_cast<widgets::ScaleMode>(std::clamp(json[u"scale"].toInt(), 0, widgets::kScaleModes - 1));
  mark.style.sums = json[u"sums"].toBool();
  mark.style.lane = json[u"sinkLane"].toBool();
  mark.streams = json[u"streams"].toInt();
  mark.combine = json[u"combine"].toInt();
  if (json.contains(u"regime")) {
    ORTHROS_TRY(mark.regime.regime, parse_regime(toStd(json[u"regime"].toString())));
    mark.regime.split = json[u"split"].toInteger(-1);
  }
  mark.units = static_cast<widgets::Granularity>(std::clamp(json[u"units"].toInt(), 0, 4));
  mark.pattern = json[u"pattern"].toString();
  for (const QJsonValue pin : json[u"pins"].toArray()) mark.pins.push_back(pin.toInteger());
  if (mark.text.isEmpty() || mark.window.window < 1 || mark.window.sinks < 0)
    return fail(ErrorCode::corrupt_file, "{} has no text or no window", toStd(path));
  return mark;
}

}  // namespace orthros::studio
