// Configurations as the runtimes and sources of others have them: pure text.
#pragma once
#include <string>
#include <vector>

#include "model/config_set.h"
#include "model/tuned.h"

namespace explog::tune {

struct ConfigSets {
  std::vector<ConfigSet> sets;
  std::vector<std::string> left_out;  // "vector_add/mine.cu: fused_moe needs ...", one a result
};

// Results as sets of a tree of `runtime`, vllm or sglang: those of one file are one set with a row a size. The first of
// the list counts where several are of one size.
ConfigSets tree_sets(const std::vector<Tuned>& results, const std::string& runtime);
// Each result as a list of its best and of what the interval does not tell from it.
ConfigSets list_sets(const std::vector<Tuned>& results, const std::string& runtime);

// What such a file holds.
std::string tree_text(const ConfigSet& set);
// `configs = [...]` in Python, a comment in front of each set; a configuration that several have stands once.
std::string python_text(const std::vector<ConfigSet>& sets, const std::string& runtime);

}  // namespace explog::tune
