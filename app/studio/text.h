// From the engine's text and errors to Qt's and back.
#pragma once

#include <QString>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace orthros::studio {

inline QString toQt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline QString pathToQt(const std::filesystem::path& path) {
  return toQt(path.native());
}
inline QString toQt(const Error& error) {
  return toQt(std::string_view(error.line()));
}
inline std::string toStd(const QString& text) {
  return text.toStdString();
}

}  // namespace orthros::studio
