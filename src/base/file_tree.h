// Files below a folder, as an export makes them.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace explog {

// Makes or replaces them, and the folders that they need: a path below `folder`, and what it holds. Throws Error(usage).
void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace explog
