// RunRow: one experiment of the store as the table of runs shows it; and the store's whole list, for jobs.
// Errors: as the store; an absent store is an empty list. Threads: RunWatch one job at a time; plain values
// elsewhere.
#pragma once

#include <QDateTime>
#include <QList>
#include <QMetaType>
#include <QPointF>
#include <QString>
#include <memory>
#include <optional>

#include "engine/base/result.h"
#include "engine/store/overview.h"

namespace orthros::studio {

struct RunCurve {
  QString architecture;  // key of its colour
  QList<QPointF> points;
  bool operator==(const RunCurve&) const = default;
};

struct RunRow {
  qint64 id = 0;
  QString uuid, kind, status;  // kind and status as the store names them
  QString name, models, tags, note, problem;
  QDateTime created;
  bool starred = false;
  double seconds = 0;  // at work; 0: not known
  qint64 results = 0, cells = 0, cellsDone = 0;
  QStringList arms;               // short names
  QStringList armFigures;         // "98.15", of each arm, "–" where there is none yet
  QString figure, unit, meaning;  // "100.0 · 20.37 %"; "%"; what that is, in words
  double figureValue = 0;         // of the first arm, for sorting
  QList<RunCurve> curves;
  bool sharesScale = false;  // curves are shares: 0 to 1
  bool logarithmic = false;  // both axes

  bool isRunning() const { return status == u"running"; }
  /// What was stopped before its end can go on.
  bool canResume() const;
  bool operator==(const RunRow&) const = default;
};

/// Words for what the store names by a key.
QString kindText(const QString& kind);
QString statusText(const QString& status);
/// "8 trials", "1 token"
QString resultsText(const RunRow& row);
/// "needle", "last month": separated by commas.
QStringList splitTags(const QString& tags);
/// Names of arms without what all of them begin with, and that beginning ("SmolLM2").
std::pair<QString, QStringList> shortArms(const QStringList& labels);

RunRow rowOf(const store::Overview& overview);

class RunWatch {
 public:
  explicit RunWatch(const QString& path) : m_path(path) {}
  const QString& path() const { return m_path; }
  /// Nothing when nobody has written since the last call.
  Result<std::optional<QList<RunRow>>> read();

 private:
  QString m_path;
  std::unique_ptr<store::RunReader> m_reader;
  int64_t m_version = -1;
  bool m_wasAbsent = false;
};

}  // namespace orthros::studio

Q_DECLARE_METATYPE(orthros::studio::RunRow)
