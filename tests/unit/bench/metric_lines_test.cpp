// What a program says that it measured.
#include <doctest/doctest.h>

#include "bench/judge/metric_lines.h"

using namespace explog;
using bench::metrics_in;

TEST_CASE("metrics are lines among others, each name once, in their order") {
  auto found =
      metrics_in("building\nMETRIC seconds=1.25\r\n  METRIC rss_mb = 12\nMETRIC seconds=3\nmetric x=1\n");
  CHECK(found.metrics == Facts{{"seconds", 1.25}, {"rss_mb", 12}});
  CHECK(found.fault.empty());
  CHECK(metrics_in("").metrics.empty());
}

TEST_CASE("a metric without a name or a finite number is a fault that is quoted") {
  for (const char* line : {"METRIC x=nan", "METRIC x=inf", "METRIC x=1e999", "METRIC x", "METRIC =1",
                           "METRIC a b=1", "METRIC x=1 ms", "METRIC x=\x1b[31m"}) {
    auto found = metrics_in(std::string("METRIC right=1\n") + line + "\n");
    CHECK(found.metrics == Facts{{"right", 1}});
    CHECK(found.fault.find("METRIC name=value with a finite number is wanted") != std::string::npos);
    CHECK(found.fault.find('\x1b') == std::string::npos);
  }
}
