// The counters that the pages of a campaign's versions show, as kernel-opt-skill's do.
#pragma once
#include <span>
#include <string_view>

namespace explog {

struct VersionMetric {
  std::string_view group, name, label;  // heading of the page, Nsight Compute's name, what the page calls it
};

// In the order of the page.
std::span<const VersionMetric> version_metrics();

}  // namespace explog
