#include "app/tune/final.h"

#include <algorithm>

#include "app/calibrate/sweep_store.h"
#include "app/judge/attempt.h"
#include "app/session/stop_signals.h"
#include "store/measurements.h"

namespace explog::app {

using namespace bench;

namespace {

struct Finalist {
  std::size_t row = 0;
  Verdict verdict;
  bool in_process = false;  // timed so, not replayed
};

Finalist finalist_of(std::size_t row, const Measurement& m) {
  return {row, judge(m), m.runner == "in_process"};
}

// The task with the one shape that is tuned.
BenchRequest final_request(const TuneRequest& request, const TuneSearch& search, std::size_t row) {
  BenchRequest files = request.files;
  const TaskBackend* used = files.found.task.backend(files.toolchain.backend);
  for (TaskBackend& backend : files.found.task.backends) {
    if (&backend == used) backend.time_instead({request.key.shape});
  }
  files.candidate = search.source(row);
  if (search.ms(0) > 0) files.baseline = search.source(0);
  return files;
}

// Named in the log as the sweep's measurements are.
MeasuredFile measured_file(const TuneRequest& request, const Settings& settings, const std::string& hash) {
  return {request.files.candidate.name + " " + settings_text(settings), hash};
}

std::optional<Measurement> judged_before(const Measurement& named, const TuneRequest& request,
                                         const Session& session) {
  Measurement wanted = named;
  wanted.gpu = request.key.gpu;
  wanted.toolkit = toolkit_text(request.files.toolchain);
  wanted.mode = "cold";
  sql::Db db = session.reader();
  for (Measurement& m : store::measurements_like(db, wanted)) {
    bool same_shape =
        !m.runs.empty() && m.runs[0].shapes.size() == 1 && m.runs[0].shapes[0].dims == request.key.shape;
    if (m.candidate.hash == named.candidate.hash && same_shape) return m;
  }
  return std::nullopt;
}

// Nothing when a signal ended it.
std::optional<Finalist> judge_one(std::size_t row, const TuneSearch& search, const TuneRequest& request,
                                  const TuneOptions& o, const Session& session) {
  BenchRequest files = final_request(request, search, row);
  Measurement named = named_measurement(files);
  if (!o.again) {
    auto before = judged_before(named, request, session);
    if (before && judge(*before).verdict != bench::Decision::inconclusive) return finalist_of(row, *before);
  }
  TimingOptions timing;
  timing.max_seconds = o.max_seconds;
  timing.sanitizer = o.sanitizer;
  timing.allow_in_process = o.allow_in_process;
  Workbench bench(files.found, files.toolchain);
  std::string what = settings_text(search.settings(row));
  Listener progress = [&](const std::string& text) { session.progress("finalist " + what + ": " + text); };
  const EndsPreempted at_once;  // a judgement that is cut short leaves nothing to wait for
  Measurement m = attempt(bench, files, timing, "", session, progress).measurement;
  if (stop_signal() != 0) return std::nullopt;
  m.toolkit = toolkit_text(files.toolchain);
  m.candidate = measured_file(request, search.settings(row), named.candidate.hash);
  if (search.ms(0) > 0) m.baseline = measured_file(request, search.settings(0), named.baseline.hash);
  record_measurement(session, m);
  return finalist_of(row, m);
}

void set_winner(Tuned& tuned, const Winner& winner, const std::vector<Finalist>& list,
                const TuneSearch& search) {
  const Verdict& verdict = list[winner.index].verdict;
  const ShapeVerdict& shape = verdict.shapes.front();
  tuned.original_wins = false;
  tuned.reason = verdict.reason, tuned.in_process = list[winner.index].in_process;
  tuned.best = search.settings(list[winner.index].row);
  tuned.best_ms = shape.candidate_ms;
  tuned.original_ms = search.ms(0) > 0 ? shape.baseline_ms : 0;
  if (search.ms(0) > 0) tuned.faster = shape.speedup, tuned.lo = shape.lo, tuned.hi = shape.hi;
  for (std::size_t tie : winner.ties) tuned.ties.push_back(search.settings(list[tie].row));
}

// An original that does not run wins nothing: the fastest right one is the answer, as the search timed it.
bool set_without_original(Tuned& tuned, const TuneSearch& search, const std::vector<std::size_t>& rows) {
  tuned.original_wins = rows.empty();
  tuned.reason = rows.empty() ? "nothing_runs" : "original_fails";
  if (rows.empty()) return true;
  tuned.best = search.settings(rows.front());
  tuned.best_ms = search.ms(rows.front());
  return true;
}

}  // namespace

std::optional<Winner> winner_of(const std::vector<Verdict>& verdicts) {
  std::optional<Winner> winner;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].verdict != bench::Decision::keep) continue;
    if (!winner || verdicts[i].gain > verdicts[winner->index].gain) winner = Winner{i, {}};
  }
  for (std::size_t i = 0; winner && i < verdicts.size(); ++i) {
    bool reaches = verdicts[i].gain_hi >= verdicts[winner->index].gain_lo;
    if (i != winner->index && verdicts[i].verdict == bench::Decision::keep && reaches)
      winner->ties.push_back(i);
  }
  return winner;
}

bool judge_finalists(Tuned& tuned, const TuneSearch& search, const TuneRequest& request, const TuneOptions& o,
                     const TuneClock& clock, const Session& session) {
  std::vector<std::size_t> rows = search.finalists();
  tuned.best = tuned.original;
  tuned.best_ms = search.ms(0);
  tuned.reason = search.knows_original() ? "nothing_faster" : "cut_short";
  if (!search.knows_original()) return false;
  if (search.ms(0) == 0) return set_without_original(tuned, search, rows);
  std::vector<Finalist> list;
  for (std::size_t row : rows) {
    std::optional<Finalist> finalist;
    if (!clock.is_over()) finalist = judge_one(row, search, request, o, session);
    if (!finalist) break;
    list.push_back(std::move(*finalist));
  }
  std::vector<Verdict> verdicts;
  for (const Finalist& f : list) verdicts.push_back(f.verdict);
  if (!list.empty()) tuned.reason = list.front().verdict.reason, tuned.in_process = list.front().in_process;
  if (auto winner = winner_of(verdicts)) set_winner(tuned, *winner, list, search);
  bool undecided = tuned.original_wins && std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) {
                     return v.verdict == bench::Decision::inconclusive;
                   });
  return list.size() == rows.size() && !undecided;
}

}  // namespace explog::app
