// One version of a campaign with all that is known of it.
#pragma once
#include <optional>
#include <string>

#include "app/campaign/campaign.h"

namespace explog::app {

struct ShownVersion {
  CampaignView campaign;
  int version = 0;
  std::string file;                    // its bytes as they were judged; empty where they are gone
  std::string diff;                    // to its parent; empty where either is gone, or it is version 0
  std::string proposed_at, judged_at;  // "2026-11-22T10:00:00Z"; empty where that did not happen
};

// The best version where none is named. Throws Error(usage) where there is no such version.
ShownVersion show_version(const std::string& folder, std::optional<int> version, const Session& session);

}  // namespace explog::app
