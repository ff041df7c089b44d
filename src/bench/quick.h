// Quick timing of the program's own spaces of configurations: hundreds of candidates checked and timed one after
// the other in one process a shape. Reference and baseline are computed once; the baseline is timed before and
// after every candidate, which shows drift. On a GPU what is timed are plans, as in a judgement; its other measures
// against cheats are left out.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "bench/captured_plan.h"
#include "bench/cases.h"
#include "bench/find_task.h"
#include "bench/judge/block_samples.h"
#include "bench/sweep_process.h"

namespace explog::bench {

// What one candidate showed at one shape.
struct QuickTiming {
  std::optional<Fault> fault;  // wrong, or it did not run; no block then
  Block block;                 // baseline, candidate, baseline again
  std::string clock;           // cupti, events, steady
  std::string runner;          // as in a Measurement: replay, in_process, host
  std::string reason;          // why it was no replay; empty on the host
};

// One case of a task, and a process that calls candidates at it.
class SweepCase {
 public:
  // Builds nothing: `trusted` names binaries that are there, `caches` the folder of compilers behind Python. Throws Error as
  // Workbench and prepare_case do.
  SweepCase(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted, const Dims& shape,
            std::string caches);

  const Case& problem() const { return prepared_.problem; }
  // The whole check of the case: two poisons, guards, inputs, every element, the same bytes twice.
  std::optional<Fault> check(const std::string& library);

 protected:
  SweepProcess& own();  // that candidates run in
  // One call, every element.
  std::optional<Fault> check_call(Runner& runner);

  Binaries binaries_;
  std::string caches_;
  bool in_python_;
  Workbench bench_;
  TrustedProcesses trusted_;
  PreparedCase prepared_;

 private:
  std::unique_ptr<SweepProcess> own_;
};

// The same, timed.
class SweepTimer : public SweepCase {
 public:
  // On a GPU the processes that capture and replay begin with this object.
  SweepTimer(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted, const Dims& shape,
             std::string caches);

  const Device& device();
  // The next one to be measured: its plan is captured beside what the caller does until then.
  void begin(const std::string& library);
  // One call is held against the reference, or left the bytes of one that was; then three passes of cold calls. By the replay
  // of its plan where it has one that tells all.
  QuickTiming measure(const std::string& library);

 private:
  Capturing& capturing(const std::string& library);
  void begin_replays();
  void plan_baseline();
  PlanDecision taken_plan(const std::string& library, const std::string& file);
  std::optional<Fault> replay(const std::string& plan, QuickTiming& timing);
  std::optional<Fault> call(const std::string& library, QuickTiming& timing);
  std::optional<Fault> check_replay(Runner& runner);
  void time(SweepProcess& process, QuickTiming& timing);

  SampleOrder asked_;  // of direct calls
  PrivateFolder plans_;
  std::array<std::unique_ptr<Capturing>, 2> capturing_;  // of compiled candidates, of those in Python
  std::unique_ptr<SweepProcess> replays_;
  std::string not_replayed_;  // why nothing is; empty: plans are replayed
  std::string begun_;         // the library that is captured now; or empty
  bool baseline_planned_ = false;
  std::set<std::string> right_;  // hashes of outputs that were held against the reference
};

// A hidden shape of the task that is small and fits no tile: the largest with an odd dimension.
Dims awkward_shape(const Task& task, const TaskBackend& backend);

// The median of the candidate's calls and how far it may be off: half its 99% interval and half the drift of
// the baseline beside it, both relative. Nothing where the candidate was not timed.
struct QuickTime {
  double ms = 0, noise = 0;
};
std::optional<QuickTime> quick_time(const Measurement& m);

}  // namespace explog::bench
