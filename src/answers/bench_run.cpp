#include "answers/bench_run.h"

#include "model/arch.h"

namespace explog::answers {

void print_candidate_output(const Terminal& terminal, const std::string& printed) {
  if (terminal.json) return terminal.warn({"candidate_output", printed});
  std::string text = printed.ends_with('\n') ? printed.substr(0, printed.size() - 1) : printed;
  terminal.print({Line("the candidate printed:"), Line(text, Style::prose)}, terminal.err);
}

void print_device(const Terminal& terminal, const bench::Device& device) {
  std::string text = "on " + device.gpu + (canonical_arch(device.arch) ? ", " + device.arch : "");
  if (!device.driver.empty()) text += ", CUDA " + device.runtime + " (driver for " + device.driver + ")";
  terminal.print({Line(text + "; sandbox: " + device.sandbox, Style::dim)});
}

}  // namespace explog::answers
