#include "bench/harness/matmul_heuristics.h"

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/python.h"
#include "bench/harness/python_probe.h"
#include "bench/harness/toolchain.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr const char* loaders_name = "libnvMatmulHeuristics.so.0";
constexpr int ask_timeout_ms = 20'000, candidates_wanted = 8;
constexpr int no_library = 3;  // exit status of kernels/harness/heuristics

std::string not_found(const std::string& library) {
  if (library != loaders_name)
    return "nvMatmulHeuristics: " + printable(library) + " cannot be loaded; see $EXPLOG_NVMMH";
  return "nvMatmulHeuristics was not found, so it names no candidates: `pip install "
         "nvidia-matmul-heuristics`, "
         "or its library in $EXPLOG_NVMMH";
}

std::vector<std::string> ask_command(const std::string& program, const std::string& library,
                                     const std::optional<HeuristicsQuestion>& question) {
  if (!question) return {program, library};
  const GemmProduct& p = question->product;
  std::vector<std::string> argv = {program, library, std::to_string(question->gpu),
                                   std::to_string(question->target), p.precision};
  for (std::int64_t number :
       {std::int64_t{p.layout}, p.m, p.n, p.k, p.batch, std::int64_t{candidates_wanted}})
    argv.push_back(std::to_string(number));
  return argv;
}

}  // namespace

std::string find_matmul_heuristics(const std::string& python) {
  std::string said = env("EXPLOG_NVMMH");
  if (said == "off") return "";
  if (!said.empty()) return said;
  try {
    PythonProbe probe = probe_python(find_python(python));
    if (!probe.matmul_heuristics.empty()) return probe.matmul_heuristics;
  } catch (const Error&) {  // no interpreter: others than its packages may have it
  }
  return loaders_name;
}

HeuristicsAnswer ask_matmul_heuristics(const std::string& library,
                                       const std::optional<HeuristicsQuestion>& question) {
  try {
    Builder builder(find_toolchain("host", "", {}));
    Finished run = run_program(ask_command(builder.heuristics(), library, question), ask_timeout_ms);
    if (run.timed_out) return {"nvMatmulHeuristics does not answer within 20 s", {}};
    if (run.status == no_library) return {not_found(library), {}};
    if (run.status != 0)
      return {
          "nvMatmulHeuristics does not answer: " + printable(ellipsis(std::string(trim(run.output)), 200)),
          {}};
    return {"", parse_gemm_estimates(run.output)};
  } catch (const JsonError& e) {
    return {"nvMatmulHeuristics does not answer: " + printable(e.what()), {}};
  } catch (const Error& e) {  // no compiler for the program that asks
    return {"nvMatmulHeuristics cannot be asked: " + std::string(e.what()), {}};
  }
}

}  // namespace explog::bench
