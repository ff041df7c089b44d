#include "bench/shape_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "bench/check.h"
#include "bench/judge/speed_of_light.h"
#include "bench/judge/verdict.h"
#include "bench/judge/wall.h"

namespace explog::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr double pass_ms = 5;           // of device time in a pass, where its most calls reach it
constexpr double longest_pass_ms = 60;  // of wall time
constexpr double warm_up_ms = 300,
                 still_warm_ms = 100;  // of the first shape of a process, and of those right after it
constexpr int fewest_of_short_pass = 7;
constexpr int verified_bursts = 2;
constexpr double verify_seconds = 10;  // after which fewer will do

double seconds_since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

bool changes_in_place(const Case& c) {
  return std::any_of(c.operands.begin(), c.operands.end(),
                     [](const Operand& o) { return o.argument->role == Role::inout; });
}

}  // namespace

int number_of_sets(const Case& c, const Device& device) {
  double bytes = std::max<double>(1, static_cast<double>(c.buffer_bytes()));
  double wanted = std::ceil(5 * device.cache_bytes / bytes);
  double fits = device.memory_bytes > 0 ? 0.25 * device.memory_bytes / bytes : 16;
  return static_cast<int>(std::max(1.0, std::min(std::clamp(wanted, 3.0, 16.0), fits)));
}

ShapeTimer::ShapeTimer(Workbench& bench, TrustedProcesses& trusted, Runner& runner, const Dims& dims,
                       const ShapePlans* plans, const TimingOptions& options, int allowed_threads,
                       const Progress& progress)
    : bench_(bench),
      trusted_(trusted),
      runner_(runner),
      plans_(plans),
      // What is given is handed to the runner for each call, and such calls leave no hash.
      repeatable_(plans != nullptr && bench.task().deterministic && !bench.task().given_at(dims)),
      options_(options),
      allowed_threads_(allowed_threads),
      progress_(progress),
      planned_(timed_case(bench.task(), dims)),
      prepared_(prepare_timed(bench, trusted, planned_)),
      case_(prepared_.problem),
      sets_(number_of_sets(case_, runner.device())),
      random_(secret_seed()),
      by_kernels_(runner.device().clock == "cupti") {}

void ShapeTimer::make_again(const std::vector<PassLeft>& passes) {
  if (!repeatable_) return;
  before_ = passes;
  std::shuffle(before_.begin(), before_.end(), random_);
}

std::optional<Fault> ShapeTimer::run(Timing& timing) {
  runner_.shape(case_, sets_);
  if (auto fault = unlike_direct_calls()) return fault;
  if (!runner_.on_host() && !plans_) timing.sync_inside |= either_waits();
  if (auto fault = warm_up(timing.run.shapes.empty())) return fault;
  shape_.dims = planned_.dims;
  shape_.weight = bench_.backend().weight_of(planned_.dims);
  shape_.bytes = case_.bytes;
  shape_.flops = case_.flops;
  shape_.sol_ms = speed_of_light_ms(case_, runner_.device());
  shape_.floor_ms = speed_of_light_ms(case_, runner_.device(), true);
  PassResult empty = runner_.pass(RunnerArm::empty, 21, secret_seed());
  if (auto fault = measure()) return fault;
  if (auto fault = repeat_calls()) return fault;
  if (auto fault = last_verified()) return fault;
  note_clock(timing);
  shape_.empty_ms = median(samples_of(empty, by_kernels_));
  if (auto fault = cross_check()) return fault;
  if (auto fault = verify_after()) return fault;
  timing.run.shapes.push_back(shape_);
  timing.left.push_back(std::move(left_));
  timing.against.push_back(speaks_against(dims_text(planned_.dims), raw_, runner_.on_host()));
  return std::nullopt;
}

bool ShapeTimer::either_waits() {
  return !runner_.returns_early(RunnerArm::baseline) || !runner_.returns_early(RunnerArm::candidate);
}

// Once: a process that makes the calls of another again need not look once more.
std::optional<Fault> ShapeTimer::unlike_direct_calls() {
  if (!repeatable_ || !before_.empty()) return std::nullopt;
  for (auto [arm, name] :
       {std::pair{RunnerArm::baseline, "the baseline"}, {RunnerArm::candidate, "the candidate"}}) {
    const DirectCalls& direct = plans_->direct[static_cast<std::size_t>(arm)];
    if (replays_otherwise(direct, runner_.left_by(arm, plans_->asked)))
      return Fault{"nondeterministic",
                   fmt::format("{}: {} leaves other bytes replayed than called, with the same inputs",
                               dims_text(planned_.dims), name)};
  }
  return std::nullopt;
}

PassResult ShapeTimer::pass(Arm arm, std::uint64_t seed) {
  return runner_.pass(runner_arm(arm), of_arm(samples_, arm), seed);
}

void ShapeTimer::plan_passes(Arm arm, const PassResult& seen) {
  double most = options_.most_calls, each = median(seen.event_ms);
  double wall = seen.wall_ms / static_cast<double>(seen.event_ms.size());
  double wanted = std::clamp(std::ceil(pass_ms / std::max(each, 1e-6)), 3.0, most);
  of_arm(samples_, arm) =
      static_cast<int>(std::max(3.0, std::min(wanted, longest_pass_ms / std::max(wall, 1e-3))));
  of_arm(warmed_up_ms_, arm) = median(samples_of(seen, by_kernels_));
}

// Of a replay that is far from its baseline: a block need not be as exact as its effect is large, and blocks differ by more
// than their calls do. In proportion, from the effect on that an early look is for.
void ShapeTimer::shorten_passes() {
  double effect =
      std::abs(std::log(of_arm(warmed_up_ms_, Arm::candidate) / of_arm(warmed_up_ms_, Arm::baseline)));
  if (!plans_ || !std::isfinite(effect) || effect < to_report.early_effect) return;
  for (Arm arm : {Arm::baseline, Arm::candidate}) {
    int& samples = of_arm(samples_, arm);
    int fewer = static_cast<int>(std::ceil(samples * to_report.early_effect / effect));
    samples = std::max(fewer, std::min(samples, fewest_of_short_pass));
  }
}

// Both arms, through the same path as the timed calls, until clocks and caches have settled; then the number of samples
// in a pass of each. One of these calls is held against the reference as well.
std::optional<Fault> ShapeTimer::warm_up(bool first) {
  auto start = Steady::now();
  int calls = 0, verified_round = static_cast<int>(random_() % 3);
  double goal = runner_.on_host() || !first ? still_warm_ms : warm_up_ms;
  int extra = static_cast<int>(random_() % 4);  // a candidate must not know when the timing begins
  while (calls < 10 + extra || seconds_since(start) * 1e3 < goal) {
    for (Arm arm : {Arm::baseline, Arm::candidate}) {
      plan_passes(arm, runner_.pass(runner_arm(arm), 3, random_()));
      if (seconds_since(start) > 3) break;
    }
    if (calls == 3 * verified_round) {
      if (auto fault = verify_timed_call()) return fault;
    }
    calls += 3;
  }
  shorten_passes();
  of_arm(samples_, Arm::baseline_again) = of_arm(samples_, Arm::baseline);
  if (!before_.empty()) of_arm(samples_, Arm::candidate) = static_cast<int>(before_[0].hashes.size());
  verified_ = 0;
  return std::nullopt;
}

// Blocks until the interval is narrow, the blocks are spent or the time is.
std::optional<Fault> ShapeTimer::measure() {
  auto start = Steady::now();
  seconds_verifying_ = 0;
  shape_.stop = "blocks";
  while (may_continue(raw_.size())) {
    progress_(fmt::format("timing {}: block {}, {:.0f} s of at most {:.0f}", dims_text(planned_.dims),
                          raw_.size() + 1, seconds_since(start), options_.max_seconds));
    if (auto fault = measure_block()) return fault;
    if (precise_enough(shape_, options_.narrow, options_.precision)) {
      shape_.stop = "precision";
      break;
    }
    if (out_of_time(shape_, seconds_since(start) - seconds_verifying_, options_.max_seconds)) {
      shape_.stop = "time";
      break;
    }
  }
  return verified_ > 0 ? std::nullopt : verify_timed_call();
}

std::optional<Fault> ShapeTimer::measure_block() {
  BlockSamples block;
  bool verifies = verify_now(), looks_inside = verifies && runner_.on_host();
  std::shuffle(block.order.begin(), block.order.end(), random_);
  for (Arm arm : block.order) {
    std::uint64_t seed = next_seed(arm);
    PassResult& result = of_arm(block.passes, arm) =
        looks_inside && arm == Arm::candidate ? looked_at_pass() : pass(arm, seed);
    if (auto fault = suspicious(result, arm)) return fault;
    if (arm == Arm::candidate && repeatable_) left_.push_back({seed, result.hashes});
  }
  std::size_t made = raw_.size();
  if (made < before_.size()) {
    if (auto fault = left_otherwise(before_[made], of_arm(block.passes, Arm::candidate))) return fault;
  }
  keep(std::move(block));
  if (looks_inside) return verify_looked_at();
  return verifies ? verify_timed_call() : std::nullopt;
}

// A pass of the candidate's that counts; what one of its calls left is kept. Which one is not known in its process, nor that
// there is one.
PassResult ShapeTimer::looked_at_pass() {
  int samples = of_arm(samples_, Arm::candidate);
  bench_.outputs.reserve(slots_bytes(case_));
  return runner_.pass(
      RunnerArm::candidate, samples, random_(),
      {bench_.outputs.data(), static_cast<int>(random_() % static_cast<std::uint64_t>(samples))});
}

std::optional<Fault> ShapeTimer::verify_looked_at() {
  auto before = Steady::now();
  auto fault = verify_outputs(runner_.looked_at().seed, runner_.looked_at().poison, "in a timed call");
  seconds_verifying_ += seconds_since(before);
  ++verified_;
  return fault;
}

// By chance, so that no call is safe from it; seldom once many were right, but never never. Of a replay few are enough:
// before a gain counts, every call is made twice, and what it leaves is compared. On the host one call of each block is
// looked at, as long as that takes no time.
bool ShapeTimer::verify_now() {
  if (runner_.on_host()) return seconds_verifying_ < verify_seconds || verified_ < 2 || random_() % 8 == 0;
  int wanted = repeatable_ ? options_.verified_replays : options_.verified_calls;
  bool enough = verified_ >= wanted || (seconds_verifying_ > verify_seconds && verified_ >= 2);
  return random_() % (enough ? (repeatable_ ? 32 : 8) : 2) == 0;
}

// Adds a block, by the clock that holds for all of them: the first that CUPTI's times do not hold for turns
// those before it to events as well.
void ShapeTimer::keep(BlockSamples block) {
  if (by_kernels_ && !kernel_times_hold(block)) {
    by_kernels_ = false;
    shape_.blocks.clear();
  }
  raw_.push_back(std::move(block));
  for (std::size_t i = shape_.blocks.size(); i < raw_.size(); ++i)
    shape_.blocks.push_back(block_of(raw_[i], by_kernels_));
}

// What no honest pass shows.
std::optional<Fault> ShapeTimer::suspicious(const PassResult& p, Arm arm) const {
  double sum = std::accumulate(p.event_ms.begin(), p.event_ms.end(), 0.0);
  if (sum > p.wall_ms)
    return Fault{"forged", fmt::format("calls of {:.3f} ms in all within {:.3f} ms", sum, p.wall_ms), true};
  if (std::any_of(p.event_ms.begin(), p.event_ms.end(),
                  [](double ms) { return !(ms >= 0) || !std::isfinite(ms); }))
    return Fault{"forged", "a call of negative time", true};
  if (p.persisting_l2 > 0)
    return Fault{"persisting_l2",
                 fmt::format("{} bytes of L2 were set aside for persisting lines", p.persisting_l2), true};
  if (!runner_.on_host() && p.threads > allowed_threads_)
    return Fault{"thread_left",
                 fmt::format("{} threads run on after solve() returned", p.threads - allowed_threads_), true};
  if (auto fault = left_thread(runner_, allowed_threads_)) return fault;
  if (auto fault = unlike_plan(p, arm)) return fault;
  for (std::size_t i = 0; i < p.event_ms.size(); ++i) {
    if (p.kernel_ms[i] > 1.05 * p.event_ms[i] + 0.010)
      return Fault{"work_escaped",
                   fmt::format("the device worked {:.4f} ms for a call that took {:.4f} ms", p.kernel_ms[i],
                               p.event_ms[i]),
                   true};
  }
  return std::nullopt;
}

// The device must do what the plan says in the window of each call: no more, no less.
std::optional<Fault> ShapeTimer::unlike_plan(const PassResult& p, Arm arm) const {
  if (!plans_ || !by_kernels_) return std::nullopt;
  std::uint64_t planned = plans_->activities[arm == Arm::candidate ? 1 : 0];
  for (double seen : p.activities) {
    if (seen != static_cast<double>(planned))
      return Fault{work_escaped,
                   fmt::format("{}: the plan has {} pieces of work, the window of a call {}",
                               dims_text(planned_.dims), planned, seen),
                   true};
  }
  return std::nullopt;
}

std::uint64_t ShapeTimer::next_seed(Arm arm) {
  bool again = arm == Arm::candidate && raw_.size() < before_.size();
  return again ? before_[raw_.size()].seed : random_();
}

std::optional<Fault> ShapeTimer::left_otherwise(const PassLeft& before, const PassResult& now) const {
  if (now.hashes == before.hashes) return std::nullopt;
  return Fault{"nondeterministic",
               dims_text(planned_.dims) + ": a timed call left other bytes than the same call once more"};
}

// Each timed call of a replayed candidate again, in another order: what it left must be the same to the byte. So a call
// that was timed cannot have done less than those that are held against the reference. Those that the process before made
// were compared already.
std::optional<Fault> ShapeTimer::repeat_calls() {
  if (!repeatable_ || !options_.repeats || left_.size() <= before_.size()) return std::nullopt;
  std::vector<const PassLeft*> order;
  for (std::size_t i = before_.size(); i < left_.size(); ++i) order.push_back(&left_[i]);
  std::shuffle(order.begin(), order.end(), random_);
  progress_(fmt::format("{}: each timed call once more", dims_text(planned_.dims)));
  for (const PassLeft* timed : order) {
    if (auto fault = left_otherwise(*timed, pass(Arm::candidate, timed->seed))) return fault;
  }
  return std::nullopt;
}

// What came of the last call that was looked at, whose memory the next one needs.
std::optional<Fault> ShapeTimer::last_verified() {
  return verifying_.valid() ? verifying_.get() : std::nullopt;
}

// A pass like any other, which ends after a random call: the outputs of that one are held against the reference. A device's
// clock does not hear what processors do, so of a replay this is done beside the calls that follow.
std::optional<Fault> ShapeTimer::verify_timed_call() {
  auto before = Steady::now();
  if (auto fault = last_verified()) return fault;
  auto most = static_cast<std::uint64_t>(std::max(6, of_arm(samples_, Arm::candidate)));
  bench_.outputs.reserve(slots_bytes(case_));
  PassResult p = runner_.pass(RunnerArm::candidate, 1 + static_cast<int>(random_() % most), random_(),
                              {bench_.outputs.data()});
  auto fault = suspicious(p, Arm::candidate);
  auto look = [this, call = runner_.looked_at()] {
    return verify_outputs(call.seed, call.poison, "in a timed call");
  };
  if (!fault && plans_ && by_kernels_)
    verifying_ = std::async(std::launch::async, look);
  else if (!fault)
    fault = look();
  if (!runner_.on_host()) pass(Arm::baseline, random_());  // the device idled: bring its clock back
  seconds_verifying_ += seconds_since(before);
  ++verified_;
  return fault;
}

// This process's own clock on two bursts of different length: a candidate cannot make it run slower. A replay's clock is
// its own.
std::optional<Fault> ShapeTimer::cross_check() {
  double cold = 0;
  for (const Block& b : shape_.blocks) cold = std::max(cold, median(of_arm(b.passes, Arm::candidate).ms));
  int few = static_cast<int>(std::clamp(20 / std::max(cold, 1e-4), 4.0, 400.0));
  if (plans_) {
    shape_.warm_ms = runner_.burst(RunnerArm::candidate, few, random_()).device_ms / few;
    return std::nullopt;
  }
  std::vector<BurstPair> pairs(3);
  for (BurstPair& pair : pairs) {
    pair[0] = runner_.burst(RunnerArm::candidate, few, random_());
    pair[1] = runner_.burst(RunnerArm::candidate, 2 * few, random_());
    shape_.warm_ms = pair[0].device_ms / few;
  }
  if (auto fault = work_outside(pairs, few, std::max(cold, shape_.warm_ms))) return fault;
  for (int repeat = 0; repeat < verified_bursts && !changes_in_place(case_); ++repeat) {
    if (auto fault = verify_burst(few)) return fault;
  }
  return std::nullopt;
}

void ShapeTimer::note_clock(Timing& timing) const {
  std::string clock = runner_.device().clock;
  if (clock == "cupti" && !by_kernels_) {
    clock = "events";
    timing.warnings.push_back(dims_text(planned_.dims) +
                              ": solve() spends time outside kernels, so events are the clock");
  }
  timing.by_kernels.push_back(by_kernels_);
  timing.clock = timing.clock.empty() || timing.clock == clock ? clock : "mixed";
}

}  // namespace explog::bench
