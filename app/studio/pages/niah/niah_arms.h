// Arms of a needle experiment as the page chooses them: an open model and how its weights are read. And the
// way back: which open model is a kept experiment's arm. Errors: invalid_argument, not_found naming the model
// to open. Threads: GUI thread for what takes the library; plain values elsewhere.
#pragma once

#include <QList>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/model_library.h"

namespace orthros::studio {

/// Most maps that stand side by side.
constexpr qsizetype kMostNiahArms = 4;

struct NiahArmChoice {
  quint64 model = 0;                         // id in the library
  std::optional<Architecture> architecture;  // empty: as the checkpoint is
  std::optional<int64_t> window, sinks;      // empty: the checkpoint's own
  bool operator==(const NiahArmChoice&) const = default;
};

/// An arm that a job can run: it holds the model while it does.
struct NiahArmSource {
  std::shared_ptr<const Model> model;
  ModelConfig config;
  // Of a kept arm: the hash its weights must have, and what else of that name is open. Hashing is for jobs.
  std::string weightsSha256;
  std::vector<std::shared_ptr<const Model>> others;
};

/// One arm for each model that is open; a single one is read as SWA and Orthros, and, unless it was trained
/// as two streams, as Transformer.
QList<NiahArmChoice> defaultArms(const ModelLibrary& library);
Result<NiahArmSource> sourceOf(const ModelLibrary& library, const NiahArmChoice& choice);
/// "needle-orthros, Orthros w=32 s=0": as the store will call it.
QString armLabel(const ModelLibrary& library, const NiahArmChoice& choice);
/// Tells models of one name apart, for the eye: "a/model". Not for what is stored.
QString armText(const ModelLibrary& library, const NiahArmChoice& choice);
/// One arm of a kept experiment's spec among the open models.
Result<NiahArmSource> findArm(const ModelLibrary& library, const Json& spec, size_t arm);
/// All of them, in its order.
Result<std::vector<NiahArmSource>> findArms(const ModelLibrary& library, const Json& spec);
/// The same as the form chooses them.
Result<QList<NiahArmChoice>> findArmChoices(const ModelLibrary& library, const Json& spec);
/// Longest context that every arm was made for, at most 2^20.
int64_t contextLimit(const std::vector<NiahArmSource>& arms);

}  // namespace orthros::studio
