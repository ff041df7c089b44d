// Spaces of configurations of kernels/, every one measured -> what each single change does, as records.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "bench/record.h"
#include "cli/calibrate.h"
#include "cli/crew.h"
#include "cli/judging.h"
#include "cli/sweep_records.h"
#include "cli/sweep_report.h"
#include "model/check.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

// One sweep at one shape: what one worker measures, so that what is compared was measured on one GPU.
struct Unit {
  std::shared_ptr<const SweepWork> work;
  std::shared_ptr<std::mutex> building;  // one worker builds for all shapes of the sweep
  Dims shape;
};

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

int print_plan(const std::vector<FoundSweep>& sweeps, Context& context) {
  for (const FoundSweep& found : sweeps) {
    std::vector<std::string> names;
    for (const SweepParameter& p : found.sweep.parameters) names.push_back(p.name);
    context.out << fmt::format("{:<28} {:>4} configurations of {}\n", found.task + "/" + found.sweep.file,
                               configurations(found.sweep).size(), join(names, ", "));
  }
  return 0;
}

// The name runners give to the device, all of which are of one model.
std::string device_name(const FoundTask& task, const Toolchain& toolchain) {
  Workbench bench(task.task, task.folder, toolchain.backend, toolchain);
  return bench.start_runner(bench.outputs).device().gpu;
}

// Compilers use every core; what does not compile shows again when its turn comes.
void build_all(const SweepWork& work, const std::vector<std::size_t>& todo, const Worker& worker,
               Crew& crew) {
  Builder builder(worker.toolchain);
  std::atomic<std::size_t> next = 0;
  std::string name = work.task.task.name + "/" + work.sweep.file;
  parallel_for(std::max(1u, std::thread::hardware_concurrency()), 1, [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < todo.size() && !crew.out_of_time(); i = next++) {
      crew.progress(worker, name)(fmt::format("compiling {} of {}", i + 1, todo.size()));
      try {
        builder.candidate(work.task.task, work.configuration(todo[i]));
      } catch (const Error&) {  // a full disk, say: it comes again where it can be told
      }
    }
  });
}

// Measurements of this sweep at this shape that are in the database, by the configurations' hashes.
std::map<std::string, Measurement> known_measurements(const Unit& unit, const std::string& gpu,
                                                      const std::string& toolkit, Context& context) {
  Measurement wanted = named_measurement(*unit.work, 0, unit.shape);
  sql::Db db = context.reader();
  sql::Stmt read(db,
                 "SELECT body FROM event WHERE kind=2 AND json_valid(body) "
                 "AND json_extract(body,'$.task_hash')=?1 AND json_extract(body,'$.harness_hash')=?2 "
                 "AND json_extract(body,'$.baseline.hash')=?3 AND json_extract(body,'$.gpu')=?4 "
                 "AND json_extract(body,'$.toolkit')=?5 AND json_extract(body,'$.mode')=?6 ORDER BY rid");
  read.bind_text(1, wanted.task_hash).bind_text(2, wanted.harness_hash).bind_text(3, wanted.baseline.hash);
  read.bind_text(4, gpu).bind_text(5, toolkit).bind_text(6, wanted.mode);
  std::map<std::string, Measurement> known;
  while (read.step()) {
    try {
      Measurement m = parse_measurement(read.text(0));
      if (m.runs.empty() || m.runs[0].shapes.empty() || m.runs[0].shapes[0].dims != unit.shape) continue;
      known.try_emplace(m.candidate.hash, std::move(m));  // the first stays: records were derived from it
    } catch (const JsonError&) {                          // a stranger's event may hold anything
    }
  }
  return known;
}

Measured measured_of(const Unit& unit, const std::map<std::string, Measurement>& known) {
  Measured measured(unit.work->settings.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    auto it = known.find(named_measurement(*unit.work, i, unit.shape).candidate.hash);
    if (it != known.end()) measured[i] = it->second;
  }
  return measured;
}

void record(Context& context, const Measurement& m) {
  store::Draft draft{Kind::measurement, log_line(m), {}, {}, 0};
  draft.id = uuid_v8(draft.body);
  context.writer().append({std::move(draft)});
}

// Records that are there already are not stored again.
std::size_t record_changes(Context& context, std::vector<Experience>& list) {
  std::vector<store::Draft> drafts;
  for (Experience& e : list) {
    Remarks remarks = prepare(e, "measured");
    if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
    drafts.push_back({Kind::experience, to_json(e), e, {}, 0});
    drafts.back().id = uuid_v8(drafts.back().body);
  }
  std::vector<store::Appended> stored = context.writer().append(std::move(drafts));
  return static_cast<std::size_t>(
      std::count_if(stored.begin(), stored.end(), [](const store::Appended& a) { return a.created; }));
}

class Sweeps {
 public:
  Sweeps(Crew& crew, Context& context) : crew_(crew), context_(context) {}

  // What is left to measure of these sweeps, a unit a shape; units with nothing left are derived from, too.
  std::vector<Unit> plan(const std::vector<FoundSweep>& sweeps) {
    std::vector<Unit> units;
    std::size_t all = 0;
    for (const FoundSweep& found : sweeps) {
      FoundTask task = find_task(found.task, "");
      if (gpu_.empty()) gpu_ = device_name(task, crew_.toolchain());
      auto work = std::make_shared<const SweepWork>(prepare_sweep(found, task, crew_.toolchain()));
      auto building = std::make_shared<std::mutex>();
      for (const Dims& shape : work->backend().timed) {
        units.push_back({work, building, shape});
        all += work->settings.size() - known(units.back()).size();
        configurations_ += work->settings.size();
      }
    }
    crew_.expect(all);
    return units;
  }
  std::size_t measured_before() const { return configurations_ - crew_.left(); }
  std::size_t configurations() const { return configurations_; }

  std::vector<SweepResult> run(std::vector<Unit> units) {
    crew_.work(std::move(units), [this](Worker& worker, const Unit& unit) {
      Context context = crew_.context_of(worker);
      measure(worker, unit, context);
      crew_.at_desk([&] { derive(worker, unit); });
    });
    return std::move(results_);
  }

 private:
  std::map<std::string, Measurement> known(const Unit& unit) const {
    return known_measurements(unit, gpu_, crew_.toolchain().version, context_);
  }

  // Each configuration is on disk before the next one begins.
  void measure(Worker& worker, const Unit& unit, Context& context) {
    std::vector<std::size_t> todo = unmeasured(unit);
    if (todo.empty() || crew_.out_of_time()) return;
    {
      std::lock_guard lock(*unit.building);
      build_all(*unit.work, todo, worker, crew_);
    }
    std::string name = unit.work->task.task.name + " " + dims_text(unit.shape);
    crew_.progress(worker, name)("preparing");
    SweepShape shape(*unit.work, worker.toolchain, unit.shape);
    for (std::size_t i = 0; i < todo.size() && !crew_.out_of_time(); ++i) {
      crew_.progress(worker, name)(settings_text(unit.work->settings[todo[i]]));
      Measurement m = shape.measure(todo[i]);
      crew_.at_desk([&] {
        record(context, m);
        crew_.count_one();
      });
    }
  }

  std::vector<std::size_t> unmeasured(const Unit& unit) const {
    std::map<std::string, Measurement> there = known(unit);
    std::vector<std::size_t> todo;
    for (std::size_t i = 0; i < unit.work->settings.size(); ++i) {
      if (!there.contains(named_measurement(*unit.work, i, unit.shape).candidate.hash)) todo.push_back(i);
    }
    return todo;
  }

  void derive(Worker& worker, const Unit& unit) {
    Measured measured = measured_of(unit, known(unit));
    std::vector<Experience> changes = sweep_experiences(*unit.work, measured);
    SweepResult r;
    r.task = unit.work->task.task.name;
    r.file = unit.work->sweep.file;
    r.shape = dims_text(unit.shape);
    r.configurations = measured.size();
    r.add(*unit.work, measured);
    r.added = record_changes(context_, changes);
    r.add(changes);
    crew_.pass_on_warnings(worker);
    if (!context_.json) print_sweep(context_, r);
    context_.out << std::flush;
    results_.push_back(std::move(r));
  }

  Crew& crew_;
  Context& context_;
  std::string gpu_;
  std::size_t configurations_ = 0;
  std::vector<SweepResult> results_;
};

}  // namespace

int calibrate_sweeps(const CalibrateOptions& o, Context& context) {
  std::vector<FoundSweep> chosen = chosen_sweeps(o);
  if (o.dry_run) return print_plan(chosen, context);
  Crew crew(o, context);
  Sweeps sweeps(crew, context);
  std::vector<Unit> units = sweeps.plan(chosen);
  if (!context.quiet && !context.json)
    context.out << fmt::format("{} configurations, {} measured before\n", sweeps.configurations(),
                               sweeps.measured_before())
                << std::flush;
  std::vector<SweepResult> results = sweeps.run(std::move(units));
  if (context.json) {
    print_sweeps_json(context, results, crew.left());
    return 0;
  }
  print_shares(context, results);
  if (crew.left() > 0)
    context.out << fmt::format("{} measurements left: the same command goes on\n", crew.left());
  return 0;
}

}  // namespace explog::cli
