#include "app/studio/pages/lessons/lesson_progress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace orthros::studio {
namespace {

constexpr double kSlowest = 0.5, kFastest = 4;

}  // namespace

QByteArray LessonProgress::toText() const {
  QJsonObject places, answers;
  for (auto i = at.begin(); i != at.end(); ++i) places.insert(i.key(), i.value());
  for (auto i = solved.begin(); i != solved.end(); ++i) {
    QJsonArray list;
    for (const int question : i.value()) list.append(question);
    answers.insert(i.key(), list);
  }
  return QJsonDocument(QJsonObject{{QStringLiteral("lesson"), lesson},
                                   {QStringLiteral("depth"), static_cast<int>(depth)},
                                   {QStringLiteral("speed"), speed},
                                   {QStringLiteral("at"), places},
                                   {QStringLiteral("solved"), answers}})
      .toJson(QJsonDocument::Compact);
}

LessonProgress LessonProgress::fromText(const QByteArray& text) {
  LessonProgress progress;
  const QJsonObject root = QJsonDocument::fromJson(text).object();
  progress.lesson = root.value(QStringLiteral("lesson")).toString();
  progress.depth = static_cast<LessonDepth>(std::clamp(root.value(QStringLiteral("depth")).toInt(), 0, 2));
  progress.speed = std::clamp(root.value(QStringLiteral("speed")).toDouble(1), kSlowest, kFastest);
  const QJsonObject places = root.value(QStringLiteral("at")).toObject();
  for (auto i = places.begin(); i != places.end(); ++i) progress.at.insert(i.key(), i.value().toInt());
  const QJsonObject answers = root.value(QStringLiteral("solved")).toObject();
  for (auto i = answers.begin(); i != answers.end(); ++i) {
    for (const QJsonValue& question : i.value().toArray()) progress.solved[i.key()].insert(question.toInt());
  }
  return progress;
}

}  // namespace orthros::studio
