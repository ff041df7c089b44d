// What the procedures of `check` and `bench` work with: a task, its files, and the processes that run trusted
// code.
#pragma once
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>

#include "bench/find_source.h"
#include "bench/given.h"
#include "bench/harness/reference_process.h"
#include "bench/harness/runner.h"
#include "bench/harness/toolchain.h"
#include "bench/judge/verify.h"
#include "model/measurement.h"

namespace explog::bench {

using Progress = std::function<void(const std::string&)>;  // what is being done, for a terminal

// Throws Error(usage) when the task has no such backend.
const TaskBackend& backend_of(const Task& task, const std::string& backend);

// Builds all programs that a bench starts, side by side, beside what the caller does next: they are there after the first
// time. What does not build says so where it is needed. The future waits for them when it goes.
[[nodiscard]] std::future<void> begin_harness(const Toolchain& toolchain);

// The task, its files, its built helpers and the memory of what goes in and comes out. Throws Error when the task
// or this machine does not allow it.
class Workbench {
 public:
  Workbench(FoundTask found, Toolchain toolchain);

  const Task& task() const { return found_.task; }
  const TaskBackend& backend() const { return backend_of(task(), builder_.toolchain().backend); }
  std::size_t largest_timed() const;  // which of the backend's timed shapes
  Builder& builder() { return builder_; }
  bool in_python() const { return builder_.toolchain().row().in_python; }  // candidates are
  SourceFile file(const std::string& name) const { return source_of(found_, name); }
  // Builds the programs of runners beside what the caller does next; else they are built when the first one begins.
  [[nodiscard]] std::future<void> begin_programs() const;
  // A runner for products of Builder::candidate(): for compiled ones, unless one of those it will load is Python.
  Runner start_runner(const std::string& product = "", bool use_cupti = true) const;
  // The same, which begins beside what the caller does next, until greet() waits for it.
  Runner begin_runner(const std::string& product, bool use_cupti = true) const;
  // A runner for one candidate after the other. Those in Python share an interpreter, and what compilers keep in the folder
  // `caches`; without it they are compiled ones.
  // It begins beside what the caller does next, until greet() waits for it.
  Runner start_search_runner(const std::string& caches = "") const;
  static void greet(Runner& runner);
  Runner begin_replay(bool use_cupti = true);  // a runner that loads plans instead of candidates; likewise
  RunnerSetup replay_setup();
  RunnerSetup setup_for(const std::string& product) const;
  RunnerSetup capture_setup(const std::string& product);
  // How a program that Builder::reference() made is started.
  ReferenceSetup reference_setup(const std::string& program) const;

  bool shapes_only = false;  // the user wants the timed shapes alone to be checked
  // Timed shapes are checked with the usual inputs alone, and once: their timing checks them too.
  bool timed_once = false;
  // The baseline was judged to be right before: its calls are not held against the reference again.
  bool baseline_passed = false;
  PrivateFolder folder;
  GivenData given;                          // inputs that lie beside the task
  SharedMemory inputs;                      // what is true; the reference sees it as well
  PrivateMemory outputs, baseline_outputs;  // slots of the calls that are judged

 private:
  Runner start(const RunnerSetup& setup) const;
  RunnerSetup compiled() const;
  RunnerSetup in_interpreter() const;

  FoundTask found_;
  Builder builder_;
  RunnerSetup compiled_, python_;  // of runners; the latter where a candidate or a baseline is in Python
  std::shared_future<std::string> runner_, library_;  // their programs
};

// What the device is called that candidates run on here, as measurements name it. A process begins for it.
std::string device_name(const FoundTask& task, const Toolchain& toolchain);

// The library of the runner that an arm of the samples calls: both of the baseline's are one.
inline RunnerArm runner_arm(Arm arm) {
  return arm == Arm::candidate ? RunnerArm::candidate : RunnerArm::baseline;
}

// Files built for one candidate.
struct Binaries {
  std::string reference, baseline, candidate;
  std::string baseline_name = {};  // of its source
  std::string yardstick =
      {};  // the task's own baseline, where `baseline` is another: whose precision is the measure
  // Which of the two arms says what process can load both.
  const std::string& demanding() const {
    return is_module(baseline) && !is_module(candidate) ? baseline : candidate;
  }
};

// The processes that run trusted code alone: the reference, and runners with a baseline as arm 0.
struct TrustedProcesses {
  TrustedProcesses(Workbench& bench, const Binaries& binaries);
  ~TrustedProcesses();  // side by side: each has a device to let go
  TrustedProcesses(const TrustedProcesses&) = delete;
  TrustedProcesses& operator=(const TrustedProcesses&) = delete;
  // Begins at the first time where no case is checked with it.
  Runner& baseline();
  // That with which a candidate's errors are compared.
  Runner& own_baseline() { return yardstick ? *yardstick : baseline(); }
  // Of a process in which no code of a candidate's ran.
  int threads() { return (baseline_ ? *baseline_ : own_baseline()).threads(); }
  ReferenceProcess reference;
  std::unique_ptr<Runner> yardstick;  // where the task's own baseline is another
  std::string baseline_name;
  std::map<std::string, RowErrors>
      errors;  // of the task's own baseline, by the name of a case whose inputs were drawn

 private:
  Workbench& bench_;
  std::string binary_;
  std::unique_ptr<Runner> baseline_;
};

}  // namespace explog::bench
