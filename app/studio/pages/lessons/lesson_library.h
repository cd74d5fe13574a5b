// LessonLibrary: the lessons that ship, and those of the user's folder, which are read again whenever a file
// there changes. A broken file keeps its last good version and is told of, with its place. Threads: GUI
// thread; files are read by a job.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <vector>

#include "app/studio/job.h"
#include "engine/lessons/lesson.h"

namespace orthros::studio {

struct LessonFile {
  QString path;
  bool isOwn = false;  // the user's
  Lesson lesson;
  QString problem;  // not empty: broken
};

class LessonLibrary : public QObject {
  Q_OBJECT
 public:
  LessonLibrary(JobRunner& files, QObject* parent = nullptr);
  /// Of the user's own lessons; made if it is not there.
  void setFolder(const QString& folder);
  const QString& folder() const { return m_folder; }
  void read();

  const std::vector<Lesson>& lessons() const { return m_lessons; }
  int indexOf(const std::string& id) const;

 Q_SIGNALS:
  void changed();
  void broken(const QString& problem);

 private:
  void took(std::vector<LessonFile> files);

  JobRunner& m_files;
  QString m_folder;
  QFileSystemWatcher m_watcher;
  QTimer m_soon;
  std::vector<Lesson> m_lessons;
};

}  // namespace orthros::studio
