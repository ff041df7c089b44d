// Nsight Compute's CSV output: `--page raw`, `--page details`, `--metrics` and `--print-summary`, as exported
// from a report or collected straight to standard output, where the program's own lines are mixed in.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace explog::intake {

struct NcuFile {
  std::vector<Launch> launches;  // in the order of the file
  std::vector<std::string> remarks;
};

// `name` is for messages. Throws Error(usage) when there is no table in it, no launch, or numbers that cannot
// be read one way.
NcuFile parse_ncu(std::string_view text, const std::string& name);

// The metric behind a label of the details page ("Duration", unit "ns"; "Memory Throughput" is two of them),
// or "" when explog does not know it. `unit` in base form.
std::string_view metric_of_label(std::string_view label, std::string_view unit);

}  // namespace explog::intake
