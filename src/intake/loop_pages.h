// Files of an experiment loop's folder, ours or kernel-opt-skill's, that hold no record by themselves.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace explog::intake {

// 3 of "softmax/v3/ncu_summary.md"; nothing for a page in a folder that is none of a version.
std::optional<int> version_of_page(const std::string& path);

// What such a file is, as its first bytes tell; empty for any other. Counters of a version are a record where no table of the
// versions (perf_results.md) lies beside the version's folder.
std::string_view loop_page(const std::string& path, std::string_view head);

}  // namespace explog::intake
