// sampleModels: the models that travel with the program, and those its scripts have put into the user's
// cache.
#pragma once

#include <QList>
#include <QString>

namespace orthros::studio {

struct SampleModel {
  QString name;   // the folder's or file's, without suffix
  QString about;  // one line: what it is for
  QString path;
};

/// SmolLM2, the needle models, the lesson model, the latency model: those that are here, in this order.
QList<SampleModel> sampleModels();

/// Where the shipped models are: beside an installed program (share/orthros/sample_models), else in the
/// source tree the program was built in; empty when neither is there.
QString sampleModelsFolder();

/// The path of one of them by name, such as "needle-orthros" or "smollm2"; empty when it is not here.
QString sampleModel(const QString& name);

}  // namespace orthros::studio
