#include "bench/quick.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bench/check.h"
#include "bench/judge/statistics.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

constexpr std::uint64_t input_seed = 0x5eed;
constexpr std::uint64_t poison_seed = protocol::ones_poison;  // a NaN where nothing was written
constexpr double longest_quick_pass_ms = 150, longest_drift_pass_ms = 30;
// Of one process: each brings a CUDA runtime of its own, with keys for threads, of which a process has 1024.
constexpr int most_libraries = 100;
constexpr int most_calls = 21, fewest_calls = 9;  // 8 samples are the fewest with a 99% interval
// Of the baseline, whose median alone counts: a kernel of many milliseconds on a GPU shows drift in three.
constexpr int fewest_drift_calls = 3;

// Outside a verdict a process that does not do as it is told is an error of this machine.
template <class Body>
auto or_error(const std::string& what, Body&& body) {
  try {
    return body();
  } catch (const Failed& f) {
    throw Error(Exit::unavailable, what + ": " + f.detail);
  }
}

// Half the 99% interval of the median; where the samples hang together too much for one, as far as the
// quartiles lie apart.
double half_width(std::vector<double> ms) {
  if (auto interval = median_interval(ms, 0.99)) return interval->half_width();
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() * 3 / 4] - ms[ms.size() / 4];
}

// As many calls as fit into `longest_ms` where each takes `each_ms`.
int calls_in_time(double longest_ms, double each_ms, int fewest, int most) {
  return static_cast<int>(std::clamp<double>(longest_ms / std::max(each_ms, 1e-3), fewest, most));
}

bool has_odd(const Dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](const auto& dim) { return dim.second % 2 != 0; });
}

}  // namespace

SweepTimer::SweepTimer(const FoundTask& task, const Toolchain& toolchain, const Binaries& trusted,
                       const Dims& shape, std::string caches)
    : binaries_(trusted), caches_(std::move(caches)), bench_(task, toolchain), trusted_(bench_, trusted) {
  begin(toolchain.row().in_python || is_module(trusted.baseline));
  prepared_ = or_error("preparing " + dims_text(shape), [&] {
    return prepare_case(bench_, trusted_, timed_case(bench_.task(), shape), input_seed);
  });
}

// Candidates in Python share an interpreter, whose start would cost more than the rest of a configuration; it may write to a
// folder of its own alone.
void SweepTimer::begin(bool in_python) {
  loaded_ = 0;
  in_python_ = in_python;
  started_ = false;
  runner_.reset();  // before the next one is there: both might not fit
  runner_.reset(new Runner(bench_.start_search_runner(in_python ? caches_ : "")));
}

// The baseline beside the place of the candidate.
void SweepTimer::start() {
  if (started_) return;
  Workbench::greet(*runner_);
  or_error("the baseline " + binaries_.baseline_name, [&] {
    runner_->load(RunnerArm::baseline, binaries_.baseline);
    runner_->shape(prepared_.problem, 1);
    PassResult warm_up = runner_->pass(RunnerArm::baseline, 3, input_seed);
    int fewest = runner_->on_host() ? fewest_calls : fewest_drift_calls;
    drift_calls_ = calls_in_time(longest_drift_pass_ms, median(warm_up.event_ms), fewest, fewest_calls);
  });
  started_ = true;
}

const Device& SweepTimer::device() {
  start();
  return runner_->device();
}

bool SweepTimer::still_works() {
  try {
    runner_->pass(RunnerArm::baseline, 1, input_seed);
    return true;
  } catch (const Failed&) {
    return false;
  }
}

// A candidate that ends its process, hangs or breaks the device does not reach the next one. An exception in Python does
// none of that, and is what many configurations end with (too much shared memory, say).
template <class Body>
std::optional<Fault> SweepTimer::guarded(const std::string& library, Body&& body) {
  try {
    bool in_python = is_module(library) || is_module(binaries_.baseline);
    if (++loaded_ > most_libraries || in_python != in_python_) begin(in_python);
    start();
    runner_->load(RunnerArm::candidate, library);
    return body();
  } catch (const Failed& f) {
    if (!in_python_ || !still_works()) begin(in_python_);
    return Fault{f.reason, f.detail};
  }
}

std::optional<Fault> SweepTimer::check(const std::string& library) {
  return guarded(library, [&] {
    ShapeReport ignored;
    bool deterministic = true;
    return verify_case(bench_, trusted_.reference, *runner_, 0, prepared_, ignored, deterministic);
  });
}

std::optional<Fault> SweepTimer::check_call() {
  const Case& c = prepared_.problem;
  bench_.outputs.reserve(slots_bytes(c));
  runner_->input(0, bench_.inputs.data());
  runner_->call(RunnerArm::candidate, 0, poison_seed, bench_.outputs.data());
  Slots slots{bench_.outputs.data(), poison_seed};
  if (auto fault = touched(c, slots, bench_.inputs.data())) return fault;
  std::vector<Comparison> errors;
  return wrong(c, slots, trusted_.reference.expected(c), prepared_.baseline, errors);
}

BlockSamples SweepTimer::time() {
  PassResult warm_up = runner_->pass(RunnerArm::candidate, 3, secret_seed());
  double each_ms = warm_up.wall_ms / static_cast<double>(warm_up.event_ms.size());
  int calls = calls_in_time(longest_quick_pass_ms, each_ms, fewest_calls, most_calls);
  BlockSamples raw;
  for (Arm arm : raw.order) {
    bool candidate = arm == Arm::candidate;
    of_arm(raw.passes, arm) = runner_->pass(runner_arm(arm), candidate ? calls : drift_calls_, secret_seed());
  }
  return raw;
}

QuickTiming SweepTimer::measure(const std::string& library) {
  QuickTiming timing;
  timing.clock = device().clock;
  timing.fault = guarded(library, [&] {
    auto fault = check_call();
    if (fault) return fault;
    BlockSamples raw = time();
    bool by_kernels = timing.clock == "cupti" && kernel_times_hold(raw);
    if (timing.clock == "cupti" && !by_kernels) timing.clock = "events";
    timing.block = block_of(raw, by_kernels);
    return fault;
  });
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
