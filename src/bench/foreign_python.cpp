#include "bench/foreign_python.h"

#include <algorithm>
#include <array>

#include "base/embedded.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/python.h"

namespace explog::bench {
namespace {

constexpr int patience_ms = 120'000;
constexpr std::string_view mark = "explog-probe:";  // the problem's own code may print

// The parts lie in one scope, in this order.
std::string program() {
  std::string text;
  for (const char* part : {"start", "sizes", "watch", "kernel_bench", "gpu_mode", "skill", "main"})
    text += std::string(*embedded_file(std::string("kernels/harness/python/problem_") + part + ".py")) + "\n";
  return text;
}

}  // namespace

std::string probe_problem(Problem kind, const std::string& path, const std::vector<std::string>& sizes) {
  constexpr std::array<const char*, 3> kinds = {"kernel_bench", "gpu_mode", "skill"};
  std::string python = find_python();
  std::vector<std::string> command = {python, "-c", program(), kinds.at(static_cast<size_t>(kind)), path};
  command.insert(command.end(), sizes.begin(), sizes.end());
  Finished run = run_program(command, patience_ms);
  size_t at = run.output.rfind(mark);
  if (run.timed_out) throw Error(Exit::usage, printable(path) + ": found no shapes within two minutes");
  if (at == std::string::npos)
    throw Error(Exit::usage, printable(path) + ": " + ellipsis(printable(trim(run.output)), 200));
  std::string answer = run.output.substr(at + mark.size());
  answer.resize(std::min(answer.size(), answer.find('\n')));
  if (answer.starts_with("{\"missing\""))
    throw Error(Exit::unavailable,
                python + " has no PyTorch 2, and this problem's shapes are known to it alone",
                "name an interpreter that has: EXPLOG_PYTHON=/path/to/python");
  return answer;
}

}  // namespace explog::bench
