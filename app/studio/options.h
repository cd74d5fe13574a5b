// Options: the command line of orthros-studio. They set the same things as the settings page, for this start
// alone.
#pragma once

#include <QSize>
#include <QStringList>

#include "app/studio/settings.h"

namespace orthros::studio {

inline constexpr int kMostThreads = 1024;

struct Options {
  QString model, page, screenshot, out, prompt, problem, view;
  int viewIndex = -1;  // of the attention page
  QSize size{1280, 800};
  bool palette = false, shortcuts = false;
};

/// Applies what belongs to the settings; `problem` is one line when the command line is wrong.
Options readOptions(const QStringList& arguments, Settings& settings);

/// True when the program must not need a display: pictures, exports, --help and --version.
bool isHeadless(int argc, char** argv);

}  // namespace orthros::studio
