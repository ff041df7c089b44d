// What the tests of diagnoses are made of: launches with a few counters, and the counters' names.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

#include "base/file.h"
#include "intake/ncu_csv.h"
#include "model/profile.h"

namespace explog::test {

constexpr const char* sm_name = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* memory_name = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* waves_name = "launch__waves_per_multiprocessor";
constexpr const char* theoretical_name = "sm__maximum_warps_per_active_cycle_pct";
constexpr const char* achieved_name = "sm__warps_active.avg.pct_of_peak_sustained_active";

inline Launch with(Facts metrics, const std::string& arch = "sm_90") {
  Launch launch;
  launch.arch = arch;
  launch.metrics = std::move(metrics);
  sort_metrics(launch.metrics);
  return launch;
}

// A launch of a real capture, tests/data/ncu/NAME.PAGE.csv.gz.
inline Launch captured(const std::string& name, std::size_t launch = 0, const std::string& page = "raw") {
  std::string file = name + "." + page + ".csv.gz";
  return intake::parse_ncu(read_file(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/ncu/" + file), file)
      .launches.at(launch);
}

}  // namespace explog::test
