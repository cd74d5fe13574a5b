#include "app/studio/pages/lessons/lesson_library.h"

#include <QDir>
#include <QFile>
#include <algorithm>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

constexpr int kSettleMs = 150;  // editors write a file in several steps

LessonFile readFile(const QString& path, bool isOwn) {
  LessonFile read{path, isOwn, {}, {}};
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    read.problem = QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), file.errorString());
    return read;
  }
  auto lesson = parse_lesson(file.readAll().toStdString(), toStd(QFileInfo(path).fileName()));
  if (lesson) {
    read.lesson = std::move(*lesson);
  } else {
    read.problem = toQt(lesson.error());
  }
  return read;
}

}  // namespace

LessonLibrary::LessonLibrary(JobRunner& files, QObject* parent) : QObject(parent), m_files(files) {
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSettleMs);
  connect(&m_soon, &QTimer::timeout, this, &LessonLibrary::read);
  const auto soon = [this] { m_soon.start(); };
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
}

void LessonLibrary::setFolder(const QString& folder) {
  m_folder = folder;
}

void LessonLibrary::read() {
  m_files.start<std::vector<LessonFile>>(
      tr("Read the lessons"),
      [folder = m_folder](JobContext&) -> Result<std::vector<LessonFile>> {
        std::vector<LessonFile> files;
        const QDir shipped(QStringLiteral(":/orthros/lessons"));
        for (const QString& name : shipped.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
          files.push_back(readFile(shipped.filePath(name), false));
        if (folder.isEmpty()) return files;
        QDir().mkpath(folder);
        const QDir own(folder);
        for (const QString& name : own.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
          files.push_back(readFile(own.filePath(name), true));
        return files;
      },
      this,
      [this](Result<std::vector<LessonFile>>& files) {
        if (files) took(std::move(*files));
      },
      /*quiet=*/true);
}

void LessonLibrary::took(std::vector<LessonFile> files) {
  std::vector<Lesson> lessons;
  QStringList problems, watched;
  for (LessonFile& file : files) {
    if (file.isOwn) watched.append(file.path);
    if (!file.problem.isEmpty()) {
      problems.append(file.problem);
      continue;
    }
    // An own lesson with the id of another takes its place.
    const auto same = std::ranges::find(lessons, file.lesson.id, &Lesson::id);
    if (same == lessons.end()) {
      lessons.push_back(std::move(file.lesson));
    } else {
      *same = std::move(file.lesson);
    }
  }
  // What was good before stays until its file is good again or gone.
  if (!problems.isEmpty()) {
    for (Lesson& before : m_lessons) {
      if (std::ranges::find(lessons, before.id, &Lesson::id) == lessons.end())
        lessons.push_back(std::move(before));
    }
  }
  std::ranges::stable_sort(lessons, {}, &Lesson::number);
  m_lessons = std::move(lessons);
  if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
  if (!watched.isEmpty()) m_watcher.addPaths(watched);
  if (!m_folder.isEmpty() && !m_watcher.directories().contains(m_folder)) m_watcher.addPath(m_folder);
  Q_EMIT changed();
  Q_EMIT broken(problems.join(QLatin1Char('\n')));
}

int LessonLibrary::indexOf(const std::string& id) const {
  const auto found = std::ranges::find(m_lessons, id, &Lesson::id);
  return found == m_lessons.end() ? -1 : static_cast<int>(found - m_lessons.begin());
}

}  // namespace orthros::studio
