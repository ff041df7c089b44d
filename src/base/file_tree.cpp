#include "base/file_tree.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace explog {
namespace {

namespace fs = std::filesystem;

// Why not; empty where all of it was read.
std::string list_folder(const fs::path& folder, FoundFiles& found) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with('.') || it->is_symlink(ignored)) continue;
    if (it->is_regular_file(ignored)) found.paths.push_back(it->path().string());
    if (!it->is_directory(ignored)) continue;
    if (std::string why = list_folder(it->path(), found); !why.empty()) found.unreadable.push_back(why);
  }
  return error ? "cannot read " + printable(folder.string()) + ": " + error.message() : "";
}

}  // namespace

FoundFiles find_files(const std::string& folder) {
  FoundFiles found;
  if (std::string why = list_folder(folder, found); !why.empty()) throw Error(Exit::usage, why);
  std::sort(found.paths.begin(), found.paths.end());
  return found;
}

void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  for (const auto& [path, text] : files) {
    std::filesystem::path to = std::filesystem::path(folder) / path;
    std::error_code error;
    std::filesystem::create_directories(to.parent_path(), error);
    if (error)
      throw Error(Exit::usage,
                  "cannot make " + printable(to.parent_path().string()) + ": " + error.message());
    write_file(to.string(), text);
  }
}

}  // namespace explog
