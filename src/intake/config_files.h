// Files of configurations without times -> sets: trees of vLLM and SGLang, and lists in Python's sources.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/config_set.h"
#include "model/json.h"

namespace explog::intake {

struct ReadConfigs {
  ConfigSet set;
  std::vector<std::string> remarks;  // what was left out
};

// A file of such a tree: {"1": {"BLOCK_SIZE_M": 16, ...}, "64": {...}}; its name says what it is for. `runtime` is
// vllm, sglang, or empty for what the name suggests. Throws Error(usage) naming the file.
ReadConfigs read_tree_file(const std::string& path, std::string_view text, const std::string& runtime);
// Whether a file's name is one that vLLM or SGLang compute.
bool is_tree_file(const std::string& path);

// A file of vLLM's trees for kernels in Helion, KERNEL/nvidia_h100.json: a set for each problem in it. Throws
// Error(usage) naming the file.
std::vector<ConfigSet> read_helion_tree(const std::string& path, std::string_view text);
// Whether it has such a name.
bool is_helion_tree_file(const std::string& path);

// In the JSON form settings stand some levels deeper than in a file, and its objects have limits. Throws JsonError.
void check_settings(const Json& value);

// All triton.Config(...), helion.Config(...) or SimpleNamespace(...) (cuTile) that are written out in a source. Throws
// Error(usage) where there are none.
ReadConfigs read_python_configs(const std::string& path, std::string_view text);

}  // namespace explog::intake
