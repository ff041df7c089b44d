#include "bench/judge/metric_lines.h"

#include <cmath>

#include "broken.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_metric_lines(std::string_view data) {
  bench::MetricLines lines = bench::metrics_in(data);
  for (const auto& [name, value] : lines.metrics) {
    if (name.empty() || !std::isfinite(value)) broken("a metric without a name or a finite value", name);
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_metric_lines)
