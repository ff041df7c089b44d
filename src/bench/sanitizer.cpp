#include "bench/sanitizer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/judge/sanitizer_report.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> tools = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr int found_errors = 99;
constexpr int padding_bytes = 65536;  // behind each allocation
constexpr int reading = 2;  // how reports are read: what is kept of an earlier reading no longer counts

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

// What a tool looks at.
struct Sanitized {
  std::string tool, name;  // the latter of its log
  RunnerSetup setup;
  std::string file;  // what the process loads: a product or its plan
  Case problem;
  const char* inputs;
};

struct ToolRun {
  std::string finding;      // empty: nothing
  std::string unavailable;  // why the tool could not run
};

ToolRun run_tool(const Workbench& bench, const std::string& program, const Sanitized& what) {
  std::string log = bench.folder.path() + "/" + what.name + ".log";
  RunnerSetup setup = what.setup;
  // Calls of the CUDA API that fail are no errors of the kernel: CuTe DSL's run time asks the driver for functions that it
  // may not have.
  setup.before = {program, "--tool", what.tool, "--log-file", log, "--report-api-errors", "no"};
  setup.before.insert(setup.before.end(), {"--error-exitcode", std::to_string(found_errors)});
  if (setup.replays) setup.before.insert(setup.before.end(), {"--padding", std::to_string(padding_bytes)});
  setup.use_cupti = false;
  PrivateMemory outputs;
  outputs.reserve(slots_bytes(what.problem));
  std::string trouble;
  int status = 0;
  try {
    Runner runner(setup, bench.folder);
    try {
      runner.load(RunnerArm::candidate, what.file);
      runner.shape(what.problem, 1, false);
      runner.input(0, what.inputs);
      runner.call(RunnerArm::candidate, 0, 0, outputs.data());
    } catch (const Failed& f) {
      trouble = f.detail;
    }
    status = runner.finish(60'000).status;
  } catch (const Failed& f) {
    return {"", f.detail};
  }
  std::string report = access(log.c_str(), R_OK) == 0 ? read_file(log) : "";
  if (status == found_errors) return {sanitizer_finding(what.tool, report), sanitizer_limit(report)};
  if (!trouble.empty()) return {"", trouble};
  if (status != 0) return {"", fmt::format("ended with status {}", status)};
  return {};
}

std::string summary(const std::vector<ToolRun>& runs, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].finding.empty()) return names[i] + ": " + runs[i].finding;
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].unavailable.empty()) return "unavailable: " + names[i] + ": " + runs[i].unavailable;
  }
  return "pass";
}

std::vector<char> inputs_of(const Case& c) {
  std::vector<char> inputs(c.input_bytes());
  generate_inputs(c, secret_seed(), inputs.data());
  return inputs;
}

// The plan's run at the largest timed shape; nothing where it is not replayed. In a thread of its own: what keeps the plans from
// being made is whoever's who times by them.
ToolRun run_plan(Workbench& bench, const std::string& program, const std::shared_future<Plans>& plans) try {
  const Plans& made = plans.get();
  if (made.judged != Judged::replay) return {};
  std::size_t number = bench.largest_timed();
  Case c = make_case(bench.task(), bench.backend().timed[number], bench.task().distributions[0]);
  std::vector<char> inputs = inputs_of(c);
  const std::string& file = made.shapes[number].files[static_cast<std::size_t>(RunnerArm::candidate)];
  return run_tool(bench, program, {"memcheck", "timed", bench.replay_setup(), file, c, inputs.data()});
} catch (const std::exception& e) {
  return {"", e.what()};
}

std::string run_tools(Workbench& bench, const Binaries& binaries, const std::string& program,
                      const std::shared_future<Plans>& plans) {
  Case c = sanitized_case(bench);
  std::vector<char> inputs = inputs_of(c);
  std::vector<std::string> names(tools.begin(), tools.end());
  if (plans.valid())
    names.push_back("memcheck at " + dims_text(bench.backend().timed[bench.largest_timed()]));
  std::vector<ToolRun> runs(names.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < names.size(); ++i)
      threads.emplace_back([&, i] {
        runs[i] = i < tools.size() ? run_tool(bench, program,
                                              {tools[i], tools[i], bench.setup_for(binaries.candidate),
                                               binaries.candidate, c, inputs.data()})
                                   : run_plan(bench, program, plans);
      });
  }
  return summary(runs, names);
}

// Under which an answer is kept: of a plan also the shape.
std::string kept_file(const Workbench& bench, const Binaries& binaries, bool plans) {
  std::string kept = fmt::format("{}.sanitized{}", binaries.candidate, reading);
  return plans ? kept + "." + dims_text(bench.backend().timed[bench.largest_timed()]) : kept;
}

std::string answer_for(Workbench& bench, const Binaries& binaries, const Progress& progress,
                       const std::shared_future<Plans>& plans) {
  std::string program = find_sanitizer(bench.builder().toolchain());
  if (program.empty()) return "unavailable: compute-sanitizer is not on the PATH";
  std::string kept = kept_file(bench, binaries, plans.valid());
  if (access(kept.c_str(), R_OK) == 0) return std::string(trim(read_file(kept)));
  progress("compute-sanitizer: memcheck, racecheck, initcheck, synccheck");
  std::string answer = run_tools(bench, binaries, program, plans);
  if (!answer.starts_with("unavailable")) std::ofstream(kept) << answer << '\n';
  return answer;
}

}  // namespace

void sanitize(CheckReport& report, Workbench& bench, const Binaries& binaries, const Progress& progress,
              const std::shared_future<Plans>& plans) {
  if (report.verdict != CheckVerdict::pass || !bench.builder().toolchain().row().on_gpu) return;
  report.sanitizer = answer_for(bench, binaries, progress, plans);
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
