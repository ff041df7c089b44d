#include "app/campaign/knobs.h"

#include <fmt/format.h>

#include <cmath>

#include "app/session/stop_signals.h"
#include "app/tune/request.h"
#include "app/tune/transfer.h"
#include "app/tune/tune.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/harness/python.h"

namespace explog::app {
namespace {

constexpr std::size_t most_rows = 60;  // that a search within a campaign measures

TuneOptions options_for(const NextStep& next) {
  const campaign::Contract& c = next.campaign.contract;
  TuneOptions options;
  options.names = {c.task, next.edit, c.backend, c.arch, "", c.compiler_flags};
  options.max_seconds = c.limits.shape_s;
  options.allow_in_process = c.allow_in_process;
  return options;
}

// The source with other values; nothing where it does not say which line is to change.
std::optional<bench::SourceFile> with_settings(const bench::SourceFile& best, const Settings& settings) {
  if (bench::is_python(best.name)) return bench::configured(best, settings);
  auto text = with_knob_values(best.text, best.name, settings);
  if (!text) return std::nullopt;
  bench::SourceFile source = best;
  source.text = *text;
  return source;
}

// "block:up" where one knob alone is another.
std::string strategy_of(const std::string& backend, const Settings& from, const Settings& to) {
  std::string one;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i].second == to[i].second) continue;
    auto before = as_number(from[i].second), after = as_number(to[i].second);
    if (!one.empty() || !before || !after) return searched_strategy(backend);
    one = lower(to[i].first) + (*after > *before ? ":up" : ":down");
  }
  return one.empty() ? searched_strategy(backend) : one;
}

// "BLOCK 128 -> 256, VEC 1 -> 4": what differs from the original.
std::string change_text(const Settings& from, const Settings& to) {
  std::string text;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i].second == to[i].second) continue;
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", to[i].first, scalar_text(from[i].second),
                        scalar_text(to[i].second));
  }
  return text;
}

class Proposals {
 public:
  Proposals(const TuneRequest& request, const bench::SourceFile& best) : request_(request), best_(best) {}

  void add(std::size_t row, const std::string& rationale) {
    const Settings& original = request_.space.original;
    Settings settings = settings_of(request_.space.space, request_.rows.rows[row]);
    if (auto source = with_settings(best_, settings))
      versions.push_back(walked(std::move(*source), strategy_of(request_.key.backend, original, settings),
                                change_text(original, settings), rationale));
  }

  // Each knob alone, one listed value further to either side, as far as the rules allow the combination.
  void add_steps() {
    for (std::size_t k = 0; k < request_.space.space.parameters.size(); ++k) {
      for (bool up : {true, false}) {
        if (auto row = step(k, up)) add(*row, "a declared knob");
      }
    }
  }

  std::vector<VersionToJudge> versions;

 private:
  double value(std::size_t knob, const Configuration& row) const {
    return as_number(request_.space.space.parameters[knob].values[row[knob]]).value_or(0);
  }

  // The row that differs from the original in this knob alone, and least.
  std::optional<std::size_t> step(std::size_t knob, bool up) const {
    const std::vector<Configuration>& rows = request_.rows.rows;
    const double from = value(knob, rows.front());
    std::optional<std::size_t> nearest;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      Configuration back = rows[i];
      back[knob] = rows.front()[knob];
      const double to = value(knob, rows[i]);
      if (back != rows.front() || (up ? to <= from : to >= from)) continue;
      if (!nearest || std::abs(to - from) < std::abs(value(knob, rows[*nearest]) - from)) nearest = i;
    }
    return nearest;
  }

  const TuneRequest& request_;
  const bench::SourceFile& best_;
};

std::string origin_text(const TuneCandidate& c) {
  std::string text = "found good for " + c.from;
  return c.no_counterpart.empty() ? text : text + "; no counterpart here: " + settings_text(c.no_counterpart);
}

bool declares_knobs(const NextStep& next, const bench::SourceFile& best) {
  return !next.campaign.contract.external.given() && !knobs_in_source(best.text, best.name).knobs.empty();
}

Session without_warnings(const Session& session) {
  Session quiet = session;  // the same would be said before every version
  quiet.warn = [](const std::string&) {};
  return quiet;
}

}  // namespace

std::string searched_strategy(const std::string& backend) {
  if (backend == "triton") return "triton_autotune";
  return backend == "cutile" ? "cutile_wide_autotune" : "autotune";
}

VersionToJudge walked(bench::SourceFile source, std::string strategy, std::string hypothesis,
                      std::string rationale) {
  VersionToJudge v;
  v.file = source.name;
  v.source = std::move(source);
  v.by = "walk";
  v.strategy = std::move(strategy);
  v.hypothesis = std::move(hypothesis), v.rationale = std::move(rationale);
  return v;
}

DeclaredProposals declared_proposals(const NextStep& next, const bench::SourceFile& best,
                                     const Session& session) try {
  DeclaredProposals found;
  if (!declares_knobs(next, best)) return found;
  TuneRequest request = read_tune_request(options_for(next), without_warnings(session));
  request.key.shape = request.shapes.front();
  found.knobs = names_of(request.space.original);
  Proposals proposals(request, best);
  for (const TuneCandidate& c : transfer_candidates(request, session)) proposals.add(c.row, origin_text(c));
  proposals.add_steps();
  found.versions = std::move(proposals.versions);
  found.worth_tuning = request.rows.rows.size() > 2;
  return found;
} catch (const Error& e) {  // knobs that are declared wrongly are no reason to end the walk
  session.warn(std::string("its knobs are left alone: ") + e.what());
  return {};
}

std::optional<VersionToJudge> tuned_proposal(const NextStep& next, const bench::SourceFile& best,
                                             std::uint64_t seed, const Session& session) {
  TuneOptions options = options_for(next);
  options.plan.strategy = tune::Strategy::random;
  options.plan.most = most_rows, options.plan.seed = seed + 1;
  options.strategy_given = true;
  options.sanitizer = false;  // the judge runs it
  TuneListener unheard{[](const Dims&, std::size_t, const auto&, const auto&) {}, [](const TuneAnswer&) {}};
  TuneRun run = tune_kernel(options, without_warnings(session), unheard);
  if (run.signal != 0)
    throw Error(exit_of_signal(run.signal), "stopped while its knobs were searched",
                "`explog campaign run` goes on");
  if (run.answers.empty() || run.answers.front().tuned.original_wins) return std::nullopt;
  const Tuned& tuned = run.answers.front().tuned;
  auto source = with_settings(best, tuned.best);
  if (!source) return std::nullopt;
  return walked(std::move(*source), strategy_of(tuned.key.backend, tuned.original, tuned.best),
                change_text(tuned.original, tuned.best),
                fmt::format("the best of {} configurations that were measured", tuned.successes));
}

}  // namespace explog::app
