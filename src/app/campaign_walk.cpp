#include "app/campaign_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "bench/find_source.h"
#include "bench/ladder.h"
#include "campaign/knobs.h"

namespace explog::app {
namespace {

constexpr double unknown_chance = 0.25;  // of a strategy that the ranking does not know

double chance_of(const std::string& strategy, const recommend::Recommendation& ranking) {
  for (const recommend::Item& item : ranking.items) {
    if (item.strategy == strategy) return item.p;
  }
  return unknown_chance;
}

bool to_avoid(const std::string& strategy, const recommend::Recommendation& ranking) {
  return std::any_of(ranking.avoid.begin(), ranking.avoid.end(),
                     [&](const recommend::Avoid& a) { return a.strategy == strategy; });
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

// Steps of the task's ladder that change one of these versions, by its text.
std::vector<VersionToJudge> ladder_proposals(const bench::FoundTask& found, const std::string& backend,
                                             const std::vector<std::string>& kept) {
  std::vector<VersionToJudge> list;
  for (const bench::Step& step : bench::ladder_steps(backend)) {
    if (step.task != found.task.name) continue;
    if (std::find(kept.begin(), kept.end(), bench::source_of(found, step.after).text) == kept.end()) continue;
    list.push_back(walked(bench::source_of(found, step.file), step.strategy, step.predicts,
                          "the step " + step.file + " of the ladder of " + step.task));
  }
  return list;
}

std::vector<VersionToJudge> knob_proposals(const bench::SourceFile& best) {
  std::vector<VersionToJudge> list;
  for (const campaign::KnobEdit& edit : campaign::knob_edits(best.text)) {
    bench::SourceFile source = best;
    source.text = edit.text;
    list.push_back(walked(std::move(source), lower(edit.name) + (edit.to > edit.from ? ":up" : ":down"),
                          fmt::format("{} {} -> {}", edit.name, edit.from, edit.to),
                          "a constant of the source"));
  }
  return list;
}

std::vector<std::string> kept_texts(const CampaignView& view) {
  std::vector<std::string> texts;
  for (const campaign::Version& v : view.state.versions) {
    if (v.kept())
      texts.push_back(
          read_file(view.folder + "/v" + std::to_string(v.proposal.version) + "/" + v.proposal.file));
  }
  return texts;
}

}  // namespace

std::optional<VersionToJudge> propose_by_walking(const NextStep& next, const Session& session) {
  const campaign::Contract& contract = next.campaign.contract;
  bench::FoundTask found = bench::find_task(contract.task, session.data_dir);
  auto list = ladder_proposals(found, contract.backend, kept_texts(next.campaign));
  auto knobs = knob_proposals(bench::read_source(next.edit));
  list.insert(list.end(), knobs.begin(), knobs.end());
  std::erase_if(list, [&](const VersionToJudge& v) {
    return next.campaign.state.of_source(hex(blake2b_128(v.source->text))) != nullptr ||
           to_avoid(v.strategy, next.ranking);
  });
  auto likelier = [&](const VersionToJudge& a, const VersionToJudge& b) {
    return chance_of(a.strategy, next.ranking) < chance_of(b.strategy, next.ranking);
  };
  auto best = std::max_element(list.begin(), list.end(), likelier);
  return best == list.end() ? std::nullopt : std::optional(*best);
}

CampaignView run_campaign(const std::string& folder, const Proposer& propose,
                          const std::function<void(const Ruling&)>& listen, const Session& session) {
  for (;;) {
    NextStep next = next_step(folder, 5, session);
    if (next.edit.empty()) return next.campaign;
    auto version = propose(next);
    if (!version) return end_campaign(folder, "nothing_left", "nothing is left to propose", session);
    listen(judge_version(folder, *version, session));
  }
}

}  // namespace explog::app
