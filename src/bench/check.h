// Is a candidate right? Every shape of the task, every distribution, two poisons, the baseline beside it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/runner.h"
#include "bench/toolchain.h"
#include "bench/verify.h"

namespace explog::bench {

using Progress = std::function<void(const std::string&)>;  // what is being done, for a terminal

// What `explog check` and `explog bench` work with: the task, its files, its built helpers. Throws Error when
// the task or this machine does not allow it.
class Workbench {
 public:
  Workbench(Task task, std::string task_folder, const std::string& backend, Toolchain toolchain);

  const Task& task() const { return task_; }
  const TaskBackend& backend() const { return *backend_; }
  Builder& builder() { return builder_; }
  // A file beside task.json, or one of the program's own when the task is.
  SourceFile file(const std::string& name) const;
  Runner start_runner(SharedMemory& outputs, bool use_cupti = true) const;
  RunnerSetup setup() const;

  PrivateFolder folder;
  SharedMemory inputs, outputs, baseline_outputs;

 private:
  Task task_;
  std::string task_folder_;
  const TaskBackend* backend_;
  Builder builder_;
  std::string runner_;
};

// A task found by the name of an embedded one, by its folder or its file.
struct FoundTask {
  Task task;
  std::string folder;  // empty: the task is part of the program
  std::string hash;    // of task.json and the reference
};
FoundTask find_task(const std::string& name, const std::string& data_dir);
std::vector<std::string> embedded_task_names();

struct ShapeReport {
  Dims dims;
  bool timed = false;
  int cases = 0;
  double max_abs = 0, worst_row = 0, bits_correct = 64;
  bool passed = true;
};

struct CheckReport {
  std::string verdict = "pass";  // pass, fail, cheat, crash
  std::string reason, detail;
  std::vector<ShapeReport> shapes;
  std::vector<std::string> warnings;
  Device device;
  bool deterministic = true;
  std::string sanitizer;  // pass, unavailable: why, or what it found
  std::string printed;    // what the candidate wrote to its standard output
};

// Files built for one candidate.
struct Products {
  std::string reference, baseline, candidate;
};

// The processes that run trusted code alone: the reference, and a runner with the baseline as arm 0.
struct Trusted {
  Trusted(Workbench& bench, const Products& products);
  Reference reference;
  Runner baseline;
};

CheckReport check_candidate(Workbench& bench, Trusted& trusted, const Products& products,
                            const Progress& progress);

// 64 random bits that no helper process ever sees.
std::uint64_t secret_seed();

// Every case a candidate must get right, in the order it is given.
struct PlannedCase {
  Dims dims;
  std::string distribution;
  bool timed = false;
};
std::vector<PlannedCase> plan_cases(const Task& task, const TaskBackend& backend, std::uint64_t seed);

// Rows of errors a trusted process made and what is expected, for one case; inputs lie at the start of
// bench.inputs.
struct Prepared {
  Case problem;
  RowErrors baseline;
};
// Generates inputs, computes what is expected and runs the baseline. Throws Error(usage) when the baseline is
// wrong.
Prepared prepare_case(Workbench& bench, Trusted& trusted, const PlannedCase& planned, std::uint64_t seed);
// Calls arm 1 of `runner`, whose buffers fit the case, on one set with two poisons and judges what came back;
// inputs and expectation are in place.
std::optional<Fault> verify_case(Workbench& bench, const Reference& reference, Runner& runner, int set,
                                 const Prepared& prepared, ShapeReport& report, bool& deterministic);
// The same case with one input element changed in place, after verify_case: a result kept from before is
// wrong now.
std::optional<Fault> verify_changed_element(Workbench& bench, Trusted& trusted, Runner& runner, int set,
                                            const Prepared& prepared, std::uint64_t seed);

}  // namespace explog::bench
