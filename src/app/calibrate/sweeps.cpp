// Spaces of configurations of kernels/, every one measured -> what each single change does, as records.
#include <fmt/format.h>

#include <atomic>
#include <map>

#include "app/calibrate/calibrate.h"
#include "app/calibrate/gpu_workers.h"
#include "app/calibrate/sweep_records.h"
#include "app/calibrate/sweep_store.h"
#include "app/judge/bench_request.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "store/measurements.h"

namespace explog::app {
namespace {

using namespace bench;

// One sweep at one shape: what one worker measures, so that what is compared was measured on one GPU.
struct Unit {
  std::shared_ptr<const SweepWork> work;
  std::shared_ptr<std::mutex> building;  // one worker builds for all shapes of the sweep
  Dims shape;
};

// The name runners give to the device, all of which are of one model.
// Compilers use every core; what does not compile shows again when its turn comes.
void build_all(const SweepWork& work, const std::vector<std::size_t>& todo, const Worker& worker,
               GpuWorkers& workers) {
  Builder builder(worker.toolchain);
  std::atomic<std::size_t> next = 0;
  std::string name = work.task.task.name + "/" + work.sweep.file;
  parallel_for(std::max(1u, std::thread::hardware_concurrency()), 1, [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < todo.size() && !workers.out_of_time(); i = next++) {
      workers.progress(worker, name)(fmt::format("compiling {} of {}", i + 1, todo.size()));
      try {
        builder.candidate(work.task.task, work.configuration(todo[i]));
      } catch (const Error&) {  // a full disk, say: it comes again where it can be told
      }
    }
  });
}

// Measurements of this sweep at this shape that are in the database, by the configurations' hashes.
std::map<std::string, Measurement> known_measurements(const Unit& unit, const std::string& gpu,
                                                      const std::string& toolkit, const Session& session) {
  Measurement wanted = named_measurement(*unit.work, 0, unit.shape);
  wanted.gpu = gpu, wanted.toolkit = toolkit;
  sql::Db db = session.reader();
  std::map<std::string, Measurement> known;
  for (Measurement& m : store::measurements_like(db, wanted)) {
    if (m.runs.empty() || m.runs[0].shapes.empty() || m.runs[0].shapes[0].dims != unit.shape) continue;
    known.try_emplace(m.candidate.hash, std::move(m));  // the first stays: records were derived from it
  }
  return known;
}

Measured measured_of(const Unit& unit, const std::map<std::string, Measurement>& known) {
  Measured measured(unit.work->configurations.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    auto it = known.find(named_measurement(*unit.work, i, unit.shape).candidate.hash);
    if (it != known.end()) measured[i] = it->second;
  }
  return measured;
}

class Sweeps {
 public:
  Sweeps(GpuWorkers& workers, const SweepListener& listener, const Session& session)
      : workers_(workers), listener_(listener), session_(session) {}

  // What is left to measure of these sweeps, a unit a shape; units with nothing left are derived from, too.
  std::vector<Unit> plan(const std::vector<FoundSweep>& sweeps) {
    std::vector<Unit> units;
    std::size_t all = 0;
    for (const FoundSweep& found : sweeps) {
      FoundTask task = find_task(found.task, "");
      if (gpu_.empty()) gpu_ = device_name(task, workers_.toolchain());
      auto work = std::make_shared<const SweepWork>(prepare_sweep(found, task, workers_.toolchain()));
      auto building = std::make_shared<std::mutex>();
      for (const Dims& shape : backend_of(work->task.task, workers_.toolchain().backend).timed) {
        units.push_back({work, building, shape});
        all += work->configurations.size() - known(units.back()).size();
        configurations_ += work->configurations.size();
      }
    }
    workers_.expect(all);
    return units;
  }
  std::size_t measured_before() const { return configurations_ - workers_.left(); }
  std::size_t configurations() const { return configurations_; }

  std::vector<SweepResult> run(std::vector<Unit> units) {
    workers_.work(std::move(units), [this](Worker& worker, const Unit& unit) {
      std::vector<std::string> warnings;
      measure(worker, unit, workers_.session_with(warnings));
      workers_.with_database([&] { derive(unit, warnings); });
    });
    return std::move(results_);
  }

 private:
  std::map<std::string, Measurement> known(const Unit& unit) const {
    return known_measurements(unit, gpu_, workers_.toolchain().version, session_);
  }

  // Each configuration is on disk before the next one begins.
  void measure(Worker& worker, const Unit& unit, const Session& session) {
    std::vector<std::size_t> todo = unmeasured(unit);
    if (todo.empty() || workers_.out_of_time()) return;
    {
      std::lock_guard lock(*unit.building);
      build_all(*unit.work, todo, worker, workers_);
    }
    std::string name = unit.work->task.task.name + " " + dims_text(unit.shape);
    workers_.progress(worker, name)("preparing");
    SweepShape shape(*unit.work, worker.toolchain, unit.shape);
    for (std::size_t i = 0; i < todo.size() && !workers_.out_of_time(); ++i) {
      workers_.progress(worker, name)(settings_text(unit.work->settings(todo[i])));
      Measurement m = shape.measure(todo[i]);
      if (i + 1 < todo.size()) shape.begin(todo[i + 1]);
      workers_.with_database([&] {
        record_measurement(session, m);
        workers_.count_one();
      });
    }
  }

  std::vector<std::size_t> unmeasured(const Unit& unit) const {
    std::map<std::string, Measurement> there = known(unit);
    std::vector<std::size_t> todo;
    for (std::size_t i = 0; i < unit.work->configurations.size(); ++i) {
      if (!there.contains(named_measurement(*unit.work, i, unit.shape).candidate.hash)) todo.push_back(i);
    }
    return todo;
  }

  void derive(const Unit& unit, const std::vector<std::string>& warnings) {
    Measured measured = measured_of(unit, known(unit));
    std::vector<Experience> changes = sweep_experiences(*unit.work, measured);
    SweepResult r;
    r.task = unit.work->task.task.name;
    r.file = unit.work->sweep.file;
    r.shape = dims_text(unit.shape);
    r.configurations = measured.size();
    r.add(*unit.work, measured);
    r.added = record_changes(session_, changes);
    r.add(changes);
    workers_.pass_on(warnings);
    listener_.sweep(r);
    results_.push_back(std::move(r));
  }

  GpuWorkers& workers_;
  const SweepListener& listener_;
  const Session& session_;
  std::string gpu_;
  std::size_t configurations_ = 0;
  std::vector<SweepResult> results_;
};

}  // namespace

std::vector<FoundSweep> chosen_sweeps(const CalibrateOptions& o) {
  std::vector<FoundSweep> chosen;
  std::vector<std::string> names;
  for (FoundSweep& found : embedded_sweeps(o.backend)) {
    names.push_back(found.task);
    if (is_wanted(o, found.task)) chosen.push_back(std::move(found));
  }
  check_families(o, names, "sweep");
  return chosen;
}

SweepResults calibrate_sweeps(const CalibrateOptions& o, const Session& session,
                              const SweepListener& listener) {
  std::vector<FoundSweep> chosen = chosen_sweeps(o);
  GpuWorkers workers(o, session);
  Sweeps sweeps(workers, listener, session);
  std::vector<Unit> units = sweeps.plan(chosen);
  listener.begins(sweeps.configurations(), sweeps.measured_before());
  SweepResults results{sweeps.run(std::move(units)), 0};
  results.left = workers.left();
  return results;
}

}  // namespace explog::app
