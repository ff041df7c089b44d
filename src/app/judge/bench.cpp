#include "app/judge/bench.h"

#include <unistd.h>

#include <future>

#include "app/judge/attempt.h"
#include "app/judge/gpu_lease.h"
#include "app/records/profiles.h"
#include "app/records/read_strategy.h"
#include "base/error.h"
#include "base/file.h"
#include "base/git.h"
#include "base/text.h"
#include "bench/judge/record.h"
#include "model/json.h"
#include "store/measurements.h"

namespace explog::app {
namespace {

using namespace bench;

// Before anything is measured: nobody should wait for a verdict that cannot be recorded. A series of attempts is
// comparable only while task and harness stay what they were when its baseline was measured.
void refuse_moved_baseline(const Measurement& m, const Session& session) {
  if (access(session.database().c_str(), F_OK) != 0) return;
  sql::Db db = session.reader();
  auto last = store::last_against(db, m.task, m.baseline.hash);
  if (!last) return;
  bool task_moved = last->task_hash != m.task_hash, harness_moved = last->harness_hash != m.harness_hash;
  if (task_moved || harness_moved)
    throw Error(Exit::usage,
                std::string("not recorded: the ") + (task_moved ? "task" : "harness") +
                    " is not the one that the last measurement against this baseline used",
                "results would not be comparable; --new-baseline starts a new series");
}

// Of the work tree that the candidate lies in; empty where it is in none. A record is worth more than its commit: git's
// complaints are no reason to lose it.
std::string commit_of(const SourceFile& candidate) {
  if (candidate.embedded) return "";
  try {
    auto git = GitRepository::around(candidate.folder);
    return git ? git->revision_of(candidate.folder + "/" + candidate.name) : "";
  } catch (const Error&) {
    return "";
  }
}

// One record a shape, so that size can be learned; the decision is that over all of them. Where nothing was timed well
// enough, one that says so. Counters are of the largest shape.
std::vector<Experience> recorded_experiences(const RecordFields& fields, const Judged& judged,
                                             const Task& task, const std::string& commit) {
  Experience whole = experience_of(judged.measurement, judged.verdict, task);
  std::vector<Experience> list = experiences_by_shape(judged.measurement, judged.verdict, task);
  if (list.size() < 2) list = {whole};
  for (Experience& e : list) {
    e.strategy = fields.strategy;
    if (!fields.kernel_name.empty()) e.kernel = fields.kernel_name;
    e.bottleneck = fields.bottleneck;
    e.hypothesis = fields.hypothesis;
    e.campaign = fields.campaign;
    e.iteration = fields.iteration;
    e.parent = fields.parent;
    e.state = fields.state;
    e.decision = whole.decision;
    if (e.shape == whole.shape) {
      for (const Subject& s : judged.profile) add_profile(e, s);
      add_expected(e, fields.expected);
    }
    if (!commit.empty()) e.extra.emplace_back("commit", "\"" + commit + "\"");
    if (!fields.notes.empty()) e.notes = fields.notes + "; " + e.notes;
  }
  return list;
}

}  // namespace

Judged bench_candidate(const BenchOptions& options, const Session& session) {
  BenchRequest request = read_request(options.names, session);
  if (options.record && !options.record->new_baseline)
    refuse_moved_baseline(named_measurement(request), session);
  std::optional<GpuLease> lease = lease_for(request.toolchain, session);
  std::future<void> harness = begin_harness(request.toolchain);
  Workbench bench(request.found, request.toolchain);
  // v0 of a campaign, or a measurement of the noise: there is nothing to win by what a timing does not see.
  bench.timed_once = hash_of(request.candidate) == hash_of(request.baseline);
  TimingOptions timing = options.timing;
  timing.alone = [&] { harness.wait(); };
  Attempted tried = attempt(bench, request, timing, options.profiler, session, session.progress);
  Judged judged{std::move(tried.measurement), {},
                std::move(tried.profile),     {},
                std::move(tried.checked),     std::move(tried.printed),
                std::move(tried.sandbox)};
  if (!options.save.empty()) write_file(options.save, to_json(judged.measurement) + "\n");
  judged.verdict = judge(judged.measurement);
  if (tried.codes.equal()) judged.verdict.detail += "; the same device code as the baseline's";
  if (std::string words = disturbance(tried.neighbours, judged.verdict.noise_floor); !words.empty())
    judged.verdict.detail += "; " + words;
  const bool noise = judged.verdict.verdict == Decision::inconclusive;
  if (options.record && (options.record_noise || !noise)) {
    std::vector<Experience> list =
        recorded_experiences(*options.record, judged, request.found.task, commit_of(request.candidate));
    const Playbook playbook = session.playbook();
    StrategyWords words(playbook);
    std::string taken;
    for (Experience& e : list) taken = words.put_id(e), add_code(e, tried.codes);
    if (!taken.empty()) session.warn(taken);
    add_chosen(list, tried.chosen);
    judged.ids = record_attempt(session, judged.measurement, std::move(list));
    keep_code(tried.codes, session);
  }
  if (!options.profiler.empty() && judged.profile.empty())  // no counters: what the formula says
    judged.profile = formula_subjects(judged.measurement, judged.verdict, request.found.task, session);
  session.progress("");
  return judged;
}

Judged judge_saved(const std::string& path) {
  Judged judged;
  judged.derived = true;
  try {
    judged.measurement = parse_measurement(trim(read_file(path)));
  } catch (const JsonError& e) {
    throw Error(Exit::usage, path + ": " + e.what(), "--save writes such a file");
  }
  judged.verdict = judge(judged.measurement);
  judged.verdict.detail += "; derived from a saved file";
  return judged;
}

}  // namespace explog::app
