// Quick timing of the program's own spaces of configurations: hundreds of candidates checked and timed one after
// the other in one process a shape. Reference and baseline are computed once; the baseline is timed before and
// after every candidate, which shows drift. What `bench` does against cheats is left out: for trusted code.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "bench/cases.h"
#include "bench/find_task.h"
#include "bench/judge/block_samples.h"

namespace explog::bench {

// What one candidate showed at one shape.
struct QuickTiming {
  std::optional<Fault> fault;  // wrong, or it did not run; no block then
  Block block;                 // baseline, candidate, baseline again
  std::string clock;           // cupti, events, steady
};

class SweepTimer {
 public:
  // Builds nothing: `trusted` names binaries that are there, `caches` the folder of compilers behind Python. Throws Error as
  // Workbench and prepare_case do.
  SweepTimer(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted, const Dims& shape,
             std::string caches);

  // A process begins with this object; what needs it waits for it.
  const Device& device();
  const Case& problem() const { return prepared_.problem; }

  // The whole check of one case: two poisons, guards, inputs, every element, the same bytes twice.
  std::optional<Fault> check(const std::string& library);
  // One call is held against the reference, then three passes of cold calls.
  QuickTiming measure(const std::string& library);

 private:
  void begin(bool in_python);
  void start();
  bool still_works();
  std::optional<Fault> check_call();
  BlockSamples time();
  template <class Body>
  std::optional<Fault> guarded(const std::string& library, Body&& body);

  Binaries binaries_;
  std::string caches_;
  Workbench bench_;
  TrustedProcesses trusted_;
  PreparedCase prepared_;
  std::unique_ptr<Runner> runner_;
  int loaded_ = 0;       // libraries in the runner
  int drift_calls_ = 0;  // of the baseline in each pass
  bool in_python_ = false, started_ = false;
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
