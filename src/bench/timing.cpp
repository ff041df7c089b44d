#include "bench/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

#include "base/text.h"
#include "bench/raw_block.h"
#include "bench/speed_of_light.h"

namespace explog::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr double pass_ms = 5;           // of device time in a pass, where 64 samples reach it
constexpr double longest_pass_ms = 60;  // of wall time
constexpr double warm_up_ms = 300;
constexpr double verify_seconds = 10;  // after which fewer will do

double seconds_since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

int runner_arm(int arm) { return arm == static_cast<int>(Arm::candidate) ? 1 : 0; }

// Several sets of buffers, so that neither a pointer nor a warm line tells the next call anything.
int number_of_sets(const Case& c, const Device& device) {
  double bytes = std::max<double>(1, static_cast<double>(c.buffer_bytes()));
  double wanted = std::ceil(5 * device.cache_bytes / bytes);
  double fits = device.memory_bytes > 0 ? 0.25 * device.memory_bytes / bytes : 16;
  return static_cast<int>(std::max(1.0, std::min(std::clamp(wanted, 3.0, 16.0), fits)));
}

// One shape in one process.
class ShapeTimer {
 public:
  ShapeTimer(Workbench& bench, Trusted& trusted, Runner& runner, const Dims& dims,
             const TimingOptions& options, int allowed_threads, const Progress& progress)
      : bench_(bench),
        trusted_(trusted),
        runner_(runner),
        options_(options),
        allowed_threads_(allowed_threads),
        progress_(progress),
        planned_{dims, bench.task().distributions[0], true},
        prepared_(prepare_case(bench, trusted, planned_, secret_seed())),
        case_(prepared_.problem),
        sets_(number_of_sets(case_, runner.device())),
        random_(secret_seed()),
        by_kernels_(runner.device().clock == "cupti") {}

  // Everything for this shape; the fault that was found, if any.
  std::optional<Fault> run(Timing& timing) {
    runner_.shape(case_, sets_);
    std::array<bool, 2> early = {runner_.returns_early(0), runner_.returns_early(1)};
    if (runner_.device().clock != "steady" && (!early[0] || !early[1])) timing.sync_inside = true;
    warm_up();
    shape_.dims = planned_.dims;
    shape_.bytes = case_.bytes;
    shape_.flops = case_.flops;
    shape_.sol_ms = speed_of_light_ms(case_, runner_.device());
    shape_.floor_ms = speed_of_light_ms(case_, runner_.device(), true);
    PassResult empty = runner_.pass(2, 21, secret_seed());
    if (auto fault = measure()) return fault;
    note_clock(timing);
    shape_.empty_ms = median(samples_of(empty, by_kernels_));
    if (auto fault = cross_check()) return fault;
    if (auto fault = verify_after()) return fault;
    timing.run.shapes.push_back(shape_);
    return std::nullopt;
  }

 private:
  PassResult pass(int arm, std::uint64_t seed) {
    return runner_.pass(runner_arm(arm), samples_[static_cast<std::size_t>(runner_arm(arm))], seed);
  }

  // Both arms, through the same path as the timed calls, until clocks and caches have settled; then the
  // number of samples in a pass of each.
  void warm_up() {
    auto start = Steady::now();
    int calls = 0;
    double goal = runner_.device().clock == "steady" ? warm_up_ms / 3 : warm_up_ms;
    int extra = static_cast<int>(random_() % 4);  // a candidate must not know when the timing begins
    while (calls < 10 + extra || seconds_since(start) * 1e3 < goal) {
      for (int arm : {0, 1}) {
        PassResult p = runner_.pass(arm, 3, random_());
        double each = median(p.event_ms), wall = p.wall_ms / 3;
        double wanted = std::clamp(std::ceil(pass_ms / std::max(each, 1e-6)), 3.0, 64.0);
        samples_[static_cast<std::size_t>(arm)] =
            static_cast<int>(std::max(3.0, std::min(wanted, longest_pass_ms / std::max(wall, 1e-3))));
        if (seconds_since(start) > 3) break;
      }
      calls += 3;
    }
  }

  // Blocks until the interval is narrow, the blocks are spent or the time is.
  std::optional<Fault> measure() {
    auto start = Steady::now();
    double spent_verifying = 0;
    int verified = 0;
    shape_.stop = "blocks";
    while (may_continue(raw_.size())) {
      progress_(fmt::format("timing {} block {}", dims_text(planned_.dims), raw_.size() + 1));
      RawBlock block;
      std::shuffle(block.order.begin(), block.order.end(), random_);
      std::uint64_t last_seed = 0;
      for (int arm : block.order) {
        last_seed = random_();
        PassResult& result = block.passes[static_cast<std::size_t>(arm)] = pass(arm, last_seed);
        if (auto fault = suspicious(result)) return fault;
      }
      // Where the candidate came last its outputs are still there; by chance, so that no call is safe from
      // it.
      bool enough =
          verified >= options_.verified_calls || (spent_verifying > verify_seconds && verified >= 2);
      if (block.order[2] == static_cast<int>(Arm::candidate) && !enough && random_() % 2 == 0) {
        auto before = Steady::now();
        if (auto fault = verify_timed_call(last_seed)) return fault;
        pass(0, random_());  // the device idled: bring its clock back
        spent_verifying += seconds_since(before);
        ++verified;
      }
      keep(std::move(block));
      if (precise_enough(shape_)) {
        shape_.stop = "precision";
        break;
      }
      if (out_of_time(seconds_since(start) - spent_verifying)) {
        shape_.stop = "time";
        break;
      }
    }
    return verified > 0 ? std::nullopt : verify_timed_call_again();
  }

  // Adds a block, by the clock that holds for all of them: the first that CUPTI's times do not hold for turns
  // those before it to events as well.
  void keep(RawBlock block) {
    if (by_kernels_ && !kernel_times_hold(block)) {
      by_kernels_ = false;
      shape_.blocks.clear();
    }
    raw_.push_back(std::move(block));
    for (std::size_t i = shape_.blocks.size(); i < raw_.size(); ++i)
      shape_.blocks.push_back(block_of(raw_[i], by_kernels_));
  }

  // Without an interval there is no verdict at all: up to three times as long for a machine that wanders.
  bool out_of_time(double spent) const {
    if (spent <= options_.max_seconds) return false;
    return spent > 3 * options_.max_seconds || effect_in_time(shape_);
  }

  // What no honest pass shows.
  std::optional<Fault> suspicious(const PassResult& p) const {
    double sum = std::accumulate(p.event_ms.begin(), p.event_ms.end(), 0.0);
    if (sum > p.wall_ms)
      return Fault{"forged", fmt::format("calls of {:.3f} ms in all within {:.3f} ms", sum, p.wall_ms), true};
    if (std::any_of(p.event_ms.begin(), p.event_ms.end(),
                    [](double ms) { return !(ms >= 0) || !std::isfinite(ms); }))
      return Fault{"forged", "a call of negative time", true};
    if (p.persisting_l2 > 0)
      return Fault{"persisting_l2",
                   fmt::format("{} bytes of L2 were set aside for persisting lines", p.persisting_l2), true};
    int running = std::max(p.threads, runner_.lasting_threads(allowed_threads_));
    if (running > allowed_threads_)
      return Fault{"thread_left",
                   fmt::format("{} threads run on after solve() returned", running - allowed_threads_), true};
    for (std::size_t i = 0; i < p.event_ms.size(); ++i) {
      if (p.kernel_ms[i] > 1.05 * p.event_ms[i] + 0.010)
        return Fault{"work_escaped",
                     fmt::format("the device worked {:.4f} ms for a call that took {:.4f} ms", p.kernel_ms[i],
                                 p.event_ms[i]),
                     true};
    }
    return std::nullopt;
  }

  // One of the calls of the candidate's last pass whose outputs are still there.
  std::optional<Fault> verify_timed_call(std::uint64_t seed) {
    int count = samples_[1];
    int sample = count - 1 - static_cast<int>(random_() % static_cast<std::uint64_t>(std::min(count, sets_)));
    std::uint64_t call_seed = mix(seed, static_cast<std::uint64_t>(sample));
    bench_.inputs.reserve(case_.input_bytes());
    bench_.outputs.reserve(slots_bytes(case_));
    runner_.fetch(sample % sets_, 0);
    generate_inputs(case_, call_seed, bench_.inputs.data());
    Slots slots{bench_.outputs.data(), call_seed | 1};
    if (auto fault = touched(case_, slots, bench_.inputs.data())) return during(*fault);
    trusted_.reference.compute(case_);
    std::vector<Comparison> errors;
    RowErrors allowed = prepared_.baseline;
    for (double& row : allowed) row *= 1.5;  // other inputs than those the baseline's error is from
    if (auto fault = wrong(case_, slots, trusted_.reference, allowed, errors)) return during(*fault);
    return std::nullopt;
  }

  std::optional<Fault> verify_timed_call_again() {
    std::uint64_t seed = random_();
    pass(static_cast<int>(Arm::candidate), seed);
    return verify_timed_call(seed);
  }

  // Right when checked, wrong later: no accident, unless it is only less precise.
  static Fault later(Fault fault, const std::string& when) {
    fault.detail = when + ", " + fault.detail;
    bool wrong_result = fault.reason == "wrong_values" || fault.reason == "nan";
    if (wrong_result && !fault.imprecise) fault.reason = "stale_result", fault.cheat = true;
    return fault;
  }

  // Nor is what else such a call does wrong.
  static Fault during(Fault fault) {
    fault.cheat |= !fault.imprecise;
    return later(std::move(fault), "in a timed call");
  }

  // After the timing: new inputs through the same pointers.
  std::optional<Fault> verify_after() {
    progress_(fmt::format("checking {} again", dims_text(planned_.dims)));
    for (int set = 0; set < sets_; set += std::max(1, sets_ - 1)) {  // the first and the last
      Prepared prepared = prepare_case(bench_, trusted_, planned_, secret_seed());
      ShapeReport ignored;
      bool deterministic = true;
      auto fault = verify_case(bench_, trusted_.reference, runner_, set, prepared, ignored, deterministic);
      if (!fault) fault = verify_changed_element(bench_, trusted_, runner_, set, prepared, random_());
      if (fault) return later(*fault, "after the timing");
    }
    return std::nullopt;
  }

  // This process's own clock on two bursts of different length: a candidate cannot make it run slower.
  std::optional<Fault> cross_check() {
    double cold = 0, warm = 0, wall = 0;
    for (const Block& b : shape_.blocks) cold = std::max(cold, median(b.passes[1].ms));
    int few = static_cast<int>(std::clamp(20 / std::max(cold, 1e-4), 4.0, 400.0));
    for (int repeat = 0; repeat < 3; ++repeat) {
      BurstResult one = runner_.burst(1, few), two = runner_.burst(1, 2 * few);
      double each = (two.wall_ms - one.wall_ms) / few;
      if (repeat == 0 || each < wall) wall = each;
      warm = one.device_ms / few;
    }
    shape_.warm_ms = warm;
    double allowed = 1.5 * std::max(cold, warm) + 0.02;
    if (wall <= allowed) return std::nullopt;
    return Fault{"work_escaped",
                 fmt::format("a call takes {:.4f} ms by this process's clock, {:.4f} ms by the runner's",
                             wall, std::max(cold, warm)),
                 true};
  }

  void note_clock(Timing& timing) const {
    std::string clock = runner_.device().clock;
    if (clock == "cupti" && !by_kernels_) {
      clock = "events";
      timing.warnings.push_back(dims_text(planned_.dims) +
                                ": solve() spends time outside kernels, so events are the clock");
    }
    timing.by_kernels.push_back(by_kernels_);
    timing.clock = timing.clock.empty() || timing.clock == clock ? clock : "mixed";
  }

  Workbench& bench_;
  Trusted& trusted_;
  Runner& runner_;
  const TimingOptions& options_;
  int allowed_threads_;
  const Progress& progress_;
  PlannedCase planned_;
  Prepared prepared_;
  const Case& case_;
  int sets_;
  std::mt19937_64 random_;
  std::array<int, 2> samples_ = {3, 3};
  bool by_kernels_;  // the clock: CUPTI's times of the device's work, or else events (host: the steady clock)
  std::vector<RawBlock> raw_;
  ShapeRun shape_;
};

}  // namespace

Timing time_candidate(Workbench& bench, Trusted& trusted, const Products& products,
                      const TimingOptions& options, const Progress& progress) {
  Timing timing;
  Runner runner = bench.start_runner(bench.outputs, options.use_cupti);
  timing.device = runner.device();
  try {
    runner.load(0, products.baseline);
    runner.load(1, products.candidate);
    bool host = timing.device.clock == "steady";
    for (const Dims& dims : bench.backend().timed) {
      int allowed = host ? 1 : std::max(runner.threads(), trusted.baseline.threads());
      ShapeTimer timer(bench, trusted, runner, dims, options, allowed, progress);
      if ((timing.fault = timer.run(timing))) break;
    }
    if (!timing.device.cupti_missing.empty())
      timing.warnings.push_back("no CUPTI (" + timing.device.cupti_missing + "): times are by events");
  } catch (const Failed& f) {
    timing.fault = Fault{f.reason, "while timing, " + f.detail, f.reason == "forged"};
  }
  if (runner.finish().left_behind > 0 && !timing.fault)
    timing.fault = Fault{"process_left", "processes were left behind", true};
  return timing;
}

std::optional<Fault> baseline_sabotaged(Workbench& bench, Trusted& trusted, const Timing& timing) {
  // Lower quartiles: what else runs on the machine disturbs the upper half.
  auto quartile = [](std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 4];
  };
  for (std::size_t i = 0; i < timing.run.shapes.size(); ++i) {
    const ShapeRun& shape = timing.run.shapes[i];
    Case c = make_case(bench.task(), shape.dims, bench.task().distributions[0]);
    trusted.baseline.shape(c, number_of_sets(c, trusted.baseline.device()));
    std::vector<double> alone, beside;
    for (int repeat = 0; repeat < 10; ++repeat) {
      PassResult p =
          trusted.baseline.pass(0, static_cast<int>(shape.blocks[0].passes[0].ms.size()), secret_seed());
      alone.push_back(median(samples_of(p, timing.by_kernels[i])));
    }
    for (const Block& b : shape.blocks) beside.push_back(median(b.passes[0].ms));
    double ratio = quartile(beside) / std::max(quartile(alone), 1e-9);
    double allowed = timing.clock == "steady" ? 1.25 : 1.05;
    if (ratio > allowed)
      return Fault{"baseline_sabotaged",
                   fmt::format("{}: the baseline takes {:.2f} times as long with the candidate loaded",
                               dims_text(shape.dims), ratio),
                   true};
  }
  return std::nullopt;
}

}  // namespace explog::bench
