#include "app/campaign/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/campaign/code.h"
#include "app/campaign/holder.h"
#include "app/campaign/knobs.h"
#include "app/campaign/rungs.h"
#include "app/campaign/sources.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "campaign/edits.h"
#include "campaign/knobs.h"
#include "model/backend.h"

namespace explog::app {
namespace {

constexpr double unknown_chance = 0.25, unknown_gain = 1.05;  // of a strategy that the ranking does not know
constexpr double undeclared = 0.5;  // of the promise of a change that nobody declared: it may change nothing
constexpr double written = 0.03;  // least promise of a step of the ladder, from a best version that is of it

// A version with what speaks for it.
struct Move {
  VersionToJudge version;
  double promise = 0;
  bool reopened = false;  // it failed on another version than the best is now
  bool search = false;    // the version is what a search of the declared knobs finds
  bool distant = false;   // it stands on a step that was not judged yet
};

template <class T>
void add_all(std::vector<T>& list, std::vector<T> more) {
  for (T& each : more) list.push_back(std::move(each));
}

double promise_of(const std::string& strategy, const recommend::Recommendation& ranking) {
  for (const recommend::Item& item : ranking.items) {
    if (item.strategy == strategy) return item.p * std::log(std::max(item.gain, 1.001));
  }
  return unknown_chance * std::log(unknown_gain);
}

bool to_avoid(const std::string& strategy, const recommend::Recommendation& ranking) {
  return std::any_of(ranking.avoid.begin(), ranking.avoid.end(),
                     [&](const recommend::Avoid& a) { return a.strategy == strategy; });
}

// Somebody tried it on kernels of this type, or the best version has it.
bool is_known(const std::string& strategy, const recommend::Recommendation& ranking) {
  return to_avoid(strategy, ranking) ||
         std::any_of(ranking.items.begin(), ranking.items.end(),
                     [&](const recommend::Item& i) { return i.strategy == strategy && !i.prior_only(); }) ||
         std::any_of(ranking.already_there.begin(), ranking.already_there.end(),
                     [&](const recommend::Filtered& f) { return f.strategy == strategy; });
}

// Files of rungs that records know, and so all that each stands on.
std::set<std::string> known_rungs(const bench::FittingLadder& ladder,
                                  const recommend::Recommendation& ranking) {
  std::set<std::string> known = {ladder.naive};
  for (const bench::Step& step : ladder.steps) {
    if (known.contains(step.after) && is_known(step.strategy, ranking)) known.insert(step.file);
  }
  return known;
}

// Steps of the ladder that change a rung which the walk stands on, or stood on. Who is slower than the best is a step back
// first, but while the best is of the ladder still before what nobody wrote for this task, the less slow the sooner. A step
// to avoid counts for what builds on it, and what stands on a step to come is there for who looks ahead. A kernel that is no
// rung may be as good as any: first comes the step that promises most above the naive one, and once one was measured, all that
// stands on what it stands on. So it is with the naive one where records know the way up; else each change is judged by itself.
std::vector<Move> ladder_moves(const NextStep& next, const std::string& best_text,
                               const bench::FoundTask& found) {
  const auto ladder = bench::ladder_for(found, next.campaign.contract.backend);
  if (!ladder) return {};
  std::vector<campaign::Rung> rungs;
  for (const bench::Step& step : ladder->steps) {
    const bool avoided = to_avoid(step.strategy, next.ranking);
    rungs.push_back({step.file, step.after, avoided ? 0 : promise_of(step.strategy, next.ranking)});
  }
  const Rungs files = rungs_by_text(*ladder);
  const Footing footing = footing_of(next.campaign, files);
  const campaign::Times measured = measured_rungs(next.campaign, files);
  const campaign::Times times = campaign::with_what_is_below(measured, rungs);
  const std::vector<double> ahead = campaign::promises_ahead(rungs),
                            so_far = campaign::promises_so_far(rungs);
  const campaign::State& state = next.campaign.state;
  const auto& best = state.versions[static_cast<std::size_t>(state.champion)].judged;
  const bool at_the_foot = measured.empty() || (measured.size() == 1 && measured.contains(ladder->naive));
  const std::set<std::string> known = known_rungs(*ladder, next.ranking);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (ahead[i] <= 0) continue;
    const bool leaps = measured.empty() || (at_the_foot && known.contains(rungs[i].file));
    auto below = times.find(leaps ? ladder->naive : rungs[i].after);
    const bool distant = !leaps && below == times.end();
    const bool timed = below != times.end() && below->second > 0 && best && best->ms > 0;
    const double net = (leaps ? so_far[i] : ahead[i]) - (timed ? std::log(below->second / best->ms) : 0);
    const bool on_ladder = !distant && files.contains(best_text);
    moves.push_back({version_of_step(*ladder, ladder->steps[i], footing),
                     on_ladder ? std::max(net, written * std::exp(net)) : net});
    moves.back().distant = distant;
  }
  return moves;
}

// Constants that nobody declared, doubled and halved.
std::vector<VersionToJudge> knob_proposals(const bench::SourceFile& best,
                                           const std::vector<std::string>& declared) {
  std::vector<VersionToJudge> list;
  for (const campaign::KnobEdit& edit : campaign::knob_edits(best.text)) {
    if (std::find(declared.begin(), declared.end(), edit.name) != declared.end()) continue;
    bench::SourceFile source = best;
    source.text = edit.text;
    list.push_back(walked(std::move(source), lower(edit.name) + (edit.to > edit.from ? ":up" : ":down"),
                          fmt::format("{} {} -> {}", edit.name, edit.from, edit.to),
                          "a constant of the source"));
  }
  return list;
}

// C++ and CUDA alone: a Python file says its knobs itself.
std::optional<campaign::Language> language_of(const campaign::Contract& contract) {
  if (contract.external.given()) {
    bool compiled = backend_named("host").takes(contract.baseline.file);
    return compiled ? std::optional(campaign::Language::cxx) : std::nullopt;
  }
  const Backend& backend = backend_named(contract.backend);
  if (backend.in_python) return std::nullopt;
  return backend.on_gpu ? campaign::Language::cuda : campaign::Language::cxx;
}

std::vector<VersionToJudge> edit_proposals(const bench::SourceFile& best,
                                           const campaign::Contract& contract) {
  std::vector<VersionToJudge> list;
  auto language = language_of(contract);
  if (!language) return list;
  for (const campaign::SourceEdit& edit : campaign::source_edits(best.text, *language)) {
    bench::SourceFile source = best;
    source.text = edit.text;
    list.push_back(walked(std::move(source), edit.strategy, edit.change, "an edit of the source"));
  }
  return list;
}

// The version that made the same change in vain, or nothing.
const campaign::Version* failed_before(const campaign::State& state, const VersionToJudge& v) {
  for (const campaign::Version& each : state.versions) {
    const campaign::Proposed& p = each.proposal;
    if (each.status && !each.kept() && p.strategy == v.strategy && p.hypothesis == v.hypothesis) return &each;
  }
  return nullptr;
}

std::vector<Move> moves_of(std::vector<VersionToJudge> proposals, double weight,
                           const recommend::Recommendation& ranking) {
  std::vector<Move> moves;
  for (VersionToJudge& v : proposals) {
    if (to_avoid(v.strategy, ranking)) continue;
    const double promise = weight * promise_of(v.strategy, ranking);
    moves.push_back({std::move(v), promise});
  }
  return moves;
}

// What failed is open again once the best is another version, unless it did not even compile.
std::vector<Move> open_moves(const NextStep& next, std::vector<Move> moves) {
  const campaign::State& state = next.campaign.state;
  std::vector<Move> open;
  for (Move& move : moves) {
    VersionToJudge& v = move.version;
    if (state.was_judged(identity_of(*v.source))) continue;
    if (const campaign::Version* failed = failed_before(state, v)) {
      const campaign::Proposed& p = failed->proposal;
      if (p.parent == state.champion || failed->status == explog::Decision::crash) continue;
      move.reopened = true;
      v.rationale +=
          fmt::format("; it failed as v{} on v{}, v{} is the best now", p.version, p.parent, state.champion);
    }
    open.push_back(std::move(move));
  }
  return open;
}

void sort_by_promise(std::vector<Move>& moves, std::uint64_t seed) {
  auto tie = [&](const Move& m) {
    return seed == 0 ? ""
                     : hex(blake2b_128(std::to_string(seed) + m.version.strategy + m.version.hypothesis));
  };
  auto better = [&](const Move& a, const Move& b) {
    if (a.reopened != b.reopened) return b.reopened;
    if (a.promise != b.promise) return a.promise > b.promise;
    return tie(a) < tie(b);
  };
  std::stable_sort(moves.begin(), moves.end(), better);
}

// All that can be tried on the best version.
std::vector<Move> moves_on(const bench::SourceFile& best, const NextStep& next, const Session& session) {
  const campaign::Contract& contract = next.campaign.contract;
  std::vector<Move> moves;
  if (!contract.external.given())
    moves = ladder_moves(next, best.text, bench::find_task(contract.task, session.data_dir));
  DeclaredProposals declared = declared_proposals(next, best, session);
  add_all(moves, moves_of(std::move(declared.versions), 1, next.ranking));
  add_all(moves, moves_of(knob_proposals(best, declared.knobs), 1, next.ranking));
  add_all(moves, moves_of(edit_proposals(best, contract), undeclared, next.ranking));
  moves = open_moves(next, std::move(moves));
  if (const std::string search = searched_strategy(contract.backend);
      declared.worth_tuning && !to_avoid(search, next.ranking))
    moves.push_back({{}, promise_of(search, next.ranking), false, true});
  return moves;
}

}  // namespace

std::string first_step_of_walk(const NextStep& next, const Session& session) {
  if (next.edit.empty()) return "";
  std::vector<Move> moves = moves_on(bench::read_source(next.edit), next, session);
  sort_by_promise(moves, 0);
  auto first = std::find_if(moves.begin(), moves.end(), [](const Move& move) { return !move.distant; });
  if (first == moves.end()) return "";
  if (first->search) return "a search of the declared knobs";
  const VersionToJudge& v = first->version;
  return fmt::format("{}: {} ({})", v.strategy, v.hypothesis, v.rationale);
}

std::optional<Proposal> propose_by_walking(const NextStep& next, std::uint64_t seed, const Session& session) {
  const bench::SourceFile best = bench::read_source(next.edit);
  std::vector<Move> moves = moves_on(best, next, session);
  sort_by_promise(moves, seed);
  std::optional<Proposal> proposal;
  std::vector<bench::SourceFile> later;
  for (Move& move : moves) {
    if (move.search) {
      auto found = proposal ? std::nullopt : tuned_proposal(next, best, seed, session);
      if (found && !next.campaign.state.was_judged(identity_of(*found->source)))
        proposal = {std::move(*found), {}};
    } else if (proposal || move.distant) {
      later.push_back(std::move(*move.version.source));
    } else {
      proposal = {std::move(move.version), {}};
    }
  }
  if (proposal) proposal->later = std::move(later);
  return proposal;
}

// Beside a run others may write drafts of their own.
static std::string own_draft(const std::string& draft) {
  const std::filesystem::path path = draft;
  return (path.parent_path().parent_path() / "run" / path.filename()).string();
}

// Before a version is judged whose code is not known yet, compilers have every processor: what may come next is compiled
// beside it, and found in the cache when it comes.
class Ahead {
 public:
  void compile(const campaign::Contract& contract, const Proposal& proposal, const Session& session) {
    const VersionToJudge& v = proposal.version;
    const std::size_t most = compiled_at_once();
    if (most < 2 || !v.source || compiled_.contains(identity_of(*v.source))) return;
    std::vector<bench::SourceFile> sources = {*v.source};
    for (const bench::SourceFile& later : proposal.later) {
      if (sources.size() < most && !compiled_.contains(identity_of(later))) sources.push_back(later);
    }
    for (const bench::SourceFile& source : sources) compiled_.insert(identity_of(source));
    compile_versions(contract, sources, session);
  }

 private:
  std::set<std::string> compiled_;  // by what they are
};

CampaignView run_campaign(const std::string& folder, const Proposer& propose,
                          const std::function<void(const Ruling&)>& listen, const Session& session) {
  if (view_campaign(folder, session).state.phase == campaign::Phase::baseline)
    resume_campaign(folder, session);
  const RunLock lock(folder, session);
  Ahead ahead;
  for (int refused = 0;;) {
    NextStep next = next_step(folder, 5, session);
    if (next.campaign.state.phase == campaign::Phase::judging) {
      must_be_free(folder, session);
      continue;
    }
    if (next.edit.empty()) return next.campaign;
    next.write = own_draft(next.write);
    std::optional<Proposal> proposal = propose(next);
    if (!proposal) return end_campaign(folder, "nothing_left", "nothing is left to propose", session);
    const std::size_t refusals = next.campaign.state.refused.size();
    const VersionToJudge& version = proposal->version;
    ahead.compile(next.campaign.contract, *proposal, session);
    Ruling ruling = judge_version(folder, version, session);
    const bool new_refusal = ruling.campaign.state.refused.size() > refusals;
    refused = new_refusal ? refused + 1 : 0;
    const bool going_round = version.by == "propose" && refused > next.campaign.contract.limits.max_versions;
    if ((ruling.known && !new_refusal) || going_round)  // asked again, it would say the same for ever
      throw Error(
          Exit::usage,
          fmt::format("--propose: the version is v{} over again, which was judged before", ruling.version),
          "the key `tried` of its standard input lists what was; exit 75 says that nothing is left");
    listen(ruling);
  }
}

}  // namespace explog::app
