#include "app/studio/pages/lessons/stage_view.h"

#include <cmath>

#include "app/studio/pages/lessons/lesson_text.h"
#include "app/studio/text.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

constexpr size_t kGuesses = 3;

std::vector<float> copied(std::span<const float> row) {
  return {row.begin(), row.end()};
}

// The vector that a lane holds at a position.
widgets::StageCell cellOf(const PassTrace& trace, const Moment& moment, StreamKind kind, int64_t position) {
  const auto layers = static_cast<int64_t>(trace.layers.size());
  widgets::StageCell cell;
  const StreamTrace& present = trace.layers[static_cast<size_t>(moment.layer)].stream(kind);
  if (present.row_of(position) < 0) return cell;
  const auto lane = lane_tensor(moment, kind, layers);
  if (!lane) {
    cell.isUnused = true;
    return cell;
  }
  const StreamTrace& stream = trace.layers[static_cast<size_t>(lane->layer)].stream(kind);
  const int64_t row = stream.row_of(position);
  if (row >= 0 && row < stream[lane->what].rows()) cell.values = copied(stream[lane->what].row(row));
  return cell;
}

bool hasPassed(const Moment& moment, LessonStep step) {
  return static_cast<int>(moment.step) >= static_cast<int>(step);
}

widgets::StageSlot slotOf(const PassTrace& trace, const StageSpot& spot, int64_t position) {
  const LayerTrace& layer = trace.layers[static_cast<size_t>(spot.moment.layer)];
  widgets::StageSlot slot;
  // In decode the tokens before the new one lie there from the beginning.
  const bool isEarlier = layer.base.row_of(position) < 0;
  slot.isFilled = isEarlier || hasPassed(spot.moment, LessonStep::shelf);
  if (slot.isFilled) slot.key = copied(layer.keys.row(position));
  const auto weight = [&](const StreamTrace& stream) {
    const auto weights = stream.weights_of(spot.row, spot.head, trace.num_tokens());
    return weights.empty() ? std::nan("") : static_cast<double>(weights[static_cast<size_t>(position)]);
  };
  if (hasPassed(spot.moment, LessonStep::window) && position <= spot.row) slot.base = weight(layer.base);
  slot.isInWindow = !std::isnan(slot.base) && layer.window.sees(spot.row, position);
  if (!slot.isInWindow) slot.base = std::nan("");
  if (hasPassed(spot.moment, LessonStep::read) && position <= spot.row) slot.output = weight(layer.output);
  return slot;
}

struct Work {
  bool base = false, output = false;
  QStringList lit;
  widgets::StageData::Move move = widgets::StageData::Move::None;
};

Work workOf(LessonStep step) {
  using Move = widgets::StageData::Move;
  const auto names = [](std::initializer_list<const char*> list) {
    QStringList all;
    for (const char* name : list) all.append(QLatin1String(name));
    return all;
  };
  switch (step) {
    case LessonStep::copy:
      return {false, false, {}, Move::Copy};
    case LessonStep::norm:
      return {true, true, names({"norm"}), Move::None};
    case LessonStep::keys_values:
      return {true, false, names({"W_K", "W_V"}), Move::None};
    case LessonStep::shelf:
      return {false, false, {}, Move::Store};
    case LessonStep::query:
      return {true, false, names({"W_Q", "alpha"}), Move::None};
    case LessonStep::window:
      return {false, false, {}, Move::ReadBase};
    case LessonStep::query_out:
      return {false, true, names({"W_Q", "alpha'"}), Move::None};
    case LessonStep::read:
      return {false, false, {}, Move::ReadOutput};
    case LessonStep::project:
      return {true, true, names({"W_O"}), Move::None};
    case LessonStep::ffn:
      return {true, true, names({"norm", "FFN"}), Move::None};
    case LessonStep::drop:
      return {false, false, {}, Move::Drop};
    case LessonStep::head:
      return {false, true, names({"norm", "head"}), Move::None};
    default:
      return {};
  }
}

}  // namespace

widgets::StageData stageDataOf(const LessonPasses& passes, const StageSpot& spot,
                               const QStringList& highlight) {
  const PassTrace& trace = passes.trace(spot.setting);
  const auto layers = static_cast<int64_t>(trace.layers.size());
  const bool atEnd = static_cast<int64_t>(spot.moment.step) >= kStepsOfLayer;
  widgets::StageData data;
  data.layers = static_cast<int>(layers);
  data.layer = static_cast<int>(spot.moment.layer);
  data.head = static_cast<int>(spot.head);
  data.step = static_cast<int>(spot.moment.step);
  data.stepTitle = stepTitle(spot.moment);
  data.row = static_cast<int>(spot.row);
  data.window = static_cast<int>(trace.layers[static_cast<size_t>(spot.moment.layer)].window.window);
  for (int64_t position = 0; position < trace.num_tokens(); ++position) {
    data.tokens.append(toQt(passes.token(trace.request.ids[static_cast<size_t>(position)])).trimmed());
    data.base.push_back(cellOf(trace, spot.moment, StreamKind::base, position));
    data.output.push_back(cellOf(trace, spot.moment, StreamKind::output, position));
    data.shelf.push_back(slotOf(trace, spot, position));
  }
  const Work work = workOf(spot.moment.step);
  const bool isLast = spot.moment.layer + 1 == layers;
  data.isBaseUnused = isLast && hasPassed(spot.moment, LessonStep::query);
  data.baseWorks = work.base && !data.isBaseUnused;
  data.outputWorks = work.output && spot.setting.output_on;
  data.lit = data.baseWorks || data.outputWorks ? work.lit : QStringList();
  if (!spot.setting.scale_offset) {
    data.lit.removeAll(QStringLiteral("alpha"));
    data.lit.removeAll(QStringLiteral("alpha'"));
  }
  data.move = work.move;
  // x′ is copied from x in the first layer alone.
  if (spot.moment.step == LessonStep::copy && spot.moment.layer > 0)
    data.move = widgets::StageData::Move::None;
  data.isBaseDropped = atEnd;
  data.highlight = highlight;
  data.outputOn = spot.setting.output_on;
  data.hash = toQt(trace.layers[static_cast<size_t>(spot.moment.layer)].shelf_sha256);
  if (hasPassed(spot.moment, LessonStep::head)) {
    for (const Candidate& candidate : trace.candidates(spot.row, kGuesses))
      data.guesses.push_back({toQt(passes.token(candidate.id)).trimmed(), candidate.probability});
  }
  return data;
}

std::optional<CellStory> storyOf(const LessonPasses& passes, const StageSpot& spot,
                                 const widgets::StageTarget& target) {
  using Kind = widgets::StageTarget::Kind;
  if (target.position < 0) return {};
  const PassTrace& trace = passes.trace(spot.setting);
  if (target.position >= trace.num_tokens()) return {};
  if (target.kind == Kind::Base || target.kind == Kind::Output) {
    const StreamKind kind = target.kind == Kind::Base ? StreamKind::base : StreamKind::output;
    const auto lane = lane_tensor(spot.moment, kind, std::ssize(trace.layers));
    if (!lane || target.column < 0) return {};
    return tensor_story(trace, passes.weights(), *lane, kind, target.position, target.column,
                        spot.setting.scale_offset);
  }
  if (target.kind != Kind::Slot) return {};
  const bool hasRead = hasPassed(spot.moment, LessonStep::read);
  if (hasRead) {
    if (auto story =
            weight_story(trace, spot.moment.layer, StreamKind::output, spot.head, spot.row, target.position))
      return story;
  }
  if (!hasPassed(spot.moment, LessonStep::window)) return {};
  return weight_story(trace, spot.moment.layer, StreamKind::base, spot.head, spot.row, target.position);
}

}  // namespace orthros::studio
