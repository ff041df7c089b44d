// export --to: files of other benchmarks.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"

namespace explog::cli {

// What --to takes: flashinfer-bench, kernelbench.
std::vector<std::string> result_forms();
// Writes below `folder`, or prints where there is none and the form is one of lines. What is left out is a warning.
int export_results(const std::string& form, const std::string& search, const std::string& folder,
                   const Context& context);

}  // namespace explog::cli
