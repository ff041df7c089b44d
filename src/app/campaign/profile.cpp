#include "app/campaign/profile.h"

#include <algorithm>
#include <cmath>

#include "app/records/profiles.h"
#include "base/error.h"
#include "model/version_metrics.h"

namespace explog::app {
namespace {

campaign::Counter counter_over(std::string_view name, const std::vector<double>& values) {
  auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (double v : values) mean += v / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {std::string(name),
          mean,
          values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0,
          *least,
          *most,
          static_cast<int>(values.size())};
}

bool same_kernel(const Launch& a, const Launch& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block;
}

}  // namespace

campaign::Profile profile_of(const std::vector<const Launch*>& launches, const std::string& by) {
  campaign::Profile profile{by, launches.front()->kernel, {}};
  std::vector<std::string_view> names;
  for (const VersionMetric& m : version_metrics()) names.push_back(m.name);
  for (std::string_view name : kept_metrics()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (std::string_view name : names) {
    std::vector<double> values;
    for (const Launch* launch : launches) {
      auto value = metric(*launch, name);
      if (value && std::isfinite(*value)) values.push_back(*value);
    }
    if (!values.empty()) profile.counters.push_back(counter_over(name, values));
  }
  return profile;
}

CampaignView profile_version(const std::string& where, int version, const std::string& csv,
                             const std::string& kernel_name, const Session& session) {
  intake::NcuFile file = read_profile(csv, session);
  const Launch& longest = main_kernel(file, kernel_name, csv, session);
  std::vector<const Launch*> launches;
  for (const Launch& launch : file.launches) {
    if (same_kernel(launch, longest)) launches.push_back(&launch);
  }
  CampaignFolder folder(where, session, patience_ms);
  folder.judged_version(version);
  folder.must_be_mine();
  campaign::Profiled profiled{version, profile_of(launches, "ncu")};
  sql::Db db = session.reader();
  profiled.profile.bound = subject_of(longest, "", {}, db).diagnosis.label.word;
  folder.append(std::move(profiled));
  return {folder.path(), folder.contract(), folder.state(), {}};
}

}  // namespace explog::app
