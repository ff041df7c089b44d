// Flags of `campaign`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "cli/arguments.h"
#include "cli/plan_flags.h"

namespace explog::cli {

struct CampaignFlags {
  std::string action = "status", out, to, reason, propose, shard, kernel_name;
  std::vector<std::string> subjects, expect;
  app::CampaignStart start;
  app::VersionToJudge version;
  PlanFlags plan;
  int limit = 5;
  std::uint64_t seed = 0;
  double wait = not_given;  // seconds
  bool benchmark = false, watch = false, jsonl = false, dry_run = false;
  static constexpr double not_given = -1;
  void add_to(Arguments& arguments, const std::vector<std::string>& actions);
};

// "dram__bytes_read.sum:-45%", each. Throws Error(usage).
std::vector<campaign::Expectation> expectations(const std::vector<std::string>& texts);
int version_named(const std::string& text);  // "v3"; throws Error(usage)

}  // namespace explog::cli
