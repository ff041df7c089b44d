#include "app/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include <unistd.h>

#include "app/campaign/benchmark.h"
#include "app/campaign/code.h"
#include "app/campaign/contract.h"
#include "app/campaign/environment.h"
#include "app/campaign/external.h"
#include "app/campaign/hooks.h"
#include "app/campaign/sources.h"
#include "app/campaign/verdict.h"
#include "app/campaign/walk.h"
#include "app/judge/clock_lock.h"
#include "app/records/kept_code.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/find_task.h"
#include "bench/harness/toolchain.h"
#include "bench/workbench.h"
#include "campaign/foresight.h"
#include "campaign/pages.h"
#include "campaign/rules.h"
#include "model/arch.h"
#include "model/backend.h"
#include "model/source_flags.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

CampaignView view_of(const CampaignFolder& folder) {
  return {folder.path(), folder.contract(), folder.state(), {}};
}

}  // namespace

void refuse_moved_task(const campaign::Contract& c, const Session& session) {
  const std::string now =
      c.external.given() ? external_hash(c) : bench::find_task(c.task, session.data_dir).hash;
  if (now == c.task_hash) return;
  throw Error(Exit::usage,
              (c.external.given() ? "what --measure and --check call" : "the task " + printable(c.task)) +
                  " is not the one that the campaign began with",
              "put it back, or start a new campaign");
}

namespace {

void refuse_at_the_end(const campaign::State& state) {
  if (!state.stop) return;
  throw Error(Exit::usage, "the campaign has ended: " + state.stop->rule + ", " + state.stop->sentence,
              campaign::after_the_end(*state.stop));
}

campaign::Proposed proposal_of(const VersionToJudge& v, const CampaignFolder& folder,
                               const bench::SourceFile& source) {
  int number = folder.state().next_version();
  campaign::Proposed p;
  p.version = number;
  p.by = v.by, p.strategy = v.strategy, p.hypothesis = v.hypothesis, p.rationale = v.rationale;
  p.expect = v.expect;
  p.file = folder.file_name(number);
  p.source = identity_of(source);
  p.parent = folder.state().champion;
  const campaign::Contract& c = folder.contract();
  if (!c.external.given() && backend_named(c.backend).on_gpu) p.flags = flags_in_source(source.text);
  return p;
}

bench::SourceFile source_named(const std::string& file, const Session& session) {
  if (file != "-") return bench::read_source(file);
  return {"-", ".", session.read(file), false};
}

}  // namespace

bench::SourceFile source_to_judge(const VersionToJudge& version, const CampaignFolder& folder,
                                  const Session& session) {
  if (version.source) return *version.source;
  const campaign::State& state = folder.state();
  std::error_code none;
  if (folder.mine() && state.phase == campaign::Phase::asking &&
      fs::equivalent(version.file, folder.draft_of(state.next_version()), none))
    put_includes(folder.source_of(state.champion), fs::path(version.file).parent_path().string(),
                 Existing::leave);
  return source_named(version.file, session);
}

namespace {

// The judged bytes are kept before they are judged, and the files that they include beside them.
void put_source(const CampaignFolder& folder, const campaign::Proposed& proposal,
                const bench::SourceFile& source) {
  fs::path to = folder.version_folder(proposal.version);
  fs::create_directories(to);
  put_includes(source, to.string());
  write_file((to / proposal.file).string(), source.text);
}

// Noise alone stands between a version and its verdict, or between the campaign and its baseline.
bool is_disturbed(const campaign::Judged& judged, const campaign::Contract& contract) {
  if (judged.version == 0)
    return judged.correct && judged.verdict != "crash" && campaign::is_noisy(contract, judged);
  return judged.verdict == "inconclusive" && !contract.external.given();
}

// By value: what the folder holds moves as it grows.
std::string machine_of(const campaign::Judged& judged) {
  std::string text = judged.gpu;
  if (!judged.driver.empty()) text += ", driver " + judged.driver;
  return judged.toolkit.empty() ? text : text + ", " + judged.toolkit;
}

// A version is timed beside the one that it is compared with, so gains hold wherever it was; the times of versions that were
// judged on different machines do not stand in one column.
void note_other_machine(CampaignFolder& folder, const campaign::Judged& judged, const Session& session) {
  const auto& baseline = folder.state().versions.front().judged;
  if (!baseline || baseline->gpu.empty() || judged.gpu.empty()) return;
  const std::string there = machine_of(*baseline), here = machine_of(judged);
  if (there == here) return;
  std::string text = fmt::format(
      "v{} was judged on another machine ({}) than v0 ({}): its gain holds, its time is not to be compared "
      "with theirs",
      judged.version, here, there);
  session.warn(printable(text));
  folder.append(campaign::Note{"explog", text});
}

void judge_it(CampaignFolder& folder, campaign::Proposed proposal, const Session& session) {
  run_hook(Hook::before, folder, proposal.version, session);
  folder.append(campaign::Judging{proposal.version, getpid()});
  auto began = std::chrono::steady_clock::now();
  std::optional<CampaignHeart> heart(std::in_place, folder.path(), proposal.version, session);
  int tries = proposal.version > 0 ? 2 : 3;  // noise passes
  campaign::Judged judged;
  do {
    judged = verdict_on(folder, proposal, --tries == 0, heart->session());
  } while (tries > 0 && is_disturbed(judged, folder.contract()));
  heart.reset();
  judged.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  bool late = judged.wall_s > 60 * folder.contract().limits.minutes && judged.verdict != "crash";
  if (late && proposal.version > 0) {
    judged.verdict = "crash", judged.reason = "timeout";
    judged.detail = fmt::format("judging took {:.0f} s", judged.wall_s);
  }
  folder.append(judged);
  note_other_machine(folder, judged, session);
  run_hook(Hook::after, folder, proposal.version, session);
}

// Does what a start does that was interrupted; nothing where version 0 has its verdict.
void judge_baseline(CampaignFolder& folder, const Session& session) {
  if (folder.state().versions.empty()) {
    const campaign::KnownFile& file = folder.contract().baseline;
    bench::SourceFile source = source_named(file.file, session);
    if (identity_of(source) != file.hash)
      throw Error(Exit::usage,
                  printable(file.file) + ", or what it includes, was changed before version 0 was judged",
                  "put it back, or start a new campaign");
    campaign::Proposed baseline;
    baseline.file = folder.file_name(0);
    baseline.source = file.hash;
    put_source(folder, baseline, source);
    baseline.code = machine_code_of_version(folder, baseline, session);
    folder.append(baseline);
  }
  const campaign::Version& first = folder.state().versions[0];
  if (!first.status) judge_it(folder, first.proposal, session);
}

std::optional<ClockLock> locked_clocks(const campaign::Contract& c, const Session& session) {
  return c.lock_clocks.empty() ? std::nullopt
                               : std::optional<ClockLock>(std::in_place, c.lock_clocks, session);
}

// What the code of the best version has already, as far as its record and what is kept here know it.
std::optional<Facts> state_of_champion(const campaign::State& state, const Session& session) try {
  const auto& judged = state.versions[static_cast<std::size_t>(state.champion)].judged;
  if (!judged || judged->records.empty()) return std::nullopt;
  sql::Db db = session.reader();
  Experience e = experience_named(judged->records.front(), db);
  put_code_after(e, session);
  return e.code_after.empty() ? std::nullopt : std::optional(e.state);
} catch (const Error&) {  // the record was erased
  return std::nullopt;
}

// The verdict that there is already on this source or on its machine code.
std::optional<Ruling> known_ruling(const CampaignFolder& folder, const std::string& hash) {
  const campaign::Version* known = folder.state().of_source(hash);
  if (known == nullptr) return std::nullopt;
  Ruling ruling{view_of(folder), known->proposal.version, true, "", {}};
  if (const campaign::Refused* refused = folder.state().refusal_of(hash)) ruling.refused = *refused;
  return ruling;
}

// What judging needs is built beside the first look at the machine and the kernel. What goes wrong is told by the judgement.
std::future<void> harness_of(const campaign::Contract& c, const Session& session) {
  if (c.external.given()) return {};
  return std::async(std::launch::async, [c, data = session.data_dir] {
    bench::Toolchain toolchain = bench::find_toolchain(c.backend, c.arch, c.compiler_flags);
    std::future<void> programs = bench::begin_harness(toolchain);
    bench::FoundTask found = bench::find_task(c.task, data);
    bench::Builder(toolchain).reference(bench::source_of(found, found.task.reference));
    programs.wait();
  });
}

}  // namespace

CampaignView start_campaign(const CampaignStart& start, const Session& session) {
  campaign::Contract contract = contract_for(start, session);
  std::future<void> harness = harness_of(contract, session);
  std::string out = start.out.empty() ? CampaignFolder::default_for(contract.task) : start.out;
  std::optional<ClockLock> clocks = locked_clocks(contract, session);
  CampaignFolder::create(out, contract);
  CampaignFolder folder(out, session, patience_ms);
  folder.must_be_mine();
  folder.append(campaign::Started{EXPLOG_VERSION, false, environment_for(contract)});
  judge_baseline(folder, session);
  return view_of(folder);
}

Ruling judge_version(const std::string& where, const VersionToJudge& version, const Session& session) {
  CampaignFolder folder(where, session, patience_ms);
  refuse_moved_task(folder.contract(), session);
  refuse_unknown_metrics(folder.contract(), version.expect);
  bench::SourceFile source = source_to_judge(version, folder, session);
  const std::string hash = identity_of(source);
  if (auto known = version.again ? std::nullopt : known_ruling(folder, hash)) return *known;
  folder.must_be_mine();
  refuse_at_the_end(folder.state());
  std::optional<ClockLock> clocks = locked_clocks(folder.contract(), session);
  judge_baseline(folder, session);
  refuse_at_the_end(folder.state());
  campaign::Proposed proposal = proposal_of(version, folder, source);
  put_source(folder, proposal, source);
  proposal.code = machine_code_of_version(folder, proposal, session);
  if (const campaign::Version* same = version.again ? nullptr : folder.state().of_code(proposal.code)) {
    folder.append(campaign::Refused{same->proposal.version, proposal.by, proposal.strategy,
                                    proposal.hypothesis, proposal.source, proposal.code});
    return *known_ruling(folder, hash);
  }
  folder.append(proposal);
  judge_it(folder, proposal, session);
  return {view_of(folder), proposal.version, false, folder.change_of(proposal, source), {}};
}

void must_be_free(const std::string& where, const Session& session) {
  CampaignFolder(where, session, patience_ms).must_be_mine();
}

CampaignView view_campaign(const std::string& where, const Session& session) {
  CampaignView view = view_of(CampaignFolder(where, session));
  if (view.state.phase == campaign::Phase::judging) view.heart = heartbeat_in(where, session);
  return view;
}

CampaignView end_campaign(const std::string& where, const std::string& rule, const std::string& sentence,
                          const Session& session) {
  CampaignFolder folder(where, session, patience_ms);
  folder.must_be_mine();
  if (const auto& stop = folder.state().stop)
    session.warn("the campaign had ended already: " + stop->rule + ", " + stop->sentence);
  else
    folder.append(campaign::Stopped{rule, sentence, folder.state().champion});
  return view_of(folder);
}

CampaignView resume_campaign(const std::string& where, const Session& session) {
  CampaignFolder folder(where, session, patience_ms);
  folder.must_be_mine();
  if (folder.state().phase == campaign::Phase::baseline) {
    std::optional<ClockLock> clocks = locked_clocks(folder.contract(), session);
    judge_baseline(folder, session);
  }
  const auto& stop = folder.state().stop;
  if (stop && stop->rule != "stopped") refuse_at_the_end(folder.state());
  if (stop) folder.append(campaign::Started{EXPLOG_VERSION, true});
  return view_of(folder);
}

NextStep next_step(const std::string& where, int limit, const Session& session) {
  CampaignFolder folder(where, session);
  NextStep next{view_of(folder), "", "", {}, {}};
  const campaign::State& state = folder.state();
  if (state.phase != campaign::Phase::asking) return next;
  next.edit = fs::absolute(folder.file_of(state.champion)).lexically_normal().string();
  next.write = fs::absolute(folder.draft_of(state.next_version())).lexically_normal().string();
  const campaign::Contract& c = folder.contract();
  if (c.external.given()) return next;  // the memory knows kernels
  Ask ask;
  ask.kernel = c.kernel_type, ask.backend = recorded_backend(c.backend), ask.dtype = c.dtype;
  ask.arch = canonical_arch(state.versions[0].judged->arch).value_or("unknown");
  ask.source = next.edit;
  const campaign::Version& best = state.versions[static_cast<std::size_t>(state.champion)];
  ask.latency_ms = best.judged->ms;
  ask.limit = 0;
  ask.state = state_of_champion(state, session);
  ask.launch = launch_of(best, c);
  next.advice = recommend_for(ask, session);
  next.bound =
      bound_of(best, c, ask.launch ? std::optional(next.advice.start.diagnosis) : std::nullopt, session);
  next.ranking = next.advice.ranking;
  auto& items = next.advice.ranking.items;
  std::erase_if(items, [&](const recommend::Item& item) {
    return std::any_of(state.versions.begin(), state.versions.end(), [&](const campaign::Version& v) {
      return campaign::brings(v.proposal.strategy, item.strategy);
    });
  });
  next.advice.shown = std::min(items.size(), static_cast<std::size_t>(limit));
  return next;
}

NextStep next_step_to_write(const std::string& where, int limit, const Session& session) {
  NextStep next = next_step(where, limit, session);
  next.walk = first_step_of_walk(next, session);
  std::error_code only_read;  // a campaign that others may only look at
  if (!next.write.empty()) fs::create_directories(fs::path(next.write).parent_path(), only_read);
  return next;
}

std::string report_campaign(const std::string& where, bool benchmark, const Session& session) {
  CampaignFolder folder(where, session);
  if (benchmark) benchmark_best(folder, session);
  std::string path = folder.path() + "/final_report.md";
  write_file(path, campaign::final_report(folder.contract(), folder.state()));
  return path;
}

}  // namespace explog::app
