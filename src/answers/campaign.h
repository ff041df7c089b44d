// Answers of `campaign`: where it stands, what to try next, one version's verdict, its events.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/campaign/apply.h"
#include "app/campaign/branch.h"
#include "app/campaign/campaign.h"
#include "app/campaign/show.h"

namespace explog::answers {

// `most`: only so many of the newest versions, and the best one.
constexpr std::size_t all_versions = std::string::npos;
void print_campaign(const Terminal& terminal, const app::CampaignView& view, std::size_t most = all_versions);
std::string campaign_json(const app::CampaignView& view, std::size_t most = all_versions);

// At most 25 lines, so that it can be read between two edits.
void print_ruling(const Terminal& terminal, const app::Ruling& ruling);
void print_version(const Terminal& terminal, const app::Ruling& ruling);  // one line
std::string ruling_json(const app::Ruling& ruling);

// One version on a page: what was changed and why, what came of it.
void print_shown(const Terminal& terminal, const app::ShownVersion& shown);
std::string shown_json(const app::ShownVersion& shown);

// While another process judges it; `then` says how to go on waiting.
std::string judging_json(const app::CampaignView& view, const std::string& then);

void print_next(const Terminal& terminal, const app::NextStep& next, std::size_t most = all_versions);
std::string next_json(const app::NextStep& next, std::size_t most = all_versions);

// What `apply` would do.
void print_to_apply(const Terminal& terminal, int version, const std::vector<app::FileToApply>& files);
std::string to_apply_json(int version, const std::vector<app::FileToApply>& files);

void print_branch(const Terminal& terminal, const app::CampaignBranch& branch);
std::string branch_json(const app::CampaignBranch& branch);

void print_events(const Terminal& terminal, const std::vector<campaign::Event>& events);

void print_campaigns(const Terminal& terminal, const std::vector<app::CampaignView>& list);
std::string campaigns_json(const std::vector<app::CampaignView>& list);

}  // namespace explog::answers
