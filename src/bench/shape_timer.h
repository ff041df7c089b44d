// One shape, timed in one process that holds baseline and candidate.
#pragma once
#include <chrono>
#include <future>
#include <limits>
#include <random>

#include "bench/cases.h"
#include "bench/judge/block_samples.h"
#include "bench/judge/wall.h"
#include "bench/timing.h"

namespace explog::bench {

// Several sets of buffers, so that neither a pointer nor a warm line tells the next call anything.
int number_of_sets(const Case& c, const Device& device);

class ShapeTimer {
 public:
  // `plans`: those that the runner replays, or none where it holds the candidates themselves.
  ShapeTimer(Workbench& bench, TrustedProcesses& trusted, Runner& runner, const Dims& dims,
             const ShapePlans* plans, const TimingOptions& options, int allowed_threads,
             const Progress& progress);

  // The candidate's passes will be these, in another order, and must leave the same.
  void make_again(const std::vector<PassLeft>& passes);
  // Everything for this shape; the fault that was found, if any.
  std::optional<Fault> run(Timing& timing);
  // On the host, of a runner that holds the candidate alone, against a baseline in a process of its own, after some turns to
  // warm up: what a call of the candidate's saves in one turn more; or in the middle of a few short ones, of one pair of
  // processes. `beside`: this shape as it was timed before.
  // Its passes have as many calls here, `most_calls` at most.
  std::optional<Fault> begin_apart(Runner& baseline, const ShapeRun& beside, int warm_up_turns,
                                   int most_calls = std::numeric_limits<int>::max());
  std::optional<Fault> turn_apart(Runner& baseline, bool first, SavedApart& saved);
  std::optional<Fault> look_apart(Runner& baseline, const ShapeRun& beside, SavedApart& saved);

 private:
  PassResult pass(Arm arm, std::uint64_t seed);
  bool either_waits();  // for the device, in a call
  std::optional<Fault> unlike_direct_calls();
  std::optional<Fault> warm_up(bool first);
  void plan_passes(Arm arm, const PassResult& seen);
  void shorten_passes();
  std::optional<Fault> measure();
  std::optional<Fault> measure_block();
  void keep(BlockSamples block);
  std::optional<Fault> suspicious(const PassResult& p, Arm arm) const;
  std::optional<Fault> unlike_plan(const PassResult& p, Arm arm) const;
  std::uint64_t next_seed(Arm arm);
  std::optional<Fault> left_otherwise(const PassLeft& before, const PassResult& now) const;
  std::optional<Fault> repeat_calls();
  bool verify_now();
  std::optional<Fault> verify_timed_call();
  std::optional<Fault> last_verified();
  PassResult looked_at_pass();
  std::optional<Fault> verify_looked_at();
  std::optional<Fault> verify_outputs(std::uint64_t input_seed, std::uint64_t poison,
                                      const std::string& when);
  std::optional<Fault> verify_after();
  std::optional<Fault> cross_check();
  std::optional<Fault> verify_burst(int most);
  void note_clock(Timing& timing) const;

  Workbench& bench_;
  TrustedProcesses& trusted_;
  Runner& runner_;
  const ShapePlans* plans_;
  bool repeatable_;  // a call with the same seed must leave the same bytes
  const TimingOptions& options_;
  int allowed_threads_;
  const Progress& progress_;
  PlannedCase planned_;
  PreparedCase prepared_;
  const Case& case_;
  int sets_;
  std::mt19937_64 random_;
  std::array<int, 3> samples_ = {3, 3, 3};  // in a pass, by Arm
  std::array<double, 3> warmed_up_ms_ = {0, 0,
                                         0};  // a call, likewise, as far as it is known before the timing
  bool by_kernels_;  // the clock: CUPTI's times of the device's work, or else events (host: the steady clock)
  std::vector<BlockSamples> raw_;
  std::vector<PassLeft> before_;  // of another process, in the order in which they are made here
  std::vector<PassLeft> left_;    // by the candidate's pass in each block
  ShapeRun shape_;
  int verified_ = 0;
  double seconds_verifying_ = 0;
  std::future<std::optional<Fault>> verifying_;  // uses what is above: it is waited for first
};

}  // namespace explog::bench
