// Files of configurations without times -> sets: trees of vLLM and SGLang, and lists in Python's sources.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/config_set.h"

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

// All triton.Config(...), helion.Config(...) or SimpleNamespace(...) (cuTile) that are written out in a source. Throws
// Error(usage) where there are none.
ReadConfigs read_python_configs(const std::string& path, std::string_view text);

}  // namespace explog::intake
