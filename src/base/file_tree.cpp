#include "base/file_tree.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace explog {

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
