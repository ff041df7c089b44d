#include "bench/quick.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/file.h"
#include "bench/check.h"
#include "bench/judge/statistics.h"
#include "harness/plan_writer.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

constexpr std::uint64_t poison_seed = protocol::ones_poison;  // a NaN where nothing was written
// Of one process: each brings a CUDA runtime of its own, with keys for threads, of which a process has 1024.
constexpr int most_libraries = 100;

// Half the 99% interval of the median; where the samples hang together too much for one, as far as the
// quartiles lie apart.
double half_width(std::vector<double> ms) {
  if (auto interval = median_interval(ms, 0.99)) return interval->half_width();
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() * 3 / 4] - ms[ms.size() / 4];
}

bool has_odd(const Dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](const auto& dim) { return dim.second % 2 != 0; });
}

// Candidates in Python share an interpreter, whose start would cost more than the rest of a configuration; it may write to a
// folder of its own alone.
std::unique_ptr<Runner> begin_own(const Workbench& bench, const std::string& caches) {
  return std::unique_ptr<Runner>(new Runner(bench.start_search_runner(caches)));
}

}  // namespace

SweepCase::SweepCase(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted,
                     const Dims& shape, std::string caches)
    : binaries_(trusted),
      caches_(std::move(caches)),
      in_python_(toolchain.row().in_python || is_module(trusted.baseline)),
      bench_(task, toolchain),
      trusted_(bench_, trusted) {
  prepared_ = or_error("preparing " + dims_text(shape), [&] {
    return prepare_case(bench_, trusted_, timed_case(bench_.task(), shape), sweep_input_seed);
  });
}

SweepProcess& SweepCase::own() {
  if (own_) return *own_;
  SweepProcess::Setup setup{
      [this] { return begin_own(bench_, in_python_ ? caches_ : ""); }, binaries_.baseline,
      binaries_.baseline_name, most_libraries,
      // An exception in Python is what many configurations end with (too much shared memory, say).
      in_python_};
  own_ = std::make_unique<SweepProcess>(std::move(setup), prepared_.problem);
  return *own_;
}

std::optional<Fault> SweepCase::check(const std::string& library) {
  return own().with(library, [&](Runner& runner) {
    ShapeReport ignored;
    bool deterministic = true;
    return verify_case(bench_, trusted_.reference, runner, 0, prepared_, ignored, deterministic);
  });
}

std::optional<Fault> SweepCase::check_call(Runner& runner) {
  const Case& c = prepared_.problem;
  bench_.outputs.reserve(slots_bytes(c));
  runner.input(0, bench_.inputs.data());
  runner.call(RunnerArm::candidate, 0, poison_seed, bench_.outputs.data());
  Slots slots{bench_.outputs.data(), poison_seed};
  if (auto fault = touched(c, slots, bench_.inputs.data())) return fault;
  std::vector<Comparison> errors;
  return wrong(c, slots, trusted_.reference.expected(c), prepared_.baseline, errors);
}

SweepTimer::SweepTimer(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted,
                       const Dims& shape, std::string caches)
    : SweepCase(task, toolchain, trusted, shape, std::move(caches)),
      asked_{0, sweep_input_seed, secret_seed() | 1} {
  if (!toolchain.row().on_gpu)
    not_replayed_ = "host";
  else if (toolchain.cupti.empty())
    not_replayed_ = "there is no CUPTI to capture its work with";
  else
    capturing(binaries_.baseline), begin_replays();
}

void SweepTimer::begin_replays() {
  SweepProcess::Setup setup{[this] { return std::unique_ptr<Runner>(new Runner(bench_.begin_replay())); },
                            plans_.path() + "/baseline", binaries_.baseline_name, std::nullopt, true};
  replays_ = std::make_unique<SweepProcess>(std::move(setup), prepared_.problem);
}

Capturing& SweepTimer::capturing(const std::string& library) {
  std::unique_ptr<Capturing>& made = capturing_[is_module(library) ? 1 : 0];
  if (!made) {
    RunnerSetup setup = bench_.capture_setup(library);
    if (is_module(library)) setup.writable = caches_;
    made = std::make_unique<Capturing>(std::move(setup), prepared_.problem, asked_);
  }
  return *made;
}

void SweepTimer::begin(const std::string& library) {
  plan_baseline();
  if (!not_replayed_.empty() || begun_ == library) return;
  if (!begun_.empty()) capturing(begun_).take();
  capturing(library).name(library);
  begun_ = library;
}

// Of the library that was begun. Leaves the plan in `file` where it is to be replayed.
PlanDecision SweepTimer::taken_plan(const std::string& library, const std::string& file) {
  begun_.clear();
  CapturedPlan planned = read_captured(capturing(library).take(), {});
  if (planned.decision.judged == Judged::replay) write_file(file, plan::write(planned.plan));
  return std::move(planned.decision);
}

void SweepTimer::plan_baseline() {
  if (std::exchange(baseline_planned_, true) || !not_replayed_.empty()) return;
  capturing(binaries_.baseline).name(binaries_.baseline);
  PlanDecision decision = taken_plan(binaries_.baseline, plans_.path() + "/baseline");
  if (decision.judged != Judged::replay) not_replayed_ = "the baseline, " + decision.reason;
}

const Device& SweepTimer::device() {
  plan_baseline();
  return (not_replayed_.empty() ? *replays_ : own()).runner().device();
}

// What left the bytes of a call that was right is right: no other call is copied here and looked at.
std::optional<Fault> SweepTimer::check_replay(Runner& runner) {
  std::string left = prepared_.problem.has_given() ? "" : runner.left_by(RunnerArm::candidate, asked_);
  if (right_.contains(left)) return std::nullopt;
  auto fault = check_call(runner);
  if (!fault && !left.empty()) right_.insert(left);
  return fault;
}

void SweepTimer::time(SweepProcess& process, QuickTiming& timing) {
  Runner& runner = process.runner();
  PassResult warm_up = runner.pass(RunnerArm::candidate, 3, secret_seed());
  int calls = calls_for_time(warm_up.wall_ms / static_cast<double>(warm_up.event_ms.size()));
  BlockSamples raw;
  of_arm(raw.passes, Arm::baseline) = process.drift_before();
  of_arm(raw.passes, Arm::candidate) = runner.pass(RunnerArm::candidate, calls, secret_seed());
  of_arm(raw.passes, Arm::baseline_again) = process.drift_after();
  bool by_kernels = timing.clock == "cupti" && kernel_times_hold(raw);
  if (timing.clock == "cupti" && !by_kernels) timing.clock = "events";
  timing.block = block_of(raw, by_kernels);
}

std::optional<Fault> SweepTimer::replay(const std::string& plan, QuickTiming& timing) {
  timing.runner = judged_name(Judged::replay);
  return replays_->with(plan, [&](Runner& runner) {
    auto fault = check_replay(runner);
    if (!fault) time(*replays_, timing);
    return fault;
  });
}

std::optional<Fault> SweepTimer::call(const std::string& library, QuickTiming& timing) {
  const bool on_host = own().runner().on_host();
  timing.clock = own().runner().device().clock;
  timing.runner = on_host ? "host" : judged_name(Judged::in_process);
  return own().with(library, [&](Runner& runner) {
    auto fault = check_call(runner);
    if (!fault) time(own(), timing);
    return fault;
  });
}

QuickTiming SweepTimer::measure(const std::string& library) {
  QuickTiming timing;
  timing.clock = device().clock;
  timing.reason = not_replayed_;
  if (not_replayed_.empty()) {
    const std::string file = plans_.path() + "/candidate";
    begin(library);
    PlanDecision decision = taken_plan(library, file);
    if (decision.judged == Judged::refused) {
      timing.fault = Fault{decision.fault, decision.reason, true};
      return timing;
    }
    timing.reason = decision.reason;
    if (decision.judged == Judged::replay) {
      auto fault = replay(file, timing);
      if (!fault) return timing;
      timing.reason = "its replay does not do what its own process does: " + fault->detail;
    }
  }
  timing.fault = call(library, timing);
  if (timing.fault) timing.reason.clear();  // it is no better there
  return timing;
}

Dims awkward_shape(const Task& task, const TaskBackend& backend) {
  const Dims* best = nullptr;
  for (const Dims& dims : task.hidden) {
    if (broken_limit(task, dims)) continue;
    bool better = !best || has_odd(dims) > has_odd(*best) ||
                  (has_odd(dims) == has_odd(*best) && volume(dims) > volume(*best));
    if (better) best = &dims;
  }
  return best ? *best : backend.timed.front();
}

std::optional<QuickTime> quick_time(const Measurement& m) {
  if (m.correctness != "pass" || m.runs.empty() || m.runs[0].shapes.empty()) return std::nullopt;
  const auto& blocks = m.runs[0].shapes[0].blocks;
  if (blocks.empty()) return std::nullopt;
  const auto& passes = blocks[0].passes;
  QuickTime time{median(of_arm(passes, Arm::candidate).ms), 0};
  double before = median(of_arm(passes, Arm::baseline).ms),
         after = median(of_arm(passes, Arm::baseline_again).ms);
  if (!(time.ms > 0) || !(before > 0) || !(after > 0)) return std::nullopt;
  time.noise =
      half_width(of_arm(passes, Arm::candidate).ms) / time.ms + std::abs(std::log(after / before)) / 2;
  return time;
}

}  // namespace explog::bench
