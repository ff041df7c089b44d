// The ladders of kernels/ on the GPUs here, step against step -> records at level `measured`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "app/calibrate/calibrate.h"
#include "app/calibrate/family_run.h"
#include "app/calibrate/gpu_workers.h"
#include "app/calibrate/ladder_steps.h"
#include "app/calibrate/turns.h"
#include "app/judge/attempt.h"
#include "app/records/profiles.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "bench/judge/record.h"
#include "bench/ladder.h"
#include "model/backend.h"
#include "store/measurements.h"

namespace explog::app {
namespace {

using namespace bench;

constexpr std::size_t most_beside = 6, processors_each = 3;  // of steps that are checked beside each other
constexpr int most_calls = 16;  // of a pass: evidence needs no half-width below 0.5%

BenchRequest request_of(const Step& step, const Toolchain& toolchain) {
  BenchRequest request;
  request.found = find_task(step.task, "");
  request.candidate = source_of(request.found, step.file);
  request.baseline = source_of(request.found, step.after);
  request.toolchain = toolchain;
  return request;
}

// All of a step: a workbench, and the two files that are compared.
struct StepRun {
  Step step;
  BenchRequest request;
  std::unique_ptr<Workbench> bench;
};

StepRun step_run(const Step& step, const Toolchain& toolchain, bool baseline_passes) {
  StepRun run{step, request_of(step, toolchain), nullptr};
  run.bench = std::make_unique<Workbench>(run.request.found, toolchain);
  run.bench->timed_once = true;
  run.bench->baseline_passed = baseline_passes;
  return run;
}

// Compilers use every core at once, before anything is checked or timed.
void build_all(const std::vector<Step>& steps, const Toolchain& toolchain) {
  if (steps.empty()) return;
  std::future<void> harness = begin_harness(toolchain);
  parallel_for(steps.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      BenchRequest request = request_of(steps[i], toolchain);
      Builder builder(toolchain);
      builder.candidate(request.found.task, request.candidate);
      builder.candidate(request.found.task, request.baseline);
    }
  });
  Builder(toolchain).runner();  // without it no step can run
}

std::vector<StepResult> results_of(const Step& step, const Verdict& v) {
  std::vector<StepResult> list;
  for (const ShapeVerdict& s : v.shapes) list.push_back({step, v.verdict, s, ""});
  if (list.empty()) list.push_back({step, v.verdict, std::nullopt, v.reason});
  return list;
}

// Only the record of the largest shape has counters: they are that shape's.
void add_counters(std::vector<Experience>& experiences, const StepCounters& counters) {
  if (experiences.empty() || !counters.before || !counters.after) return;
  auto volume_of = [](const Experience& e) {
    return std::accumulate(e.shape.begin(), e.shape.end(), 1.0,
                           [](double product, const auto& dim) { return product * dim.second; });
  };
  auto largest =
      std::max_element(experiences.begin(), experiences.end(),
                       [&](const Experience& a, const Experience& b) { return volume_of(a) < volume_of(b); });
  add_profile(*largest, *counters.before);
  add_profile(*largest, *counters.after);
  // What bounds the kernel at its largest shape is the best that is known for the others.
  for (Experience& e : experiences) e.bottleneck = largest->bottleneck;
}

// Of a step of a ladder that ships.
TimingOptions options_of_step(const CalibrateOptions& o) {
  TimingOptions timing;
  timing.max_seconds = o.max_seconds;
  timing.sanitizer = o.sanitizer;
  timing.allow_in_process = true;
  timing.verified_calls = 2;
  timing.repeats = timing.elsewhere = false;
  if (backend_named(o.backend).on_gpu) timing.most_calls = most_calls;
  return timing;
}

// Nothing where it may have been others beside it that let it fail, or its baseline is not right.
std::optional<std::vector<StepResult>> run_step(StepRun& run, const CalibrateOptions& o,
                                                const FamilyRun& shared, Turn& turn, const Session& session,
                                                GpuWorkers& workers, const Listener& progress) {
  StepCounters counters;
  TimingOptions timing = options_of_step(o);
  timing.captures = shared.captures.get(), timing.replays = shared.replays.get();
  timing.alone = [&] {
    turn.wait();
    if (shared.replays) shared.replays->wait();
    if (shared.counters) shared.counters->wait();
  };
  // What this step's processes take to end is no time that the next one has to wait for.
  timing.timed = [&](const Binaries& binaries, const Plans& plans) {
    if (shared.right) shared.right->add(run.step.file);
    if (shared.counters) {
      progress("counters");
      counters = shared.counters->of(*run.bench, binaries, plans, run.request.baseline.name,
                                     run.request.candidate.name, session);
    }
    turn.end();
  };
  Attempted tried = attempt(*run.bench, run.request, timing, "", session, progress);
  const Measurement& m = tried.measurement;
  if (m.correctness != "pass" && !turn.alone()) return std::nullopt;
  if (run.bench->baseline_passed && !shared.right->contains(run.step.after)) return std::nullopt;
  Verdict v = judge(m);
  std::vector<Experience> experiences = experiences_by_shape(m, v, run.request.found.task);
  for (Experience& e : experiences) {
    e.strategy = run.step.strategy;
    e.kernel = run.step.task + "/" + run.step.file;
    e.hypothesis = run.step.predicts;
    e.campaign = "calibrate";
    e.condition += ", against " + run.step.after;
    add_code(e, tried.codes);
  }
  add_chosen(experiences, tried.chosen);
  add_counters(experiences, counters);
  if (!experiences.empty())
    workers.with_database([&] {
      record_attempt(session, m, std::move(experiences));
      keep_code(tried.codes, session);
    });
  return results_of(run.step, v);
}

// What the database knows of steps on this machine's GPU, by this toolkit: others' measurements come by sync.
class MeasuredSteps {
 public:
  MeasuredSteps(const Toolchain& toolchain, const Session& session)
      : toolchain_(toolchain), db_(session.reader()), known_(store::measured_keys(db_)) {}

  bool contains(const Step& step) {
    BenchRequest request = request_of(step, toolchain_);
    Measurement wanted = named_measurement(request);
    if (!known_.contains(store::key_of(wanted))) return false;
    if (gpu_.empty()) gpu_ = device_name(request.found, toolchain_);
    wanted.gpu = gpu_, wanted.toolkit = toolchain_.toolkit();
    const TaskBackend& backend = bench::backend_of(request.found.task, toolchain_.backend);
    std::vector<Measurement> there = store::measurements_like(db_, wanted);
    return std::any_of(there.begin(), there.end(), [&](const Measurement& m) {
      return m.candidate.hash == wanted.candidate.hash && is_measured(m, gpu_, backend.timed);
    });
  }

 private:
  const Toolchain& toolchain_;
  sql::Db db_;
  std::set<store::MeasurementKey> known_;
  std::string gpu_;  // once somebody asks: a process must begin for it
};

// What is not in the database yet, family by family.
std::vector<Family> families_to_do(const std::vector<Step>& steps, const Toolchain& toolchain,
                                   const Session& session) {
  MeasuredSteps measured(toolchain, session);
  std::vector<Family> families;
  for (const Step& step : steps) {
    if (measured.contains(step)) continue;
    if (families.empty() || families.back().back().task != step.task) families.emplace_back();
    families.back().push_back(step);
  }
  return families;
}

class Ladders {
 public:
  Ladders(const CalibrateOptions& o, GpuWorkers& workers, const LadderListener& listener)
      : o_(o), workers_(workers), listener_(listener) {}

  std::vector<StepResult> run(std::vector<Family> families) {
    workers_.work(std::move(families),
                  [this](Worker& worker, const Family& family) { run_family(worker, family); });
    return std::move(results_);
  }

 private:
  // Steps that run beside each other.
  struct Batch {
    std::vector<Step> steps;
    Turns turns{steps.size()};
    std::vector<std::future<bool>> done = {};
  };

  // A batch begins when the one before has done with the device: what its processes take to end is no time to wait for. What
  // fails so is tried alone: there may have been too little memory.
  void run_family(Worker& worker, const Family& family) {
    const FamilyRun shared = shared_of(worker, family);
    std::vector<Step> again;
    std::unique_ptr<Batch> before;
    std::size_t beside = steps_beside();
    for (std::size_t i = 0; i < family.size() && !workers_.out_of_time(); i += beside) {
      auto first = family.begin() + static_cast<std::ptrdiff_t>(i);
      auto last = first + static_cast<std::ptrdiff_t>(std::min(beside, family.size() - i));
      std::unique_ptr<Batch> batch = begin_batch(worker, {first, last}, shared);
      if (before) end_batch(*before, again);
      batch->turns.wait_for_all();
      if (beside == 1) end_batch(*batch, again);
      before = beside == 1 ? nullptr : std::move(batch);
    }
    if (before) end_batch(*before, again);
    for (const Step& step : again) begin_batch(worker, {step}, shared)->done.front().get();
  }

  FamilyRun shared_of(const Worker& worker, const Family& family) const {
    FamilyRun shared;
    if (!backend_named(o_.backend).on_gpu) return shared;
    const FoundTask found = find_task(family.front().task, "");
    shared.right = std::make_unique<RightFiles>();
    shared.family = &family;
    if (!o_.no_profile) shared.counters = std::make_unique<FamilyCounters>(found, worker.toolchain);
    shared.captures = std::make_unique<SharedCaptures>();
    shared.replays = std::make_unique<ReplayProcesses>(found, worker.toolchain, true);
    return shared;
  }

  // On the host whatever runs beside a step would slow it down.
  std::size_t steps_beside() const {
    if (!backend_named(o_.backend).on_gpu) return 1;
    std::size_t processors = std::thread::hardware_concurrency() / workers_.size();
    return std::clamp<std::size_t>(processors / processors_each, 1, most_beside);
  }

  // They are checked beside each other, then timed and counted one after the other.
  std::unique_ptr<Batch> begin_batch(Worker& worker, std::vector<Step> steps, const FamilyRun& shared) {
    std::unique_ptr<Batch> batch(new Batch{std::move(steps)});
    for (std::size_t i = 0; i < batch->steps.size(); ++i)
      batch->done.push_back(std::async(std::launch::async, [this, &worker, &shared, i, b = batch.get()] {
        Turn turn(b->turns, i);
        return try_step(worker, b->steps[i], turn, shared);
      }));
    return batch;
  }

  // `again`: also those that are to be tried alone.
  static void end_batch(Batch& batch, std::vector<Step>& again) {
    for (std::size_t i = 0; i < batch.steps.size(); ++i) {
      if (!batch.done[i].get()) again.push_back(batch.steps[i]);
    }
  }

  // One step that cannot run does not end the rest. False where it is to be tried alone.
  bool try_step(Worker& worker, const Step& step, Turn& turn, const FamilyRun& shared) {
    std::vector<std::string> warnings;
    Session session = workers_.session_with(warnings);
    std::optional<std::vector<StepResult>> results;
    try {
      StepRun run = step_run(step, worker.toolchain, !turn.alone() && is_judged_before(shared, step));
      results = run_step(run, o_, shared, turn, session, workers_,
                         workers_.progress(worker, step.task + "/" + step.file));
    } catch (const Error& e) {
      if (e.exit == Exit::store) {
        workers_.with_database([&] { workers_.pass_on(warnings); });
        throw;
      }
      if (turn.alone()) results = {{step, std::nullopt, std::nullopt, e.what()}};
    }
    if (!results) return false;
    workers_.with_database([&] { report(warnings, std::move(*results)); });
    return true;
  }

  void report(const std::vector<std::string>& warnings, std::vector<StepResult> results) {
    workers_.count_one();
    workers_.pass_on(warnings);
    for (StepResult& result : results) {
      listener_.step(result);
      results_.push_back(std::move(result));
    }
  }

  const CalibrateOptions& o_;
  GpuWorkers& workers_;
  const LadderListener& listener_;
  std::vector<StepResult> results_;
};

LadderResults calibrate_backend(const CalibrateOptions& o, const Session& session,
                                const LadderListener& listener) {
  std::vector<Step> steps = steps_of(o), to_build;
  GpuWorkers workers(o, session);
  std::vector<Family> families = families_to_do(steps, workers.toolchain(), session);
  for (const Family& family : families) to_build.insert(to_build.end(), family.begin(), family.end());
  LadderResults results;
  results.skipped = steps.size() - to_build.size();
  listener.begins(o.backend, steps.size(), results.skipped);
  build_all(to_build, workers.toolchain());
  workers.expect(to_build.size());
  results.steps = Ladders(o, workers, listener).run(std::move(families));
  results.left = workers.left();
  return results;
}

}  // namespace

LadderResults calibrate_ladders(const CalibrateOptions& o, const Session& session,
                                const LadderListener& listener) {
  const auto begin = std::chrono::steady_clock::now();
  LadderResults all;
  for (CalibrateOptions& own : by_backend(o, session)) {
    constexpr double over = 1e-6;  // 0 would be no limit
    std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
    if (o.budget_minutes > 0) own.budget_minutes = std::max(over, o.budget_minutes - gone.count() / 60);
    LadderResults results = calibrate_backend(own, session, listener);
    std::move(results.steps.begin(), results.steps.end(), std::back_inserter(all.steps));
    all.skipped += results.skipped, all.left += results.left;
  }
  return all;
}

}  // namespace explog::app
