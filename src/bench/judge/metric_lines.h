// What a program of somebody else says that it measured: lines `METRIC name=value` among others. Pure.
#pragma once
#include <string>
#include <string_view>

#include "model/experience.h"

namespace explog::bench {

struct MetricLines {
  Facts metrics;      // in the order of the lines, each name once, by its first line
  std::string fault;  // the first line whose value is no finite number; empty: none
};

MetricLines metrics_in(std::string_view output);

}  // namespace explog::bench
