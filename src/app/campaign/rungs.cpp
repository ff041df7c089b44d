#include "app/campaign/rungs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/campaign/knobs.h"
#include "base/text.h"

namespace explog::app {
namespace {

// The rung that a version is; empty for any other.
std::string rung_of(const CampaignView& view, const campaign::Version& v, const Rungs& files) {
  const std::string file = fmt::format("{}/v{}/{}", view.folder, v.proposal.version, v.proposal.file);
  auto found = files.find(read_file(file));
  return found == files.end() ? "" : found->second;
}

std::vector<campaign::Rung> rungs_of(const bench::FittingLadder& ladder) {
  std::vector<campaign::Rung> rungs;
  for (const bench::Step& step : ladder.steps) rungs.push_back({step.file, step.after, 0});
  return rungs;
}

std::string strategy_of_rung(const bench::FittingLadder& ladder, const std::string& file) {
  auto step = std::find_if(ladder.steps.begin(), ladder.steps.end(),
                           [&](const bench::Step& s) { return s.file == file; });
  return step == ladder.steps.end() ? "" : step->strategy;
}

std::vector<std::string> strategies_of(const bench::FittingLadder& ladder,
                                       const std::vector<std::string>& files) {
  std::vector<std::string> strategies;
  for (const std::string& file : files) strategies.push_back(strategy_of_rung(ladder, file));
  return strategies;
}

}  // namespace

Rungs rungs_by_text(const bench::FittingLadder& ladder) {
  Rungs files = {{ladder.source_of(ladder.naive).text, ladder.naive}};
  for (const bench::Step& step : ladder.steps) files.emplace(ladder.source_of(step.file).text, step.file);
  return files;
}

campaign::Times measured_rungs(const CampaignView& view, const Rungs& files) {
  campaign::Times times;
  for (const campaign::Version& v : view.state.versions) {
    if (!v.status || !v.judged || !v.judged->correct || *v.status == explog::Decision::crash) continue;
    if (std::string file = rung_of(view, v, files); !file.empty()) times[file] = v.judged->ms;
  }
  return times;
}

Footing footing_of(const CampaignView& view, const Rungs& files) {
  Footing footing;
  for (int number = view.state.champion;;) {
    const campaign::Version& v = view.state.versions[static_cast<std::size_t>(number)];
    footing.file = rung_of(view, v, files);
    if (!footing.file.empty() || number == 0) return footing;
    footing.edits.push_back(v.proposal.strategy);
    number = v.proposal.parent;
  }
}

VersionToJudge version_of_step(const bench::FittingLadder& ladder, const bench::Step& step,
                               const Footing& footing) {
  const campaign::Way way = campaign::way_between(footing.file, step.file, rungs_of(ladder));
  const std::vector<std::string> brought = strategies_of(ladder, way.up);
  std::vector<std::string> gone = footing.edits;
  for (std::string& strategy : strategies_of(ladder, way.down)) gone.push_back(std::move(strategy));
  std::string rationale = "the step " + step.file + " of the ladder of " + step.task;
  std::string predicts = step.predicts;
  if (brought.size() > 1 || !gone.empty()) predicts = "over " + step.after + ": " + predicts;
  if (brought.size() > 1)
    rationale += "; it brings " + join(std::span(brought).first(brought.size() - 1), ", ") + " as well";
  if (!gone.empty()) rationale += "; it leaves out " + join(gone, ", ") + " of the best version";
  return walked(ladder.source_of(step.file), campaign::strategy_of(brought, gone, step.file), predicts,
                rationale);
}

}  // namespace explog::app
