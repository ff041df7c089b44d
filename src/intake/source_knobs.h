// The tuning constants of a kernel's source, read by patterns.
#pragma once
#include <string>
#include <vector>

namespace explog::intake {

// A tuning constant and the values it has in the file: several in a list of configurations.
struct SourceKnob {
  std::string name;            // as the file calls it: BLOCK_M
  std::vector<double> values;  // in order of appearance, each once
};

// `code` has no comments. Of C++ and CUDA: macros, constants and launches; of Python: configurations, constants and
// options of compilers. At most 40, with 12 values each.
std::vector<SourceKnob> cuda_source_knobs(const std::string& code);
std::vector<SourceKnob> python_source_knobs(const std::string& code);

}  // namespace explog::intake
