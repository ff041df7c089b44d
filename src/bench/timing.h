// Candidate and baseline timed against each other in one process: cold calls, alternating in random order.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/judge/verdict.h"
#include "bench/judge/verify.h"
#include "bench/plans.h"
#include "bench/workbench.h"
#include "model/measurement.h"

namespace explog::bench {

class ReplayProcesses;

struct TimingOptions {
  double max_seconds = 30;  // per shape, once warmed up
  bool use_cupti = true;
  bool sanitizer = true;          // compute-sanitizer before the timing
  bool passed = false;            // these bytes were kept: they are timed once more, beside another baseline
  bool allow_in_process = false;  // a gain counts although the candidate's own process was timed
  int verified_calls = 8;         // of the timed ones, a shape, after which few more are
  int verified_replays = 2;       // the same, of a replay
  bool repeats = true;            // each timed call of a replay is compared with the same call once more
  bool elsewhere = true;          // a gain is looked at, at other shapes and with other inputs
  int most_calls = 64;            // in a pass
  Narrow narrow = to_report;      // when the interval will do
  double precision = bench::precision;  // half-width that is narrow enough, whatever the effect
  SharedCaptures* captures = nullptr;   // of what is judged beside it
  ReplayProcesses* replays = nullptr;   // that time what is judged beside it; it has them while it is timed
  // Called once the candidate is right and only its timing is left: returns when it has the device for itself.
  std::function<void()> alone;
  // Called once all shapes of a candidate that is right were timed, before any process of the bench ends or its plans go.
  std::function<void(const Binaries&, const Plans&)> timed;
};

// A pass of a replayed candidate's and what each of its calls left: the same pass must leave it again.
struct PassLeft {
  std::uint64_t seed = 0;
  std::vector<std::string> hashes;  // as in PassResult
};

struct Timing {
  MeasurementRun run;
  Device device;
  std::string clock;             // what the samples were read from: cupti, events, steady, mixed
  std::vector<bool> by_kernels;  // of each shape of the run: by CUPTI
  bool use_cupti = true;         // what the process was asked for
  bool sync_inside = false;      // solve() of an arm waits for the device itself
  std::optional<Fault> fault;    // what was seen while timing; times mean nothing then
  // Of each shape of the run, what speaks against a gain there: it counts where the verdict would be keep.
  std::vector<std::optional<Fault>> against;
  std::vector<std::string> warnings;
  Bytes16 draws{};                          // of the process's calls, which another may draw as well
  std::vector<std::vector<PassLeft>> left;  // of each shape of the run; none where its bytes are not compared
};

// The process for it, which begins beside what the caller does next.
std::unique_ptr<Runner> begin_timing(Workbench& bench, const Binaries& binaries, Judged judged,
                                     bool use_cupti);

// Times every shape of the backend in one fresh process, `runner`, which replays plans or, where there are none, holds both
// arms. While timing, outputs of randomly chosen calls are held against the reference, and again after it with new inputs in
// the same buffers. Where plans are replayed, every timed call must leave the bytes that the same call left in the process
// `before` this one; those that it did not make are made again here.
Timing time_candidate(Workbench& bench, TrustedProcesses& trusted, Runner& runner, const Binaries& binaries,
                      const Plans& plans, const Timing* before, const TimingOptions& options,
                      const Progress& progress);

}  // namespace explog::bench
