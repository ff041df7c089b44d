#include "bench/measure.h"

#include <algorithm>
#include <future>

#include "bench/confirm.h"
#include "bench/elsewhere.h"
#include "bench/judge/verdict.h"
#include "bench/sabotage.h"
#include "bench/sanitizer.h"
#include "bench/shared_processes.h"

namespace explog::bench {
namespace {

constexpr int most_attempts = 3;  // at times that mean something

// How a candidate is timed, and what has come of it so far.
struct Course {
  Measurement& m;
  Workbench& bench;
  TrustedProcesses& trusted;
  Runner* elsewhere;  // for a look at other shapes, where it is wanted
  const Binaries& binaries;
  const Progress& progress;
  Plans plans;
  std::unique_ptr<Runner> next;  // of the next timing, where it began beside what comes before it
  std::unique_ptr<Runner> then;  // of the one after it, likewise
};

// Only a gain can be the work of a forged clock or of a sabotaged baseline; a replay has no host code that could do so.
std::optional<Fault> against_keep(Course& c, Timing& timing, const TimingOptions& options) {
  for (const auto& fault : timing.against) {
    if (fault) return fault;
  }
  if (c.plans.judged == Judged::replay) return std::nullopt;
  auto fault = baseline_slowed(c.bench, c.trusted, c.binaries, timing);
  if (fault || timing.clock != "steady") return fault;
  return gain_lost_apart(c.bench, c.trusted, c.binaries, timing, options, c.progress);
}

std::optional<Fault> fault_of(const Measurement& m, Course& c, Timing& timing, const TimingOptions& options) {
  if (timing.fault) return timing.fault;
  if (auto fault = lacks_shape(timing.run, c.bench.backend().timed)) return fault;
  Measurement so_far = m;
  so_far.in_process_allowed = true;  // what a gain would be worth
  return judge(so_far).verdict == Decision::keep ? against_keep(c, timing, options) : std::nullopt;
}

void forget_begun(Course& c) {
  c.next.reset();
  c.then.reset();
}

void judge_in_process(Course& c, const std::string& reason) {
  forget_begun(c);  // for a replay
  c.plans.judged = Judged::in_process;
  c.plans.reason = reason;
}

Timing time_in(Runner& runner, Course& c, const Timing* before, const TimingOptions& options) {
  return time_candidate(c.bench, c.trusted, runner, c.binaries, c.plans, before, options, c.progress);
}

std::unique_ptr<Runner> begin_next(Course& c, const TimingOptions& options) {
  return begin_timing(c.bench, c.binaries, c.plans.judged, options.use_cupti);
}

// Where a replay fails, host code has a part in what its own process does right.
Timing time_once(Course& c, const Timing* before, const TimingOptions& options) {
  bool replayed = c.plans.judged == Judged::replay;
  std::unique_ptr<Runner> lent = replayed && options.replays ? options.replays->take() : nullptr;
  if (lent) {
    Timing timing = time_in(*lent, c, before, options);
    if (!timing.fault) options.replays->give_back(std::move(lent));
    if (!timing.fault || timing.fault->reason == work_escaped) return timing;
  }
  std::unique_ptr<Runner> begun = std::move(c.next);
  if (!begun || !begun->has_begun()) begun = begin_next(c, options);
  Timing timing = time_in(*begun, c, replayed ? before : nullptr, options);
  if (!replayed || !timing.fault || timing.fault->reason == work_escaped) return timing;
  judge_in_process(c, "its replay does not do what its own process does: " + timing.fault->detail);
  return time_in(*begin_next(c, options), c, nullptr, options);
}

// One more process; nothing when what it saw decides already. Where the machine slowed the baseline down, another one counts
// instead, up to two.
std::optional<Timing> add_run(Course& c, const Timing* before, const TimingOptions& options) {
  Measurement& m = c.m;
  m.runs.emplace_back();
  Timing timing;
  std::optional<Fault> fault;
  std::vector<std::string> warnings;  // of the attempt that counts
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    timing = time_once(c, before, options);
    m.clock = timing.clock;
    m.sync_inside = timing.sync_inside;
    warnings = timing.warnings;
    m.runs.back() = timing.run;
    fault = fault_of(m, c, timing, options);
    m.runs.back() = timing.run;  // with what was confirmed
    if (!fault || fault->reason != machine_busy) break;
    if (attempt < most_attempts) c.progress("something else used the machine: once more");
  }
  m.warnings.insert(m.warnings.end(), warnings.begin(), warnings.end());
  if (!fault) return timing;
  set_fault(m, *fault);
  return std::nullopt;
}

Plans plans_of(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder,
               const TimingOptions& options, std::launch how = std::launch::async) {
  SharedCaptures* shared = how == std::launch::async ? options.captures : nullptr;
  if (options.use_cupti) return make_plans(bench, binaries, folder, how, shared);
  Plans none;
  none.reason = "without CUPTI nothing can be captured";
  return none;
}

// On a GPU, candidates are timed by what they ask of the device; false where that alone decides.
bool choose_runner(Course& c, const std::shared_future<Plans>& plans, const PrivateFolder& folder,
                   const TimingOptions& options) {
  if (!c.bench.builder().toolchain().row().on_gpu) {
    c.m.runner = "host";
    return true;
  }
  c.progress("capturing what is asked of the device");
  c.plans = plans.get();
  // Beside each other and the check there may have been too little memory.
  if (!c.plans.captured) c.plans = plans_of(c.bench, c.binaries, folder, options, std::launch::deferred);
  c.m.warnings.insert(c.m.warnings.end(), c.plans.notes.begin(), c.plans.notes.end());
  c.m.in_process_allowed = options.allow_in_process;
  if (c.plans.judged != Judged::replay) forget_begun(c);
  if (c.plans.judged == Judged::refused) set_fault(c.m, {c.plans.fault, c.plans.reason, true});
  return c.plans.judged != Judged::refused;
}

// Captures while the candidate is checked: processes that launch kernels take a second or more to begin.
std::shared_future<Plans> plan_beside(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder,
                                      const TimingOptions& options) {
  bool on_gpu = bench.builder().toolchain().row().on_gpu;
  return std::async(on_gpu ? std::launch::async : std::launch::deferred,
                    [&] { return plans_of(bench, binaries, folder, options); })
      .share();
}

// Processes that use the device take a second to begin: those that will be asked first do so beside each other.
std::unique_ptr<Runner> begin_check(const Workbench& bench, const Binaries& binaries,
                                    const TimingOptions& options) {
  if (options.passed) return nullptr;
  return std::unique_ptr<Runner>(new Runner(bench.begin_runner(binaries.candidate)));
}
std::unique_ptr<Runner> begin_replay(Workbench& bench, const Binaries& binaries,
                                     const TimingOptions& options) {
  if (!bench.builder().toolchain().row().on_gpu || !options.use_cupti || options.replays) return nullptr;
  return begin_timing(bench, binaries, Judged::replay, options.use_cupti);
}

void note_runner(Course& c) {
  if (c.m.runner == "host") return;
  c.m.runner = judged_name(c.plans.judged);
  c.m.runner_reason = c.plans.reason;
}

// On a GPU, where a call returns while the device still works on it.
void note_launches(Measurement& m, const CheckReport& check) {
  if (m.runner == "host") return;
  for (MeasurementRun& run : m.runs) {
    for (ShapeRun& shape : run.shapes) {
      for (const ShapeReport& checked : check.shapes) {
        if (checked.dims == shape.dims) shape.launch_ms = checked.launch_ms;
      }
    }
  }
}

// Where another shape is looked at, what shows a gain again begins beside that; else before anything is timed.
std::unique_ptr<Runner> begin_again(Workbench& bench, const Binaries& binaries,
                                    const TimingOptions& options) {
  return options.elsewhere || options.passed ? nullptr : begin_replay(bench, binaries, options);
}

std::unique_ptr<Runner> begin_elsewhere(Workbench& bench, const Binaries& binaries,
                                        const TimingOptions& options) {
  if (!options.elsewhere && !options.passed) return nullptr;
  return std::unique_ptr<Runner>(new Runner(bench.begin_runner(binaries.demanding())));
}

// What began beside the check has begun, before anything is timed.
void wait_until_alone(Course& c, const TimingOptions& options) {
  for (std::unique_ptr<Runner>* begun : {&c.next, &c.then}) {
    if (*begun && !(*begun)->has_begun()) begun->reset();
  }
  if (options.alone) options.alone();
}

CheckReport passed_before(Runner& runner) {
  CheckReport check;
  runner.hello();
  check.device = runner.device();
  return check;
}

// The process that is to show a gain again begins while another has a look at other shapes.
void look_elsewhere(Course& c, const TimingOptions& options) {
  c.next = begin_next(c, options);
  const MeasurementRun replayed = c.plans.judged == Judged::replay ? c.m.runs.back() : MeasurementRun{};
  for (std::string& line : slower_elsewhere(c.bench, c.binaries, *c.elsewhere, *c.next, replayed, c.progress))
    c.m.warnings.push_back(std::move(line));
}

void time_in_fresh_processes(Course& c, const TimingOptions& options) {
  if (options.passed) {
    add_run(c, nullptr, options);
    return;
  }
  TimingOptions first = options;
  first.narrow = to_decide;
  first.repeats = false;  // the second process, as which a gain counts, makes them once more
  std::optional<Timing> timing = add_run(c, nullptr, first);
  if (!timing || judge(c.m).verdict != Decision::keep) return;
  c.next = std::move(c.then);
  if (options.elsewhere) look_elsewhere(c, options);
  TimingOptions again = options;
  if (c.plans.judged != Judged::replay)
    again.verified_calls = std::min(options.verified_calls, 3);  // the first process was watched closely
  again.verified_replays = 1;
  again.narrow = to_report;
  add_run(c, &*timing, again);
}

}  // namespace

// A fault's word is never the one of a check that passed.
void set_fault(Measurement& m, const Fault& fault) {
  m.correctness = fault.reason == "pass" ? "protocol" : fault.reason;
  m.correctness_detail = (fault.cheat ? "cheat: " : "") + fault.detail;
}

void describe_device(Measurement& m, const Device& device, const Toolchain& toolchain) {
  m.backend = toolchain.backend;
  m.gpu = device.gpu;
  m.arch = device.arch;
  m.driver = device.driver;
  m.toolkit = toolchain.toolkit();
  m.flush_bytes = device.flush_bytes;
}

CheckReport measure_candidate(Measurement& m, Workbench& bench, const Binaries& binaries,
                              const TimingOptions& options, const Progress& progress) {
  std::unique_ptr<Runner> checked = begin_check(bench, binaries, options);
  TrustedProcesses trusted(bench, binaries);
  std::unique_ptr<Runner> elsewhere = begin_elsewhere(bench, binaries, options);
  std::unique_ptr<Runner> replay = begin_replay(bench, binaries, options),
                          again = begin_again(bench, binaries, options);
  PrivateFolder folder;  // of the plans
  std::shared_future<Plans> plans = plan_beside(bench, binaries, folder, options);
  CheckReport check = options.passed ? passed_before(*elsewhere)
                                     : check_candidate(bench, trusted, *checked, binaries, progress);
  if (options.sanitizer) sanitize(check, bench, binaries, progress, plans);
  describe_device(m, check.device, bench.builder().toolchain());
  m.warnings = check.warnings;
  for (const ShapeReport& shape : check.shapes) {
    if (shape.usual) m.checked.push_back(*shape.usual);
  }
  if (check.verdict != CheckVerdict::pass) {
    set_fault(m, {check.reason, check.detail, check.verdict == CheckVerdict::cheat});
    return check;
  }
  m.correctness = "pass";
  m.correctness_detail = check.detail;
  Course course{m,        bench, trusted,           elsewhere.get(), binaries,
                progress, {},    std::move(replay), std::move(again)};
  if (choose_runner(course, plans, folder, options)) {
    wait_until_alone(course, options);
    time_in_fresh_processes(course, options);
    if (options.timed && m.correctness == "pass") options.timed(binaries, course.plans);
  }
  note_runner(course);
  note_launches(m, check);
  if (elsewhere) elsewhere->abandon();
  return check;
}

}  // namespace explog::bench
