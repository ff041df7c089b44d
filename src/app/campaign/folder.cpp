#include "app/campaign/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/campaign/heart.h"
#include "app/campaign/holder.h"
#include "app/campaign/sources.h"
#include "base/append_file.h"
#include "base/date.h"
#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "campaign/diff.h"
#include "campaign/pages.h"
#include "campaign/profile_pages.h"
#include "campaign/rules.h"
#include "campaign/version_pages.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* contract_name = "/campaign.json";
constexpr const char* journal_name = "/campaign.jsonl";
constexpr const char* table_name = "/perf_results.md";
constexpr const char* report_name = "/final_report.md";
constexpr const char* benchmark_name = "/benchmark.md";
constexpr const char* page_name = "/campaign.md";
constexpr const char* environment_name = "/env_check.md";
constexpr const char* hypothesis_name = "/hypothesis.txt";
constexpr const char* change_name = "/change.diff";
constexpr const char* correctness_name = "/correctness.md";
constexpr const char* summary_name = "/ncu_summary.md";

// Nobody waits for a lock that is held while a kernel is judged. `trouble`: why it was not had; empty where it is held.
std::unique_ptr<FileLock> lock_if_free(const std::string& folder, int patience_ms, std::string& trouble) {
  try {
    return std::make_unique<FileLock>(folder + "/campaign.lock", patience_ms);
  } catch (const Error& e) {
    if (e.code != Error::busy) trouble = e.what();
    return nullptr;
  }
}

bool holds_campaign(const std::string& folder) { return fs::exists(folder + contract_name); }

}  // namespace

void CampaignFolder::create(const std::string& folder, const campaign::Contract& contract) {
  if (holds_campaign(folder))
    throw Error(
        Exit::usage, printable(folder) + ": a campaign is there already",
        "`explog campaign status --out " + printable(folder) + "` shows it; --out DIR names another folder");
  fs::create_directories(folder);
  write_file(folder + page_name, campaign::campaign_page(contract));
  put_over(folder + contract_name, campaign::to_json(contract));
}

std::string CampaignFolder::default_for(const std::string& task) {
  fs::path path = fs::path(task).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "softmax/"
  return "runs/" + path.filename().string();
}

std::vector<std::string> campaign_folders(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const std::string& in : {folder, folder + "/runs"}) {
    if (holds_campaign(in)) found.push_back(in);
    for (const auto& entry : fs::directory_iterator(in, none)) {
      if (entry.is_directory(none) && holds_campaign(entry.path().string()))
        found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string CampaignFolder::find(const std::string& out) {
  const std::string start = "`explog campaign start TASK FILE` begins one";
  std::string named = out.empty() ? env("EXPLOG_CAMPAIGN") : out;
  if (!named.empty()) {
    if (holds_campaign(named)) return named;
    throw Error(Exit::usage, printable(named) + ": no campaign there", start);
  }
  auto found = campaign_folders(".");
  if (found.empty()) throw Error(Exit::usage, "no campaign in this folder or in ./runs", start);
  if (found.size() > 1)
    throw Error(Exit::usage, "several campaigns are here: " + printable(join(found, ", ")),
                "--out DIR names one");
  return found.front();
}

CampaignFolder::CampaignFolder(const std::string& folder, const Session& session, int patience_ms)
    : folder_(folder), session_(&session), lock_(lock_if_free(folder, patience_ms, no_lock_)) {
  read();
  if (mine()) settle();
}

void CampaignFolder::must_be_mine() const {
  if (mine()) return;
  if (!no_lock_.empty()) throw Error(Exit::store, no_lock_, "its owner can go on");
  refuse_busy(folder_, *session_);
}

void CampaignFolder::read() {
  std::string file = folder_ + contract_name;
  try {
    contract_ = campaign::parse_contract(read_file(file));
    file = folder_ + journal_name;
    journal_ = fs::exists(file) ? campaign::parse_journal(read_file(file)) : campaign::Journal{};
  } catch (const JsonError& e) {
    throw Error(Exit::store, printable(file) + ": " + printable(e.what()),
                "schema/formats/campaign.md describes the file; the versions' folders are as they were");
  }
  state_ = campaign::state_of(journal_.events);
}

void CampaignFolder::settle() {
  forget_heartbeat(folder_);
  if (state_.phase == campaign::Phase::judging)
    put(campaign::Interrupted{state_.versions.back().proposal.version,
                              "the process that judged it has ended"});
  while (auto next = campaign::due(contract_, state_)) put(*next);
  // A journal without the versions is only looked at.
  const bool whole = !state_.versions.empty() && fs::exists(file_of(0));
  if (whole && !are_pages_current()) write_pages();
}

void CampaignFolder::put(campaign::Happening what) {
  campaign::Event event{static_cast<int>(journal_.events.size()), utc_text(session_->clock()),
                        std::move(what)};
  std::string line = campaign::to_line(event);
  append_durably(folder_ + journal_name, journal_.whole, line);
  journal_.whole += line.size();
  journal_.events.push_back(std::move(event));
  state_ = campaign::state_of(journal_.events);
}

void CampaignFolder::append(campaign::Happening what) {
  put(std::move(what));
  while (auto next = campaign::due(contract_, state_)) put(*next);
  write_pages();
}

// What never changes: the contract's page, what was found at the start, and of each version what it changes and why.
CampaignFolder::Texts CampaignFolder::written_once() const {
  Texts texts = {{folder_ + page_name, [this] { return campaign::campaign_page(contract_); }}};
  if (!state_.environment.empty())  // journals of before tell nothing of it
    texts[folder_ + environment_name] = [this] { return campaign::env_check(contract_, state_.environment); };
  for (const campaign::Version& v : state_.versions) {
    const campaign::Proposed& p = v.proposal;
    if (p.version == 0 || !fs::exists(file_of_proposal(p)) || !fs::exists(file_of(p.parent))) continue;
    texts[version_folder(p.version) + hypothesis_name] = [&p] { return campaign::hypothesis_text(p); };
    texts[version_folder(p.version) + change_name] = [this, &p] {
      return change_of(p, source_of(p.version));
    };
  }
  return texts;
}

// Those that are_pages_current() looks at come last: they say that all others are there.
void CampaignFolder::write_pages() const {
  for (const auto& [path, text] : written_once()) {
    if (!fs::exists(path)) put_over(path, text());  // whole where it is there: nobody looks into it again
  }
  for (const campaign::Version& v : state_.versions) {
    if (!v.judged) continue;
    fs::create_directories(version_folder(v.proposal.version));
    write_file(version_folder(v.proposal.version) + correctness_name, campaign::correctness(contract_, v));
    if (!v.profile) continue;
    write_file(version_folder(v.proposal.version) + "/ncu_details.md", campaign::ncu_details(v));
    write_file(version_folder(v.proposal.version) + summary_name, campaign::ncu_summary(contract_, v));
  }
  if (is_measured() && fs::exists(file_of(state_.champion))) write_best();
  if (state_.stop && is_measured())
    write_file(folder_ + benchmark_name, campaign::benchmark(contract_, state_));
  write_file(folder_ + table_name, campaign::perf_results(state_));
  if (state_.stop) write_file(folder_ + report_name, campaign::final_report(contract_, state_));
}

// Under the name of the user's file, with what it includes.
void CampaignFolder::write_best() const {
  const std::string best = folder_ + "/best";
  const bench::SourceFile source = source_of(state_.champion);
  fs::create_directories(best);
  put_includes(source, best);
  write_file(best + "/" + fs::path(contract_.baseline.file).filename().string(), source.text);
}

bool CampaignFolder::is_measured() const { return !state_.versions.empty() && state_.versions[0].status; }

// A process may be killed between an event and the pages that tell it.
bool CampaignFolder::are_pages_current() const {
  for (const auto& [path, text] : written_once()) {
    if (!fs::exists(path)) return false;
  }
  auto holds = [&](const std::string& name, const std::string& text) {
    return fs::exists(folder_ + name) && read_file(folder_ + name) == text;
  };
  for (const campaign::Version& v : state_.versions) {
    const std::string version = "/v" + std::to_string(v.proposal.version), summary = version + summary_name;
    if (v.judged && !fs::exists(folder_ + version + correctness_name)) return false;
    if (v.judged && v.profile && !holds(summary, campaign::ncu_summary(contract_, v))) return false;
  }
  if (is_measured() && state_.stop && !holds(benchmark_name, campaign::benchmark(contract_, state_)))
    return false;
  return holds(table_name, campaign::perf_results(state_)) &&
         (!state_.stop || holds(report_name, campaign::final_report(contract_, state_)));
}

const campaign::Version& CampaignFolder::version(int number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= state_.versions.size())
    throw Error(Exit::usage, fmt::format("no version v{}", number), "`explog campaign status` lists them");
  return state_.versions[static_cast<std::size_t>(number)];
}

const campaign::Version& CampaignFolder::judged_version(int number) const {
  const campaign::Version& found = version(number);
  if (!found.judged)
    throw Error(Exit::usage, fmt::format("v{} has no verdict yet", number), "have it judged first");
  return found;
}

std::string CampaignFolder::file_of(int version) const {
  return file_of_proposal(state_.versions[static_cast<std::size_t>(version)].proposal);
}

std::string CampaignFolder::file_name(int version) const {
  return fmt::format("v{}{}", version, fs::path(contract_.baseline.file).extension().string());
}

std::string CampaignFolder::draft_of(int version) const {
  return fmt::format("{}/inbox/v{}/{}", folder_, version, file_name(version));
}

std::string CampaignFolder::change_of(const campaign::Proposed& proposal,
                                      const bench::SourceFile& source) const {
  const bench::SourceFile parent = source_of(proposal.parent);
  auto change = [&](const std::string& before, const std::string& after, const std::string& file_before,
                    const std::string& file_after) {
    return campaign::unified_diff(before, after, fmt::format("v{}/{}", proposal.parent, file_before),
                                  fmt::format("v{}/{}", proposal.version, file_after));
  };
  std::string diff = change(parent.text, source.text, parent.name, proposal.file);
  std::map<std::string, std::string> before;
  for (bench::IncludedFile& file : own_includes_of(parent)) before[file.path] = std::move(file.text);
  for (const bench::IncludedFile& file : own_includes_of(source))
    diff += change(before[file.path], file.text, file.path, file.path);
  return diff;
}

}  // namespace explog::app
