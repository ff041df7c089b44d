#include "app/campaign/apart.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/campaign/sources.h"
#include "base/error.h"
#include "base/file.h"
#include "base/own_program.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> with_globals(std::vector<std::string> words, const Session& session) {
  for (const char* flag : {"--json", "--quiet"}) words.emplace_back(flag);
  words.insert(words.end(), {"--db", session.database()});
  if (!session.data_dir.empty()) words.insert(words.end(), {"--data", session.data_dir});
  return words;
}

// What the other process said before it ended without a verdict. A refusal because somebody holds the folder is no error.
void rethrow_unless_busy(const OwnProgram& program) {
  try {
    Json error = parse_json(trim(program.said())).at("error");
    if (error.at("code") == Error::busy) return;
    throw Error(static_cast<Exit>(error.at("exit").get<int>()), error.at("message").get<std::string>(),
                error.at("hint").get<std::string>());
  } catch (const JsonError&) {
  } catch (const Json::exception&) {
  }
  throw Error(Exit::unavailable,
              "judging ended without a verdict, exit code " + std::to_string(program.code()),
              "`explog campaign judge` in a terminal shows more");
}

bool is_being_judged(const CampaignView& view) {
  return view.state.phase == campaign::Phase::judging || view.state.phase == campaign::Phase::baseline;
}

std::vector<std::string> words_for(const CampaignStart& start, const std::string& out,
                                   const Session& session) {
  std::vector<std::string> words = {"campaign", "start", start.task, start.file, "--out", out};
  auto flag = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  flag("--backend", start.backend), flag("--arch", start.arch), flag("--rules", start.rules);
  flag("--max-versions", std::to_string(start.limits.max_versions));
  flag("--max-time", number_text(start.limits.shape_s));
  if (start.noise_percent > 0) flag("--noise", number_text(start.noise_percent));
  for (const std::string& option : start.compiler_flags) flag("--flag", option);
  if (start.allow_in_process) words.emplace_back("--allow-in-process");
  return with_globals(words, session);
}

// A text that was sent finds what it includes beside the best version.
bench::SourceFile source_sent(const VersionToJudge& v, const CampaignView& view) {
  std::string ending = fs::path(view.contract.baseline.file).extension().string();
  return {"version" + ending, view.folder + "/v" + std::to_string(view.state.champion), v.source->text};
}

// A text that was sent lies in a folder of its own, with the files that it includes by name.
std::string file_to_judge(const VersionToJudge& v, const bench::SourceFile& source,
                          const std::string& folder) {
  if (!v.source) return v.file;
  fs::path to = fs::path(folder) / "inbox" / identity_of(source);
  fs::create_directories(to);
  put_includes(source, to.string());
  std::string file = (to / source.name).string();
  write_file(file, source.text);
  return file;
}

std::vector<std::string> words_for(const VersionToJudge& v, const std::string& file,
                                   const std::string& folder, const Session& session) {
  std::vector<std::string> words = {"campaign", "judge", file, "--out", folder, "--by", v.by};
  auto flag = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.push_back(std::string(name) + "=" + value);
  };
  flag("--strategy", v.strategy), flag("--hypothesis", v.hypothesis), flag("--rationale", v.rationale);
  for (const campaign::Expectation& e : v.expect)
    flag("--expect", e.metric + ":" + number_text(e.percent) + "%");
  return with_globals(words, session);
}

// Who asked may be gone before the verdict comes: how many versions there were then lies with the source until he is told.
// A verdict that was inconclusive and came later answers him; an older one is no answer, since it can be judged again.
class Asked {
 public:
  Asked(const std::string& folder, const std::string& hash, int versions)
      : file_(fs::path(folder) / "inbox" / hash / "asked"), versions_(versions) {
    if (!fs::exists(file_)) return;
    const std::string text = read_file(file_.string());
    std::from_chars(text.data(), text.data() + text.size(), versions_);
  }
  void keep() const {
    fs::create_directories(file_.parent_path());
    write_file(file_.string(), std::to_string(versions_) + "\n");
  }
  void forget() const {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  int versions() const { return versions_; }

 private:
  fs::path file_;
  int versions_;
};

// The verdict on this source: one that holds, or one that was inconclusive and came after so many versions.
std::optional<ApartRuling> decided(const CampaignView& view, const std::string& hash, int since) {
  const campaign::Version* version = view.state.of_source(hash);
  for (const campaign::Version& v : view.state.versions) {
    if (version == nullptr && v.is_open() && v.status && v.proposal.version > since &&
        v.proposal.source == hash)
      version = &v;
  }
  if (version == nullptr) return std::nullopt;
  ApartRuling ruling{view, version->proposal.version, false, {}};
  if (const campaign::Refused* refused = view.state.refusal_of(hash)) ruling.refused = *refused;
  return ruling;
}

}  // namespace

void pause_between_looks() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

CampaignView start_campaign_apart(const CampaignStart& start, const Session& session, const Wanted& wanted) {
  std::string out = start.out.empty() ? CampaignFolder::default_for(start.task) : start.out;
  std::optional<OwnProgram> program;
  if (fs::exists(out + "/campaign.json")) {
    CampaignView there = view_campaign(out, session);
    bool same = there.contract.baseline.hash == identity_of(bench::read_source(start.file)) &&
                fs::path(there.contract.task).filename() == fs::path(start.task).filename();
    if (!same)
      throw Error(Exit::usage, printable(out) + ": another campaign is there already", "name another folder");
  } else {
    program.emplace(words_for(start, out, session));
  }
  for (;; pause_between_looks()) {
    bool ended = program && program->has_ended();
    bool there = fs::exists(out + "/campaign.json");
    if (ended && !there) rethrow_unless_busy(*program);
    if ((!program || ended) && there) {
      CampaignView view = view_campaign(out, session);
      if (ended || !is_being_judged(view) || !wanted()) return view;
    }
    if (there && !wanted()) return view_campaign(out, session);
  }
}

ApartRuling judge_version_apart(const std::string& folder, const VersionToJudge& version,
                                const Session& session, const Wanted& wanted) {
  const CampaignView began = view_campaign(folder, session);
  refuse_moved_task(began.contract, session);
  const bench::SourceFile source = version.source
                                       ? source_sent(version, began)
                                       : source_to_judge(version, CampaignFolder(folder, session), session);
  const std::string hash = identity_of(source);
  const Asked asked(folder, hash, began.state.decided());
  std::optional<OwnProgram> program;
  bool first = true;
  for (;; first = false, pause_between_looks()) {
    // The folder is not looked at while the other process takes it.
    bool ended = program && program->has_ended();
    if (!program || ended) {
      CampaignView view = view_campaign(folder, session);
      auto verdict = decided(view, hash, asked.versions());
      if (verdict) {
        asked.forget();
        verdict->known = first;
        return *verdict;
      }
      if (ended) rethrow_unless_busy(*program), program.reset();
      bool judging = view.state.phase == campaign::Phase::judging;
      if (judging && view.state.versions.back().proposal.source != hash)
        throw Error(Exit::store, "another version is being judged there", "ask for its status, then again",
                    Error::busy.data());
      if (!judging) {
        asked.keep();
        program.emplace(words_for(version, file_to_judge(version, source, folder), folder, session));
      }
    }
    if (!wanted()) return {view_campaign(folder, session), std::nullopt, false, {}};
  }
}

}  // namespace explog::app
