// campaign: the experiment loop. A baseline, then one change after the other, each judged against the best so far,
// kept or not, and remembered; until a rule says that it is enough.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/advice/recommend.h"
#include "app/campaign/bound.h"
#include "app/campaign/folder.h"
#include "app/campaign/heart.h"
#include "bench/harness/source_file.h"

namespace explog::app {

struct CampaignStart {
  std::string task, file, out, backend, arch, rules = "seed";
  std::string before, after;   // commands that hear of each version
  std::string lock_clocks;     // MHz or max; empty: left alone
  std::string measure, check;  // commands that judge a file that is no kernel; then `task` is empty
  std::vector<std::string> compiler_flags;
  bool allow_in_process = false;  // keep gains also of versions that cannot be replayed (GPU)
  campaign::Limits limits;
  double noise_percent = 0;  // 0: as much as the backend's clock is sure of
};

struct CampaignView {
  std::string folder;
  campaign::Contract contract;
  campaign::State state;
  std::optional<Heartbeat> heart = {};  // of the process that judges now
};

// Writes the folder and judges version 0 against itself. Throws Error(usage) when task, file or folder will not do.
CampaignView start_campaign(const CampaignStart& start, const Session& session);

// Throws Error(usage) where the task, or what the commands call, is no longer what the campaign began with.
void refuse_moved_task(const campaign::Contract& contract, const Session& session);

struct VersionToJudge {
  std::string file;                         // "-": standard input
  std::optional<bench::SourceFile> source;  // what to judge instead of the file
  std::string by = "person", strategy, hypothesis, rationale;
  std::vector<campaign::Expectation> expect;
  bool again = false;  // also where these bytes, or their machine code, were judged before
};

// Its bytes. A file that was written where the next version belongs is given beside it what the best version includes.
bench::SourceFile source_to_judge(const VersionToJudge& version, const CampaignFolder& folder,
                                  const Session& session);

struct Ruling {
  CampaignView campaign;
  int version = 0;
  bool known = false;     // it had been judged before: that verdict
  std::string diff = {};  // to its parent, as diff -u writes it
  // It is no version: other bytes, but the machine code of `version`, which had been judged before.
  std::optional<campaign::Refused> refused = {};
};

// Throws Error(usage) when the campaign has ended, another process judges, or the task is no longer the one it began
// with.
Ruling judge_version(const std::string& folder, const VersionToJudge& version, const Session& session);

// Throws Error(busy) where another process judges.
void must_be_free(const std::string& folder, const Session& session);

CampaignView view_campaign(const std::string& folder, const Session& session);
// Ends it by a rule; where one has ended it that is a warning.
CampaignView end_campaign(const std::string& folder, const std::string& rule, const std::string& sentence,
                          const Session& session);
// Goes on after it was stopped by somebody, or interrupted at its start; what a rule has ended stays ended.
CampaignView resume_campaign(const std::string& folder, const Session& session);

// What to try next.
struct NextStep {
  CampaignView campaign;
  std::string edit, write;            // the best version so far; where the next one belongs
  recommend::Recommendation ranking;  // of all strategies
  Advice advice;                      // the same without what was tried in this campaign
  std::optional<Bound> bound = {};    // of the best version, where a task judges
  std::string walk = {};              // what `campaign run` would try first; of next_step_to_write alone
};
NextStep next_step(const std::string& folder, int limit, const Session& session);
// The same for who writes the version there: the folder of `write` is made.
NextStep next_step_to_write(const std::string& folder, int limit, const Session& session);

// Writes final_report.md as things stand; its path. With `benchmark` the best version is timed against PyTorch before.
std::string report_campaign(const std::string& folder, bool benchmark, const Session& session);

}  // namespace explog::app
