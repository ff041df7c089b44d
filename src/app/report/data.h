// What reports are made of, out of the store and out of campaigns' folders.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/folder.h"
#include "app/session/session.h"
#include "model/tuned.h"
#include "report/campaign_page.h"
#include "report/site.h"

namespace explog::app {

// Records that `search` finds, oldest first.
std::vector<report::Attempt> attempts_of(const std::string& search, const Session& session);

// All but the pictures of rooflines; `since` as in SiteOptions.
report::Everything everything(const std::string& since, const Session& session);

// The roofline of a record's profile, or nothing where it has none that says enough. (report_roofs.cpp)
// `link`: where the record is shown, for the figures behind the picture; empty: nowhere.
std::optional<report::Roof> roof_of_record(const report::Attempt& a, const std::string& link,
                                           const Session& session);
// `links` as in report::kernel_sections.
void add_roofs(report::Everything& all, const report::Index& index, bool links, const Session& session);

report::CampaignView view_for_report(const CampaignFolder& folder);

// Sections of a tuning run's report. (report_tuning.cpp)
std::vector<report::Section> tuning_sections(const Tuned& tuned, const Session& session);

}  // namespace explog::app
