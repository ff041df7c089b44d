#include "bench/sanitizer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/judge/sanitizer_report.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> tools = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr int found_errors = 99;

std::string find_sanitizer(const Toolchain& toolchain) {
  if (auto path = find_program("compute-sanitizer")) return *path;
  std::error_code ignored;
  fs::path beside = fs::canonical(toolchain.compiler, ignored).parent_path() / "compute-sanitizer";
  return access(beside.c_str(), X_OK) == 0 ? beside.string() : "";
}

std::uint64_t elements(const Case& c) {
  std::uint64_t sum = 0;
  for (const Operand& o : c.operands) sum += o.count;
  return sum;
}

Case sanitized_case(const Workbench& bench) {
  const Task& task = bench.task();
  std::vector<Dims> shapes = hidden_shapes(bench);
  if (shapes.empty()) shapes = bench.backend().timed;
  Case largest = make_case(task, shapes[0], task.distributions[0]);
  for (const Dims& dims : shapes) {
    Case c = make_case(task, dims, task.distributions[0]);
    if (elements(c) > elements(largest)) largest = c;
  }
  return largest;
}

struct ToolRun {
  std::string finding;      // empty: nothing
  std::string unavailable;  // why the tool could not run
};

ToolRun run_tool(const Workbench& bench, const Binaries& binaries, const std::string& program,
                 const std::string& tool, const Case& c) {
  std::string log = bench.folder.path() + "/" + tool + ".log";
  RunnerSetup setup = bench.setup_for(binaries.candidate);
  // Calls of the CUDA API that fail are no errors of the kernel: CuTe DSL's run time asks the driver for functions that it
  // may not have.
  setup.before = {program, "--tool", tool, "--log-file", log, "--report-api-errors", "no"};
  setup.before.insert(setup.before.end(), {"--error-exitcode", std::to_string(found_errors)});
  setup.use_cupti = false;
  PrivateMemory outputs;
  outputs.reserve(slots_bytes(c));
  std::string trouble;
  int status = 0;
  try {
    Runner runner(setup, bench.folder);
    try {
      runner.load(RunnerArm::candidate, binaries.candidate);
      runner.shape(c, 1, false);
      runner.input(0, bench.inputs.data());
      runner.call(RunnerArm::candidate, 0, 0, outputs.data());
    } catch (const Failed& f) {
      trouble = f.detail;
    }
    status = runner.finish(60'000).status;
  } catch (const Failed& f) {
    return {"", f.detail};
  }
  std::string report = access(log.c_str(), R_OK) == 0 ? read_file(log) : "";
  if (status == found_errors) return {sanitizer_finding(tool, report), ""};
  if (!trouble.empty()) return {"", trouble};
  if (status != 0) return {"", fmt::format("ended with status {}", status)};
  return {};
}

std::string summary(const std::array<ToolRun, tools.size()>& runs) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (!runs[i].finding.empty()) return std::string(tools[i]) + ": " + runs[i].finding;
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (!runs[i].unavailable.empty())
      return std::string("unavailable: ") + tools[i] + ": " + runs[i].unavailable;
  }
  return "pass";
}

std::string run_tools(Workbench& bench, const Binaries& binaries, const std::string& program) {
  Case c = sanitized_case(bench);
  bench.inputs.reserve(c.input_bytes());
  generate_inputs(c, secret_seed(), bench.inputs.data());
  std::array<ToolRun, tools.size()> runs;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < tools.size(); ++i)
      threads.emplace_back([&, i] { runs[i] = run_tool(bench, binaries, program, tools[i], c); });
  }
  return summary(runs);
}

std::string answer_for(Workbench& bench, const Binaries& binaries, const Progress& progress) {
  std::string program = find_sanitizer(bench.builder().toolchain());
  if (program.empty()) return "unavailable: compute-sanitizer is not on the PATH";
  std::string kept = binaries.candidate + ".sanitized";
  if (access(kept.c_str(), R_OK) == 0) return std::string(trim(read_file(kept)));
  progress("compute-sanitizer: memcheck, racecheck, initcheck, synccheck");
  std::string answer = run_tools(bench, binaries, program);
  if (!answer.starts_with("unavailable")) std::ofstream(kept) << answer << '\n';
  return answer;
}

}  // namespace

void sanitize(CheckReport& report, Workbench& bench, const Binaries& binaries, const Progress& progress) {
  if (report.verdict != CheckVerdict::pass || !bench.builder().toolchain().row().on_gpu) return;
  report.sanitizer = answer_for(bench, binaries, progress);
  if (report.sanitizer == "pass") return;
  if (report.sanitizer.starts_with("unavailable")) {
    report.warnings.push_back("sanitizer " + report.sanitizer);
    return;
  }
  report.verdict = CheckVerdict::fail;
  report.reason = "sanitizer";
  report.detail = report.sanitizer;
}

}  // namespace explog::bench
