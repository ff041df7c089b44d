// The ladders of kernels/ on the GPUs here, step against step -> records at level `measured`.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "bench/ladder.h"
#include "bench/record.h"
#include "cli/attempt.h"
#include "cli/calibrate.h"
#include "cli/crew.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

// What came of one step at one shape.
struct Learned {
  Step step;
  std::string shape, verdict, reason;
  double before_ms = 0, after_ms = 0, speedup = 0, lo = 0, hi = 0;
};

std::vector<Step> chosen_steps(const CalibrateOptions& o) {
  std::vector<Step> all = ladder_steps(o.backend), chosen;
  std::vector<std::string> names;
  for (const Step& s : all) {
    if (names.empty() || names.back() != s.task) names.push_back(s.task);
    if (is_wanted(o, s.task)) chosen.push_back(s);
  }
  check_families(o, names, "ladder");
  return chosen;
}

// What identifies a measurement, so that a repeated run goes on where the last one stopped.
std::string identity(const std::string& task_hash, const std::string& harness, const std::string& baseline,
                     const std::string& candidate) {
  return task_hash + " " + harness + " " + baseline + " " + candidate;
}

std::set<std::string> measured_before(Context& context) {
  sql::Db db = context.reader();
  sql::Stmt read(db,
                 "SELECT json_extract(body,'$.task_hash'), json_extract(body,'$.harness_hash'), "
                 "json_extract(body,'$.baseline.hash'), json_extract(body,'$.candidate.hash') FROM event "
                 "WHERE kind=2 AND json_valid(body)");
  std::set<std::string> known;
  while (read.step()) {
    known.insert(identity(std::string(read.text(0)), std::string(read.text(1)), std::string(read.text(2)),
                          std::string(read.text(3))));
  }
  return known;
}

Judgement judgement_of(const Step& step, const std::string& backend) {
  Judgement j;
  j.found = find_task(step.task, "");
  j.backend = backend;
  return j;
}

// All of a step: a workbench, and the two files that are compared.
struct Bout {
  Step step;
  Judgement judgement;
  std::unique_ptr<Workbench> bench;
};

Bout bout_of(const Step& step, const CalibrateOptions& o, const Toolchain& toolchain) {
  Bout bout{step, judgement_of(step, o.backend), nullptr};
  bout.bench = std::make_unique<Workbench>(bout.judgement.found.task, bout.judgement.found.folder, o.backend,
                                           toolchain);
  bout.judgement.candidate = bout.bench->file(step.file);
  bout.judgement.baseline = bout.bench->file(step.after);
  return bout;
}

bool is_known(const Bout& bout, const std::set<std::string>& known) {
  Measurement m = named_measurement(*bout.bench, bout.judgement);
  return known.contains(identity(m.task_hash, m.harness_hash, m.baseline.hash, m.candidate.hash));
}

// Compilers use every core at once; the GPU then runs one step after the other.
void build_all(const std::vector<Step>& steps, const Toolchain& toolchain) {
  parallel_for(steps.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      FoundTask found = find_task(steps[i].task, "");
      Workbench bench(found.task, found.folder, toolchain.backend, toolchain);
      bench.builder().candidate(found.task, bench.file(steps[i].file));
      bench.builder().candidate(found.task, bench.file(steps[i].after));
    }
  });
}

std::vector<Learned> learned_from(const Step& step, const Verdict& v) {
  std::vector<Learned> list;
  for (const ShapeVerdict& s : v.shapes)
    list.push_back(
        {step, dims_text(s.dims), v.verdict, s.status, s.baseline_ms, s.candidate_ms, s.speedup, s.lo, s.hi});
  if (list.empty()) list.push_back({step, "-", v.verdict, v.reason, 0, 0, 0, 0, 0});
  return list;
}

// Counters of each file, once: a variant is the candidate of one step and the baseline of the next.
using Profiles = std::map<std::string, std::optional<Subject>>;

std::optional<Subject> profile_of(const SourceFile& file, const std::string& role, Bout& bout,
                                  Profiles& known, Context& context) {
  std::string key = bout.step.task + "/" + file.name;
  if (!known.contains(key)) {
    Built built = bout.bench->builder().candidate(bout.bench->task(), file);
    known[key] =
        built.ok ? profile_one(*bout.bench, built.path, Profiler::cupti, role, context) : std::nullopt;
  }
  std::optional<Subject> subject = known[key];
  if (subject) subject->role = role;
  return subject;
}

// Only the record of the largest shape has counters: they are that shape's.
void add_counters(std::vector<Experience>& experiences, Bout& bout, Profiles& known, Context& context) {
  if (experiences.empty() || experiences[0].correctness != "pass") return;
  auto before = profile_of(bout.judgement.baseline, "before", bout, known, context);
  auto after = profile_of(bout.judgement.candidate, "after", bout, known, context);
  if (!before || !after) return;
  auto volume_of = [](const Experience& e) {
    return std::accumulate(e.shape.begin(), e.shape.end(), 1.0,
                           [](double product, const auto& dim) { return product * dim.second; });
  };
  auto largest =
      std::max_element(experiences.begin(), experiences.end(),
                       [&](const Experience& a, const Experience& b) { return volume_of(a) < volume_of(b); });
  add_profile(*largest, {*before, *after});
  // What bounds the kernel at its largest shape is the best that is known for the others.
  for (Experience& e : experiences) e.bottleneck = largest->bottleneck;
}

std::vector<Learned> run_step(Bout& bout, const CalibrateOptions& o, Profiles& profiles, Context& context,
                              Crew& crew, const Progress& progress) {
  TimingOptions timing;
  timing.max_seconds = o.max_seconds;
  timing.sanitizer = o.sanitizer;
  timing.verified_calls =
      2;  // our own variants: every shape was checked before, and all is checked again after
  Measurement m = attempt(*bout.bench, bout.judgement, timing, "", context, progress).measurement;
  Verdict v = judge(m);
  std::vector<Experience> experiences = experiences_by_shape(m, v, bout.judgement.found.task);
  for (Experience& e : experiences) {
    e.strategy = bout.step.strategy;
    e.kernel = bout.step.task + "/" + bout.step.file;
    e.hypothesis = bout.step.predicts;
    e.campaign = "calibrate";
    e.condition += ", against " + bout.step.after;
  }
  if (!o.no_profile && o.backend == "cuda") add_counters(experiences, bout, profiles, context);
  if (!experiences.empty()) crew.at_desk([&] { record_attempt(context, m, std::move(experiences)); });
  return learned_from(bout.step, v);
}

std::string shown(const Learned& l) {
  std::string figures =
      l.hi > 0 ? fmt::format("{:>8.3f}x  {:.3f}..{:.3f}", l.speedup, l.lo, l.hi) : "        -";
  return fmt::format("{:<28} {:<26} {:<26} {:<22} {}  {}", l.step.task + "/" + l.step.file, l.step.strategy,
                     "after " + l.step.after, l.shape, figures,
                     l.hi > 0 ? l.reason : l.verdict + " " + l.reason);
}

// The fastest variant of each task and shape, and how it compares with the naive one.
void print_best(Context& context, const std::vector<Learned>& learned) {
  std::map<std::pair<std::string, std::string>, std::pair<double, const Learned*>> best;
  std::map<std::pair<std::string, std::string>, double> naive;
  for (const Learned& l : learned) {
    if (l.hi <= 0) continue;
    auto key = std::pair(l.step.task, l.shape);
    if (l.step.after.starts_with("naive")) naive[key] = l.before_ms;
    auto [it, is_new] = best.try_emplace(key, l.after_ms, &l);
    if (!is_new && l.after_ms < it->second.first) it->second = {l.after_ms, &l};
  }
  if (!best.empty()) context.out << '\n' << context.bold("Fastest of each family and shape") << '\n';
  for (const auto& [key, value] : best) {
    auto from = naive.find(key);
    context.out << fmt::format(
        "  {:<16} {:<24} {:<26} {:>10.6f} ms{}\n", key.first, key.second, value.second->step.file,
        value.first, from != naive.end() ? fmt::format("  {:.1f}x naive", from->second / value.first) : "");
  }
}

void print_json(Context& context, const std::vector<Learned>& learned, std::size_t skipped,
                std::size_t left) {
  JsonWriter json;
  json.begin_object();
  json.key("steps");
  json.begin_array();
  for (const Learned& l : learned) {
    json.begin_object();
    for (auto [key, text] : {std::pair("task", &l.step.task),
                             {"file", &l.step.file},
                             {"strategy", &l.step.strategy},
                             {"after", &l.step.after},
                             {"predicts", &l.step.predicts},
                             {"shape", &l.shape},
                             {"verdict", &l.verdict},
                             {"status", &l.reason}})
      json.key(key), json.text(*text);
    for (auto [key, value] : {std::pair("before_ms", l.before_ms),
                              {"after_ms", l.after_ms},
                              {"speedup", l.speedup},
                              {"lo", l.lo},
                              {"hi", l.hi}})
      json.key(key), json.number(value);
    json.end_object();
  }
  json.end_array();
  json.key("skipped"), json.number(static_cast<double>(skipped));
  json.key("left"), json.number(static_cast<double>(left));
  json.end_object();
  context.out << json.str() << '\n';
}

// Steps of one family, in order: a worker takes all of them, so that what is compared was measured on one
// GPU.
using Family = std::vector<Step>;

// What is not in the database yet, family by family.
std::vector<Family> families_to_do(const std::vector<Step>& steps, const CalibrateOptions& o,
                                   const Toolchain& toolchain, Context& context) {
  std::set<std::string> known = measured_before(context);
  std::vector<Family> families;
  for (const Step& step : steps) {
    if (is_known(bout_of(step, o, toolchain), known)) continue;
    if (families.empty() || families.back().back().task != step.task) families.emplace_back();
    families.back().push_back(step);
  }
  return families;
}

class Ladders {
 public:
  Ladders(const CalibrateOptions& o, Crew& crew, Context& context) : o_(o), crew_(crew), context_(context) {}

  std::vector<Learned> run(std::vector<Family> families) {
    crew_.work(std::move(families), [this](Worker& worker, const Family& family) { climb(worker, family); });
    return std::move(learned_);
  }

 private:
  void climb(Worker& worker, const Family& family) {
    Profiles profiles;
    for (const Step& step : family) {
      if (crew_.out_of_time()) return;
      std::vector<Learned> news = take(worker, step, profiles);
      crew_.at_desk([&] { tell(worker, std::move(news)); });
    }
  }

  // One step that cannot run does not end the rest.
  std::vector<Learned> take(Worker& worker, const Step& step, Profiles& profiles) {
    Context context = crew_.context_of(worker);
    try {
      Bout bout = bout_of(step, o_, worker.toolchain);
      return run_step(bout, o_, profiles, context, crew_,
                      crew_.progress(worker, step.task + "/" + step.file));
    } catch (const Error& e) {
      if (e.exit == Exit::store) throw;
      return {{step, "-", "error", e.what(), 0, 0, 0, 0, 0}};
    }
  }

  void tell(Worker& worker, std::vector<Learned> news) {
    crew_.count_one();
    crew_.pass_on_warnings(worker);
    for (Learned& l : news) {
      if (!context_.json) context_.out << printable(shown(l)) << '\n' << std::flush;
      learned_.push_back(std::move(l));
    }
  }

  const CalibrateOptions& o_;
  Crew& crew_;
  Context& context_;
  std::vector<Learned> learned_;
};

void print_steps(const std::vector<Step>& steps, Context& context) {
  for (const Step& s : steps)
    context.out << fmt::format("{:<28} {:<26} {:<26} {}\n", s.task + "/" + s.file, s.strategy,
                               "after " + s.after, s.predicts);
}

}  // namespace

int calibrate_ladders(const CalibrateOptions& o, Context& context) {
  std::vector<Step> steps = chosen_steps(o), to_build;
  if (o.dry_run) {
    print_steps(steps, context);
    return 0;
  }
  Crew crew(o, context);
  std::vector<Family> families = families_to_do(steps, o, crew.toolchain(), context);
  for (const Family& family : families) to_build.insert(to_build.end(), family.begin(), family.end());
  std::size_t skipped = steps.size() - to_build.size();
  if (!context.quiet && !context.json)
    context.out << fmt::format("{} steps, {} measured before; compiling\n", steps.size(), skipped)
                << std::flush;
  build_all(to_build, crew.toolchain());
  crew.expect(to_build.size());
  std::vector<Learned> learned = Ladders(o, crew, context).run(std::move(families));
  if (context.json) {
    print_json(context, learned, skipped, crew.left());
    return 0;
  }
  print_best(context, learned);
  if (crew.left() > 0) context.out << fmt::format("{} steps left: the same command goes on\n", crew.left());
  return 0;
}

}  // namespace explog::cli
