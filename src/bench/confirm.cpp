#include "bench/confirm.h"

#include <array>
#include <functional>
#include <memory>
#include <span>

#include "base/text.h"
#include "bench/check.h"
#include "bench/judge/wall.h"
#include "bench/shape_timer.h"

namespace explog::bench {
namespace {

constexpr int warm_up_turns = 3;
constexpr std::array<std::size_t, 4> looks_at_turns = {12, 24, 48, 96};
constexpr std::array<std::size_t, 4> looks_at_pairs = {8, 12, 16, 24};

class Confirmation {
 public:
  Confirmation(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
               const TimingOptions& options, const Progress& progress)
      : bench_(bench), trusted_(trusted), binaries_(binaries), options_(options), progress_(progress) {}

  std::optional<Fault> lost(ShapeRun& shape) {
    ClaimedGain claimed = claimed_by(shape);
    if (!(claimed.saved_ms > 0)) return std::nullopt;
    return is_small(claimed) ? lost_in_pairs(shape, claimed) : lost_in_turns(shape, claimed);
  }

  std::optional<Fault> end() { return candidate_ ? end(*candidate_) : std::nullopt; }

 private:
  using Next = std::function<std::optional<Fault>(SavedApart&)>;  // adds one more reading

  std::optional<Fault> lost_in_pairs(ShapeRun& shape, const ClaimedGain& claimed) {
    return decide(shape, claimed, looks_at_pairs, [&](SavedApart& saved) {
      Runner baseline = bench_.begin_runner(binaries_.baseline),
             candidate = bench_.begin_runner(binaries_.candidate);
      load(baseline, RunnerArm::baseline, binaries_.baseline);
      load(candidate, RunnerArm::candidate, binaries_.candidate);
      auto fault = timer(candidate, shape).look_apart(baseline, shape, saved);
      return fault ? fault : end(candidate);
    });
  }

  std::optional<Fault> lost_in_turns(ShapeRun& shape, const ClaimedGain& claimed) {
    if (!candidate_) {
      candidate_.reset(new Runner(bench_.begin_runner(binaries_.candidate)));
      load(*candidate_, RunnerArm::candidate, binaries_.candidate);
    }
    ShapeTimer in_turns = timer(*candidate_, shape);
    if (auto fault = in_turns.begin_apart(trusted_.baseline(), shape, warm_up_turns)) return fault;
    return decide(shape, claimed, looks_at_turns, [&](SavedApart& saved) {
      return in_turns.turn_apart(trusted_.baseline(), saved.own_ms.size() % 2 == 0, saved);
    });
  }

  static void load(Runner& runner, RunnerArm arm, const std::string& product) {
    Workbench::greet(runner);
    runner.load(arm, product);
  }

  static std::optional<Fault> decide(ShapeRun& shape, const ClaimedGain& claimed,
                                     std::span<const std::size_t> looks, const Next& next) {
    SavedApart saved;
    for (std::size_t look : looks) {
      while (saved.own_ms.size() < look) {
        if (auto fault = next(saved)) return fault;
      }
      shape.apart_saved_ms = told_apart(claimed, saved);
      Seen seen = seen_apart(claimed, saved);
      if (seen == Seen::yes) return std::nullopt;
      if (seen == Seen::no) return unseen_apart(dims_text(shape.dims), claimed, saved);
    }
    if (may_be_there(claimed, saved)) return std::nullopt;
    return unseen_apart(dims_text(shape.dims), claimed, saved);
  }

  ShapeTimer timer(Runner& candidate, const ShapeRun& shape) const {
    return ShapeTimer(bench_, trusted_, candidate, shape.dims, nullptr, options_, any_threads, progress_);
  }

  static std::optional<Fault> end(Runner& candidate) {
    if (candidate.finish().left_behind == 0) return std::nullopt;
    return Fault{"process_left", "processes were left behind", true};
  }

  Workbench& bench_;
  TrustedProcesses& trusted_;
  const Binaries& binaries_;
  const TimingOptions& options_;
  const Progress& progress_;
  std::unique_ptr<Runner> candidate_;  // of all large gains: an interpreter takes a second to begin
};

}  // namespace

std::optional<Fault> gain_lost_apart(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
                                     Timing& timing, const TimingOptions& options, const Progress& progress) {
  Confirmation confirmation(bench, trusted, binaries, options, progress);
  std::string where;
  try {
    for (ShapeRun& shape : timing.run.shapes) {
      where = dims_text(shape.dims);
      progress(where + ": baseline and candidate in processes of their own");
      if (auto fault = confirmation.lost(shape)) return fault;
    }
    return confirmation.end();
  } catch (const Failed& f) {
    return Fault{f.reason, where + ": while it was timed in a process of its own, " + f.detail,
                 f.reason == "forged"};
  }
}

}  // namespace explog::bench
