// Configurations in the forms of runtimes and of other tuners, in and out.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

// Their words for --to and --from: vllm, sglang (trees of files), triton, helion, cutile (lists in Python).
const std::vector<std::string>& config_runtimes();
bool is_tree_runtime(const std::string& runtime);
// Whether `tune import` reads it as configurations rather than as results.
bool is_configs_path(const std::string& path);

struct ImportedConfigs {
  std::size_t added = 0, skipped = 0;         // sets: a file, of Helion's trees each problem in one
  std::size_t rejected = 0;                   // files
  std::size_t configurations = 0;             // in the files that were read
  std::size_t foreign = 0;                    // files of a folder that have another name
  std::vector<std::string> refused, remarks;  // "PATH: why"
};
// A file or a folder of them; a file that cannot be read stops none of the others. `runtime` may be empty.
ImportedConfigs import_configs(const std::string& path, const std::string& runtime, const Session& session);

struct ExportedConfigs {
  std::vector<std::pair<std::string, std::string>> files;  // path below the folder, and what it holds
  std::size_t configurations = 0;
  std::vector<std::string> left_out;  // results, and why
};
// What was imported for this runtime, and over it results of `tune`; of a task or kernel, or of all (""). For a list it
// is one file without a name.
ExportedConfigs export_configs(const std::string& runtime, const std::string& name, const Session& session);

}  // namespace explog::app
