#include "cli/campaign_actions.h"

#include <algorithm>
#include <utility>

#include "answers/answer.h"
#include "answers/campaign.h"
#include "app/campaign/apply.h"
#include "app/campaign/branch.h"
#include "app/campaign/profile.h"
#include "app/campaign/propose.h"
#include "app/campaign/walk.h"
#include "app/campaign/watch.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/text.h"
#include "campaign/rules.h"

namespace explog::cli {
namespace {

using app::CampaignFolder;

int ended(const app::CampaignView& view) {
  const auto& stop = view.state.stop;
  if (!stop) return 0;
  if (stop->rule == "baseline_broken") return static_cast<int>(Exit::crash);
  if (stop->rule == "baseline_noisy" || campaign::is_escalated(view.state))
    return static_cast<int>(Exit::inconclusive);
  return view.state.champion > 0 ? 0 : static_cast<int>(Exit::negative);
}

int show(const app::CampaignView& view, const Context& context) {
  if (context.json)
    context.terminal.out << answers::campaign_json(view) << '\n';
  else
    answers::print_campaign(context.terminal, view);
  return ended(view);
}

bool is_plan(const CampaignFlags& f) { return !f.out.empty() && app::PlanFolder::is_one(f.out); }

constexpr const char* interrupted =
    "\nexplog: interrupted; what has a verdict is kept, and `explog campaign status` says where it stands\n";

int start(const CampaignFlags& f, const Context& context) {
  const app::EndsPreempted ends(interrupted);
  if (f.plan.given()) return run_plan(f.plan, f.out, f.shard, context);
  app::CampaignStart start = f.start;
  bool external = !start.measure.empty() || !start.check.empty();
  if (external && f.subjects.size() != 1)
    throw Error(Exit::usage,
                "campaign start: with --measure and --check name the file that changes, and no task",
                "explog campaign start parser.c --check ./check.sh --measure ./bench.sh");
  if (!external && f.subjects.size() != 2)
    throw Error(Exit::usage, "campaign start: name a task and the kernel's file",
                "explog campaign start rope MINE.cu");
  if (!external) start.task = f.subjects[0];
  start.file = f.subjects.back(), start.out = f.out;
  context.session.expect_writable();
  return show(app::start_campaign(start, context.session), context);
}

int tell_ruling(const app::Ruling& ruling, const Context& context) {
  if (context.json)
    context.terminal.out << answers::ruling_json(ruling) << '\n';
  else
    answers::print_ruling(context.terminal, ruling);
  if (ruling.refused) return static_cast<int>(Exit::quarantined);
  const auto& judged = ruling.campaign.state.versions[static_cast<std::size_t>(ruling.version)];
  if (judged.kept()) return 0;
  if (judged.is_open()) return static_cast<int>(Exit::inconclusive);
  return static_cast<int>(judged.status == Decision::crash ? Exit::crash : Exit::negative);
}

int judge_apart(const std::string& folder, app::VersionToJudge version, double seconds,
                const Context& context) {
  if (version.again)
    throw Error(Exit::usage, "campaign judge: --again does not go with --wait",
                "--wait finds the verdict that there is; without it the version is judged again");
  if (version.file == "-")
    version.source = bench::SourceFile{"version", folder, context.session.read(version.file)};
  const app::ApartRuling ruling =
      app::judge_version_apart(folder, version, context.session, app::wanted_for(seconds));
  if (ruling.version)
    return tell_ruling({ruling.campaign, *ruling.version, ruling.known, "", ruling.refused}, context);
  const std::string then = "the same command, or `explog campaign status --wait 50`, goes on waiting";
  if (context.json)
    context.terminal.out << answers::judging_json(ruling.campaign, then) << '\n';
  else
    context.terminal.print({"judging; " + then});
  return static_cast<int>(Exit::preempted);
}

int judge(const CampaignFlags& f, const Context& context) {
  const app::EndsPreempted ends(interrupted);
  if (f.subjects.size() != 1)
    throw Error(
        Exit::usage,
        f.subjects.empty() ? "campaign judge: name the version's file" : "campaign judge: one file at a time",
        "explog campaign judge FILE --strategy ID; --out DIR names a campaign");
  if (f.version.strategy.empty())
    throw Error(Exit::usage, "campaign judge: --strategy says what was changed",
                "`explog campaign next` suggests some");
  app::VersionToJudge version = f.version;
  version.file = f.subjects[0];
  version.expect = expectations(f.expect);
  context.session.expect_writable();
  const std::string folder = CampaignFolder::find(f.out);
  if (f.wait == f.not_given)
    return tell_ruling(app::judge_version(folder, version, context.session), context);
  return judge_apart(folder, version, f.wait, context);
}

int run(const CampaignFlags& f, const Context& context) {
  const app::EndsPreempted ends(interrupted);
  if (is_plan(f)) return resume_plan(f.plan, f.out, f.shard, context);
  app::Proposer propose = [&](const app::NextStep& next) -> std::optional<app::Proposal> {
    if (f.propose.empty()) return app::propose_by_walking(next, f.seed, context.session);
    auto version = app::propose_by_command(next, f.propose, answers::next_json(next));
    return version ? std::optional(app::Proposal{std::move(*version), {}}) : std::nullopt;
  };
  auto tell = [&](const app::Ruling& ruling) {
    if (context.json) return;
    answers::print_version(context.terminal, ruling);
    context.terminal.out.flush();  // the next one takes a while
  };
  context.session.expect_writable();
  app::CampaignView view = app::run_campaign(CampaignFolder::find(f.out), propose, tell, context.session);
  return show(view, context);
}

int next(const CampaignFlags& f, const Context& context) {
  app::NextStep step = app::next_step_to_write(CampaignFolder::find(f.out), f.limit, context.session);
  if (context.json)
    context.terminal.out << answers::next_json(step) << '\n';
  else
    answers::print_next(context.terminal, step);
  return 0;
}

void print_lines(const std::vector<campaign::Event>& events, const Context& context) {
  for (const campaign::Event& event : events) context.terminal.out << campaign::to_line(event);
  context.terminal.out.flush();
}

int watch(const std::string& folder, const Context& context) {
  app::watch_campaign(
      folder, context.session, [&](const app::CampaignView& view) { show(view, context); },
      [&](const std::vector<campaign::Event>& events) {
        if (context.json) return print_lines(events, context);
        answers::print_events(context.terminal, events);
        context.terminal.out.flush();
      });
  return 0;
}

int status(const CampaignFlags& f, const Context& context) {
  if (is_plan(f)) return show_plan(f.out, context);
  const std::string folder = CampaignFolder::find(f.out);
  if (f.watch) return watch(folder, context);
  const app::Wanted wanted = app::wanted_for(f.wait);
  show(app::await_verdict(folder, context.session, wanted), context);
  return 0;
}

int log(const CampaignFlags& f, const Context& context) {
  CampaignFolder folder(CampaignFolder::find(f.out), context.session);
  if (f.jsonl) return print_lines(folder.events(), context), 0;
  if (!context.json) return answers::print_events(context.terminal, folder.events()), 0;
  const char* glue = "";
  context.terminal.out << answers::list_opening("events");
  for (const campaign::Event& event : folder.events())
    context.terminal.out << std::exchange(glue, ",\n ") << trim(campaign::to_line(event));
  context.terminal.out << answers::list_closing;
  return 0;
}

int list(const CampaignFlags& f, const Context& context) {
  std::vector<app::CampaignView> found;
  for (const std::string& folder : app::campaign_folders(f.out.empty() ? "." : f.out))
    found.push_back(app::view_campaign(folder, context.session));
  // What waits for somebody comes first.
  std::stable_partition(found.begin(), found.end(),
                        [](const app::CampaignView& view) { return campaign::is_escalated(view.state); });
  if (context.json)
    context.terminal.out << answers::campaigns_json(found) << '\n';
  else
    answers::print_campaigns(context.terminal, found);
  return found.empty() ? static_cast<int>(Exit::negative) : 0;
}

int show_one(const CampaignFlags& f, const Context& context) {
  if (f.subjects.size() > 1)
    throw Error(Exit::usage, "campaign show: name one version", "explog campaign show v3");
  auto version = f.subjects.empty() ? std::nullopt : std::optional(version_named(f.subjects[0]));
  app::ShownVersion shown = app::show_version(CampaignFolder::find(f.out), version, context.session);
  if (context.json)
    context.terminal.out << answers::shown_json(shown) << '\n';
  else
    answers::print_shown(context.terminal, shown);
  return 0;
}

int profile(const CampaignFlags& f, const Context& context) {
  if (f.subjects.size() != 2)
    throw Error(Exit::usage, "campaign profile: name a version and a CSV of Nsight Compute",
                "explog campaign profile v3 v3.csv");
  const int version = version_named(f.subjects[0]);
  app::CampaignView view = app::profile_version(CampaignFolder::find(f.out), version, f.subjects[1],
                                                f.kernel_name, context.session);
  const std::string page = view.folder + "/" + f.subjects[0] + "/ncu_summary.md";
  if (context.json)
    context.terminal.out << answers::answer_of({{"version", f.subjects[0]}, {"file", page}});
  else
    context.terminal.print({page});
  return 0;
}

int stop(const CampaignFlags& f, const Context& context) {
  std::string why = f.reason.empty() ? "somebody stopped it" : f.reason;
  show(app::end_campaign(CampaignFolder::find(f.out), "stopped", why, context.session), context);
  return 0;
}

int resume(const CampaignFlags& f, const Context& context) {
  const app::EndsPreempted ends(interrupted);
  if (is_plan(f)) return resume_plan(f.plan, f.out, f.shard, context);
  return show(app::resume_campaign(CampaignFolder::find(f.out), context.session), context);
}

int report(const CampaignFlags& f, const Context& context) {
  std::string file = app::report_campaign(CampaignFolder::find(f.out), f.benchmark, context.session);
  if (context.json)
    context.terminal.out << answers::answer_of({{"file", file}});
  else
    context.terminal.print({file});
  return 0;
}

int would_apply(const CampaignFlags& f, int version, const Context& context) {
  const auto files = app::files_to_apply(CampaignFolder::find(f.out), version, f.to, context.session);
  if (context.json)
    context.terminal.out << answers::to_apply_json(version, files) << '\n';
  else
    answers::print_to_apply(context.terminal, version, files);
  const bool all = std::none_of(files.begin(), files.end(),
                                [](const app::FileToApply& file) { return file.fate == app::Fate::beside; });
  return all ? 0 : static_cast<int>(Exit::negative);
}

int apply(const CampaignFlags& f, const Context& context) {
  if (f.subjects.size() != 1)
    throw Error(Exit::usage, "campaign apply: name a version", "explog campaign apply v3");
  int version = version_named(f.subjects[0]);
  if (f.dry_run) return would_apply(f, version, context);
  std::string file = app::apply_version(CampaignFolder::find(f.out), version, f.to, context.session);
  if (context.json)
    return context.terminal.out << answers::answer_of({{"version", f.subjects[0]}, {"file", file}}), 0;
  context.terminal.print(
      {f.subjects[0] + " is in " + file + " now; `explog campaign apply v0` takes it back"});
  return 0;
}

int branch(const CampaignFlags& f, const Context& context) {
  app::CampaignBranch made = app::branch_campaign(CampaignFolder::find(f.out), context.session);
  if (context.json)
    context.terminal.out << answers::branch_json(made) << '\n';
  else
    answers::print_branch(context.terminal, made);
  return 0;
}

constexpr CampaignAction actions[] = {{"start", start, true},
                                      {"next", next},
                                      {"judge", judge, true},
                                      {"run", run},
                                      {"status", status},
                                      {"show", show_one, true},
                                      {"log", log},
                                      {"list", list},
                                      {"report", report},
                                      {"apply", apply, true},
                                      {"profile", profile, true},
                                      {"branch", branch},
                                      {"stop", stop},
                                      {"resume", resume}};

}  // namespace

std::span<const CampaignAction> campaign_actions() { return actions; }

}  // namespace explog::cli
