#include "app/tune/tune.h"

#include <algorithm>
#include <future>

#include "app/judge/gpu_lease.h"
#include "app/tune/expected.h"
#include "app/tune/final.h"
#include "app/tune/heuristics.h"
#include "app/tune/store.h"
#include "app/tune/transfer.h"
#include "base/error.h"

namespace explog::app {

using namespace bench;

namespace {

// Compilers of cuTile and CuTe DSL take seconds a configuration.
std::size_t most_exhaustive(const std::string& backend) {
  return backend == "cutile" || backend == "cutedsl" ? 30 : 2000;
}

tune::Plan plan_for(const TuneOptions& o, const TuneRequest& request) {
  tune::Plan plan = o.plan;
  if (!o.strategy_given && request.rows.rows.size() > most_exhaustive(request.key.backend))
    plan.strategy = tune::Strategy::halving;
  return plan;
}

// The store's answer to just this question.
std::optional<TuneAnswer> answered_before(const TuneRequest& request, const std::string& search,
                                          const Session& session) {
  for (StoredTuned& stored : stored_results(request.key.task, session)) {
    const Tuned& t = stored.tuned;
    if (t.complete && t.key == request.key && t.space == request.space_hash && t.search == search)
      return TuneAnswer{.tuned = std::move(stored.tuned), .record = stored.id, .from_store = true};
  }
  return std::nullopt;
}

Binaries build_trusted(const TuneRequest& request, const Session& session) {
  std::future<void> harness = begin_harness(request.files.toolchain);
  Workbench bench(request.files.found, request.files.toolchain);
  BenchRequest files = request.files;
  files.candidate = configured(files.candidate, request.space.original);
  return build(bench, files, session.progress).binaries;
}

class TuneShapes {
 public:
  TuneShapes(const TuneOptions& o, TuneRequest request, const Session& session, const TuneListener& listener)
      : o_(o), request_(std::move(request)), session_(session), listener_(listener), clock_(o.budget_s) {}

  TuneRun run() {
    std::size_t left = request_.shapes.size();
    for (const Dims& shape : request_.shapes) {
      request_.key.shape = shape;
      if (auto answer = tune_shape(clock_.share(left--))) give(std::move(*answer));
      if (stop_signal() != 0) break;
    }
    run_.signal = stop_signal();
    return std::move(run_);
  }

 private:
  void give(TuneAnswer answer) {
    session_.progress("");
    constexpr std::size_t shown = 10;
    answer.fastest = timed_rows(answer.tuned, session_);
    answer.shares = knob_shares(answer.tuned, answer.fastest);
    if (answer.fastest.size() > shown) answer.fastest.resize(shown);
    listener_.answer(answer);
    run_.answers.push_back(std::move(answer));
  }

  // Nothing when a signal came before there was an answer: what was measured is in the store.
  std::optional<TuneAnswer> tune_shape(const TuneClock& clock) {
    tune::Plan plan = plan_for(o_, request_);
    std::string search = search_text(plan);
    if (!o_.again) {
      if (auto answer = answered_before(request_, search, session_)) return answer;
    }
    std::vector<TuneCandidate> candidates = first_candidates();
    for (const TuneCandidate& c : candidates) plan.first.push_back(c.row);
    listener_.begins(request_.key.shape, request_.rows.rows.size(), request_.rows.pruned, candidates);
    if (!lease_) lease_ = lease_for(request_.files.toolchain, session_);
    if (trusted_.reference.empty()) trusted_ = build_trusted(request_, session_);
    if (plan.strategy == tune::Strategy::predicted) plan.expected = expected_rows(request_, session_);
    TuneAnswer answer;
    answer.candidates = std::move(candidates);
    answer.tuned.key = request_.key;
    answer.tuned.space = request_.space_hash;
    answer.tuned.search = search;
    answer.tuned.original = request_.space.original;
    search_rows(answer, plan, clock);
    if (stop_signal() != 0) return std::nullopt;
    answer.wall_s = clock.seconds();
    if (plan.shard.n == 1 && answer.tuned.successes > 0)
      answer.record = record_tuned(answer.tuned, "measured", session_);
    return answer;
  }

  // What was estimated for this product comes before what was good elsewhere.
  std::vector<TuneCandidate> first_candidates() {
    HeuristicsCandidates estimated = heuristics_candidates(request_, o_);
    if (!estimated.trouble.empty() && estimated.trouble != told_) session_.warn(told_ = estimated.trouble);
    std::vector<TuneCandidate> list = std::move(estimated.list);
    for (TuneCandidate& c : transfer_candidates(request_, session_)) {
      bool known =
          std::any_of(list.begin(), list.end(), [&](const TuneCandidate& e) { return e.row == c.row; });
      if (!known) list.push_back(std::move(c));
    }
    return list;
  }

  // A shard measures; the run that has all of it judges.
  void search_rows(TuneAnswer& answer, const tune::Plan& plan, const TuneClock& clock) {
    TuneSearch search(request_, trusted_, session_);
    if (!o_.again) search.recall();
    bool done = search.run(plan, clock);
    answer.search_s = clock.seconds();
    answer.prepare_s = search.prepare_s(), answer.compile_s = search.compile_s();
    answer.measured = search.measured();
    search.record_changes();
    search.describe(answer.tuned);
    for (const ControlFile& file : request_.controls)
      answer.tuned.controls.emplace_back(file.path.substr(file.path.rfind('/') + 1), file.number);
    for (const TuneCandidate& c : answer.candidates) {
      if (c.estimate_ms > 0)
        answer.tuned.estimates.push_back({c.settings, c.asked, c.from, c.estimate_ms, search.ms(c.row)});
    }
    if (stop_signal() != 0) return;
    if (plan.shard.n > 1) {
      answer.tuned.best = answer.tuned.original;
      answer.tuned.best_ms = answer.tuned.original_ms;
      answer.tuned.reason = "shard";
      return;
    }
    bool judged = judge_finalists(answer.tuned, search, request_, o_, clock, session_);
    answer.tuned.complete = done && judged;
  }

  const TuneOptions& o_;
  TuneRequest request_;
  const Session& session_;
  const TuneListener& listener_;
  TuneClock clock_;
  std::optional<GpuLease> lease_;
  Binaries trusted_;
  std::string told_;  // a warning, which is given once
  TuneRun run_;
};

void check_plan(const TuneOptions& o) {
  if (o.plan.shard.n > 1 && o.plan.strategy == tune::Strategy::local)
    throw Error(Exit::usage, "tune: a local search cannot be shared",
                "use --strategy random or exhaustive with --shard");
}

}  // namespace

TuneRun tune_kernel(const TuneOptions& o, const Session& session, const TuneListener& listener) {
  check_plan(o);
  TuneRequest request = read_tune_request(o, session);
  StopSignals signals;
  return TuneShapes(o, std::move(request), session, listener).run();
}

}  // namespace explog::app
