// Files below a folder: made by an export, found by an import.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace explog {

// Makes or replaces them, and the folders that they need: a path below `folder`, and what it holds. Throws Error(usage).
void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files);

struct FoundFiles {
  std::vector<std::string> paths;       // by name
  std::vector<std::string> unreadable;  // folders below that were left out: "cannot read FOLDER: why"
};
// The regular files of a folder and its folders; hidden ones and links are left alone. Throws Error(usage) where the folder
// itself cannot be read.
FoundFiles find_files(const std::string& folder);

}  // namespace explog
