// Unfinished output: a file or folder that stands under a ".part-" name beside its target until it is whole.
// Its writer holds a lock on it, which the kernel drops however the process ends (also by kill -9); so what a
// dead writer left is told from what a living one is writing, on whatever machine that shares the disk.
// Errors: none; where a file system has no locks nothing is removed. Threads: any.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace orthros {

/// Claims a part just made. False when another process tidied it away meanwhile: make it again under a new
/// name. The lock lasts as long as the descriptor.
bool claim_part(int descriptor, const std::filesystem::path& path);

/// "<digits>" or "<digits>-<digits>": what follows ".part-" in the name of a part.
bool is_part_number(std::string_view text);

/// Removes the files and folders in `folder` that `is_part` knows by name and that nobody holds.
void remove_abandoned_parts(const std::filesystem::path& folder,
                            const std::function<bool(const std::filesystem::path&)>& is_part);

}  // namespace orthros
