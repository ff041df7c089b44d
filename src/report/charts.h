// The pictures of a report: plain figures in, SVG out (base/svg.h). The same figures give the same bytes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/svg.h"

namespace explog::report {

// Versions of a campaign, or attempts in a row: a bar each, from what it was changed from to its own time.
struct Step {
  std::string label, tip;
  double from_ms = 0, ms = 0;  // ms 0: no time is known
  bool kept = false, crashed = false;
  std::string no_time = "did not run";  // said in place of a time
};
std::string waterfall(const std::string& title, const std::vector<Step>& steps);

// A factor with its interval; rows of one picture share the axis, on which 1 is "as fast".
struct Strip {
  std::string label;
  double factor = 1, lo = 0, hi = 0;  // lo and hi 0: no interval is known
  std::string tip;
};
std::string strips(const std::string& title, const std::vector<Strip>& rows);

// The best time for each pair of values of two knobs.
struct HeatMap {
  std::string x_name, y_name;
  std::vector<std::string> x, y;
  std::vector<std::optional<double>> ms;  // by y * x.size() + x
  std::string unit = "ms";
};
std::string heat_map(const std::string& title, const HeatMap& map);

struct TrendPoint {
  std::int64_t at_ms = 0;  // Unix time
  double ms = 0, lo = 0, hi = 0;
  std::string tip;
};
std::string trend(const std::string& title, const std::vector<TrendPoint>& points);
// The same without axes, 120 by 24: the lower the better.
std::string sparkline(const std::string& title, const std::vector<double>& values);

// What was foreseen against what happened, in bins of the probability.
struct ReliabilityBin {
  std::size_t n = 0, success = 0;
  double foreseen = 0, lo = 0, hi = 0;  // mean probability; interval of what happened
};
std::string reliability_plot(const std::string& title, const std::string& note,
                             const std::vector<ReliabilityBin>& bins, Svg::Look look);

}  // namespace explog::report
