#include "app/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <unistd.h>

#include "app/bench_request.h"
#include "app/campaign_code.h"
#include "app/campaign_environment.h"
#include "app/campaign_external.h"
#include "app/campaign_hooks.h"
#include "app/campaign_sources.h"
#include "app/campaign_verdict.h"
#include "app/clock_lock.h"
#include "app/kept_code.h"
#include "app/names.h"
#include "base/date.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "bench/find_source.h"
#include "bench/harness/python.h"
#include "campaign/pages.h"
#include "campaign/rules.h"
#include "model/arch.h"
#include "model/backend.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr double noise_on_host = 0.05;  // other processes share its cores
constexpr int patience_ms = 500;        // with those who look at a folder

CampaignView view_of(const CampaignFolder& folder) {
  return {folder.path(), folder.contract(), folder.state(), {}};
}

// A task of the user's own is found from any folder.
std::string lasting_name(const std::string& task) {
  return fs::exists(task) ? fs::absolute(task).string() : task;
}

std::string hash_text(const std::string& bytes) { return hex(blake2b_128(bytes)); }

std::string id_for(const std::string& task, const std::string& created) {
  std::string digits = created.substr(0, 19);
  std::erase_if(digits, [](char c) { return c == '-' || c == ':'; });
  return task + "-" + replace_all(digits, "T", "-");
}

// The file, and what it is written with where that is Python.
std::string reference_text(const bench::FoundTask& found) {
  const std::string& file = found.task.reference;
  if (!bench::is_python(file)) return file;
  const std::string text = bench::source_of(found, file).text;
  for (const char* import : {"import torch", "from torch"}) {
    if (text.find(import) != std::string::npos) return file + " (PyTorch)";
  }
  return file + " (NumPy)";
}

// What a task says of a kernel, or commands of another file.
campaign::Contract subject_for(const CampaignStart& start, const Session& session) {
  campaign::Contract c;
  c.created = utc_text(session.clock());
  if (!start.measure.empty() || !start.check.empty()) {
    put_external(c, start.file, start.measure, start.check);
    c.id = id_for(c.task, c.created);
    return c;
  }
  BenchNames names{start.task, start.file, start.backend, start.arch, "", start.compiler_flags};
  BenchRequest request = read_request(names, session);
  const Backend& backend = request.toolchain.row();
  c.id = id_for(request.found.task.name, c.created);
  c.task = lasting_name(start.task), c.task_hash = request.found.hash;
  c.kernel_type = request.found.task.kernel_type;
  c.backend = backend.name, c.arch = request.toolchain.arch;
  c.dtype = dtype_name(request.found.task.arguments.front().dtype);
  c.reference = reference_text(request.found);
  return c;
}

void put_clocks(campaign::Contract& c, const std::string& wanted) {
  if (wanted.empty()) return;
  must_be_a_clock(wanted);
  if (!c.external.given() && !backend_named(c.backend).on_gpu)
    throw Error(Exit::usage, "campaign start: --lock-clocks is for campaigns on a GPU", "leave it out here");
  c.lock_clocks = wanted;
}

campaign::Contract contract_for(const CampaignStart& start, const Session& session) {
  campaign::Contract c = subject_for(start, session);
  c.baseline = {fs::absolute(start.file).string(), hash_text(session.read(start.file))};
  c.compiler_flags = start.compiler_flags;
  c.allow_in_process = start.allow_in_process;
  c.limits = start.limits;
  if (c.external.given() || !backend_named(c.backend).on_gpu) c.limits.noise = noise_on_host;
  if (start.noise_percent > 0) c.limits.noise = start.noise_percent / 100;
  c.before = start.before, c.after = start.after;
  put_clocks(c, start.lock_clocks);
  c.explog = EXPLOG_VERSION;
  try {
    c.rules = campaign::rules_named(start.rules);
  } catch (const JsonError& e) {
    throw Error(Exit::usage, e.what());
  }
  return c;
}

void must_be_mine(const CampaignFolder& folder) {
  if (folder.mine()) return;
  throw Error(Exit::store, "another process is at work in " + printable(folder.path()),
              "`explog campaign status` shows when it is done", Error::busy.data());
}

void refuse_moved_task(const campaign::Contract& c, const Session& session) {
  const std::string now =
      c.external.given() ? external_hash(c) : bench::find_task(c.task, session.data_dir).hash;
  if (now == c.task_hash) return;
  throw Error(Exit::usage,
              (c.external.given() ? "what --measure and --check call" : "the task " + printable(c.task)) +
                  " is not the one that the campaign began with",
              "put it back, or start a new campaign");
}

void refuse_at_the_end(const campaign::State& state) {
  if (!state.stop) return;
  throw Error(Exit::usage, "the campaign has ended: " + state.stop->rule + ", " + state.stop->sentence,
              state.stop->rule == "stopped" ? "`explog campaign resume` goes on"
                                            : "start a new one from its best version");
}

campaign::Proposed proposal_of(const VersionToJudge& v, const CampaignFolder& folder,
                               const std::string& bytes) {
  int number = folder.state().next_version();
  campaign::Proposed p;
  p.version = number;
  p.by = v.by, p.strategy = v.strategy, p.hypothesis = v.hypothesis, p.rationale = v.rationale;
  p.expect = v.expect;
  p.file = fs::path(folder.file_to_write(number)).filename().string();
  p.source = hash_text(bytes);
  p.parent = folder.state().champion;
  return p;
}

bench::SourceFile source_named(const std::string& file, const Session& session) {
  if (file != "-") return bench::read_source(file);
  return {"-", ".", session.read(file), false};
}

// The judged bytes are kept before they are judged, and the files that they include beside them.
void put_source(const CampaignFolder& folder, const campaign::Proposed& proposal,
                const bench::SourceFile& source) {
  fs::path to = folder.version_folder(proposal.version);
  fs::create_directories(to);
  put_includes(source, to.string());
  write_file((to / proposal.file).string(), source.text);
}

void put_version(CampaignFolder& folder, const campaign::Proposed& proposal,
                 const bench::SourceFile& source) {
  fs::path to = folder.version_folder(proposal.version);
  if (proposal.version > 0) {
    write_file((to / "hypothesis.txt").string(), campaign::hypothesis_text(proposal));
    write_file((to / "change.diff").string(), folder.change_of(proposal, source.text));
  }
  folder.append(proposal);
}

// Noise alone stands between a version and its verdict, or between the campaign and its baseline.
bool is_disturbed(const campaign::Judged& judged, const campaign::Contract& contract) {
  if (judged.version == 0)
    return judged.correct && judged.verdict != "crash" && campaign::is_noisy(contract, judged);
  return judged.verdict == "inconclusive" && !contract.external.given();
}

// By value: what the folder holds moves as it grows.
void judge_it(CampaignFolder& folder, campaign::Proposed proposal, const Session& session) {
  run_hook(Hook::before, folder, proposal.version, session);
  folder.append(campaign::Judging{proposal.version, getpid()});
  auto began = std::chrono::steady_clock::now();
  std::optional<CampaignHeart> heart(std::in_place, folder.path(), proposal.version, session);
  campaign::Judged judged = verdict_on(folder, proposal, heart->session());
  for (int again = proposal.version > 0 ? 1 : 2; again > 0 && is_disturbed(judged, folder.contract());
       --again)
    judged = verdict_on(folder, proposal, heart->session());  // noise passes
  heart.reset();
  judged.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  bool late = judged.wall_s > 60 * folder.contract().limits.minutes && judged.verdict != "crash";
  if (late && proposal.version > 0) {
    judged.verdict = "crash", judged.reason = "timeout";
    judged.detail = fmt::format("judging took {:.0f} s", judged.wall_s);
  }
  folder.append(judged);
  run_hook(Hook::after, folder, proposal.version, session);
}

// Does what a start does that was interrupted; nothing where version 0 has its verdict.
void judge_baseline(CampaignFolder& folder, const Session& session) {
  if (folder.state().versions.empty()) {
    const campaign::KnownFile& file = folder.contract().baseline;
    bench::SourceFile source = source_named(file.file, session);
    if (hash_text(source.text) != file.hash)
      throw Error(Exit::usage, printable(file.file) + " was changed before version 0 was judged",
                  "put it back, or start a new campaign");
    campaign::Proposed baseline;
    baseline.file = fs::path(folder.file_to_write(0)).filename().string();
    baseline.source = file.hash;
    put_source(folder, baseline, source);
    baseline.code = machine_code_of_version(folder, baseline, session);
    put_version(folder, baseline, source);
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

// The verdict that there is already on these bytes or on their machine code.
std::optional<Ruling> known_ruling(const CampaignFolder& folder, const std::string& bytes) {
  const std::string hash = hash_text(bytes);
  const campaign::Version* known = folder.state().of_source(hash);
  if (known == nullptr) return std::nullopt;
  Ruling ruling{view_of(folder), known->proposal.version, true, "", {}};
  if (const campaign::Refused* refused = folder.state().refusal_of(hash)) ruling.refused = *refused;
  return ruling;
}

}  // namespace

CampaignView start_campaign(const CampaignStart& start, const Session& session) {
  campaign::Contract contract = contract_for(start, session);
  std::string out = start.out.empty() ? "runs/" + fs::path(contract.task).filename().string() : start.out;
  std::optional<ClockLock> clocks = locked_clocks(contract, session);
  CampaignFolder::create(out, contract);
  write_file(out + "/env_check.md", campaign::env_check(contract, environment_for(contract)));
  CampaignFolder folder(out, session, patience_ms);
  must_be_mine(folder);
  folder.append(campaign::Started{EXPLOG_VERSION, false});
  judge_baseline(folder, session);
  return view_of(folder);
}

Ruling judge_version(const std::string& where, const VersionToJudge& version, const Session& session) {
  bench::SourceFile source = version.source ? *version.source : source_named(version.file, session);
  CampaignFolder folder(where, session, patience_ms);
  if (auto known = version.again ? std::nullopt : known_ruling(folder, source.text)) return *known;
  must_be_mine(folder);
  refuse_at_the_end(folder.state());
  refuse_moved_task(folder.contract(), session);
  std::optional<ClockLock> clocks = locked_clocks(folder.contract(), session);
  judge_baseline(folder, session);
  refuse_at_the_end(folder.state());
  campaign::Proposed proposal = proposal_of(version, folder, source.text);
  put_source(folder, proposal, source);
  proposal.code = machine_code_of_version(folder, proposal, session);
  if (const campaign::Version* same = version.again ? nullptr : folder.state().of_code(proposal.code)) {
    folder.append(campaign::Refused{same->proposal.version, proposal.by, proposal.strategy,
                                    proposal.hypothesis, proposal.source, proposal.code});
    return *known_ruling(folder, source.text);
  }
  put_version(folder, proposal, source);
  judge_it(folder, proposal, session);
  return {view_of(folder), proposal.version, false, folder.change_of(proposal, source.text), {}};
}

CampaignView view_campaign(const std::string& where, const Session& session) {
  CampaignView view = view_of(CampaignFolder(where, session));
  if (view.state.phase == campaign::Phase::judging) view.heart = heartbeat_in(where, session);
  return view;
}

CampaignView end_campaign(const std::string& where, const std::string& rule, const std::string& sentence,
                          const Session& session) {
  CampaignFolder folder(where, session);
  must_be_mine(folder);
  if (!folder.state().stop) folder.append(campaign::Stopped{rule, sentence, folder.state().champion});
  return view_of(folder);
}

CampaignView resume_campaign(const std::string& where, const Session& session) {
  CampaignFolder folder(where, session);
  must_be_mine(folder);
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
  next.write = fs::absolute(folder.file_to_write(state.next_version())).lexically_normal().string();
  const campaign::Contract& c = folder.contract();
  if (c.external.given()) return next;  // the memory knows kernels
  Ask ask;
  ask.kernel = c.kernel_type, ask.backend = recorded_backend(c.backend), ask.dtype = c.dtype;
  ask.arch = canonical_arch(state.versions[0].judged->arch).value_or("unknown");
  ask.source = next.edit;
  ask.latency_ms = state.versions[static_cast<std::size_t>(state.champion)].judged->ms;
  ask.limit = 0;
  ask.state = state_of_champion(state, session);
  next.advice = recommend_for(ask, session);
  next.ranking = next.advice.ranking;
  auto& items = next.advice.ranking.items;
  std::erase_if(items, [&](const recommend::Item& item) {
    return std::any_of(state.versions.begin(), state.versions.end(),
                       [&](const campaign::Version& v) { return v.proposal.strategy == item.strategy; });
  });
  next.advice.shown = std::min(items.size(), static_cast<std::size_t>(limit));
  return next;
}

std::string apply_version(const std::string& where, int version, const std::string& to,
                          const Session& session) {
  CampaignFolder folder(where, session);
  const campaign::State& state = folder.state();
  if (version < 0 || version > state.decided() || state.versions.empty() || !state.versions[0].status)
    throw Error(Exit::usage, fmt::format("no version v{}", version), "`explog campaign status` lists them");
  const std::string target = to.empty() ? folder.contract().baseline.file : to;
  std::string now = hash_text(session.read(target));
  if (state.of_source(now) == nullptr) {
    std::string beside = target + ".explog";
    write_file(beside, read_file(folder.file_of(version)));
    throw Error(Exit::negative,
                printable(target) + " was changed since the campaign began: it is left as it is",
                fmt::format("v{} lies beside it as {}", version, printable(beside)));
  }
  write_file(target, read_file(folder.file_of(version)));
  return target;
}

std::string report_campaign(const std::string& where, const Session& session) {
  CampaignFolder folder(where, session);
  std::string path = folder.path() + "/final_report.md";
  write_file(path, campaign::final_report(folder.contract(), folder.state()));
  return path;
}

}  // namespace explog::app
