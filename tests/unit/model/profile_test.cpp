#include "model/profile.h"

#include <doctest/doctest.h>

#include <set>

using namespace explog;

namespace {

constexpr const char* duration = "gpu__time_duration.sum";

Launch launch_of(const std::string& kernel, double ns, const std::string& grid = "(1, 1, 1)") {
  Launch launch;
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = "(32, 1, 1)";
  if (ns > 0) launch.metrics = {{duration, ns}};
  return launch;
}

}  // namespace

TEST_CASE("metrics are found by their whole name") {
  Launch launch;
  launch.metrics = {{"b", 2}, {"a.x", 1}, {"c", 3}, {"b", 9}};
  sort_metrics(launch.metrics);
  CHECK(launch.metrics == Facts{{"a.x", 1}, {"b", 2}, {"c", 3}});  // of equal names the first stays
  CHECK(metric(launch, "a.x") == 1);
  CHECK(metric(launch, "c") == 3);
  for (const char* name : {"", "a", "a.", "a.x.", "d"}) CHECK_FALSE(metric(launch, name));
  launch.texts = {{"name", "NVIDIA H200"}};
  CHECK(text_metric(launch, "name") == "NVIDIA H200");
  CHECK(text_metric(launch, "nam").empty());
  CHECK_FALSE(metric(Launch{}, "a"));
}

TEST_CASE("kept metrics are what the diagnosis reads, each once") {
  std::set<std::string_view> names(kept_metrics().begin(), kept_metrics().end());
  CHECK(names.size() == kept_metrics().size());
  for (const char* name :
       {duration, "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        "launch__waves_per_multiprocessor", "sm__maximum_warps_per_active_cycle_pct",
        "sm__warps_active.avg.pct_of_peak_sustained_active", "smsp__issue_active.avg.per_cycle_active",
        "smsp__warps_eligible.avg.per_cycle_active", "launch__occupancy_limit_registers",
        "dram__bytes_read.sum", "dram__bytes_write.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        "sm__cycles_active.max"}) {
    CAPTURE(name);
    CHECK(names.contains(name));
  }
  for (std::string_view name : names) CHECK(name.find("__") != std::string_view::npos);
}

TEST_CASE("a record keeps the kept metrics and each rule's largest estimate") {
  Launch launch;
  launch.metrics = {{duration, 5}, {"some__other.sum", 7}};
  launch.rules = {{"S", "CPIStall", "OPT", "", "local", 12.5},
                  {"S", "CPIStall", "OPT", "", "global", 80.5},
                  {"S", "CPIStall", "INF", "", "", std::nullopt},
                  {"S", "NoEstimate", "INF", "", "", std::nullopt},
                  {"S", "Zero", "OPT", "", "local", 0.0}};
  CHECK(record_metrics(launch) == Facts{{duration, 5}, {"nsight_estimate.CPIStall", 80.5}});
  CHECK(record_metrics(Launch{}).empty());
}

TEST_CASE("launches of one name, grid and block are one kernel; the median stands for it") {
  std::vector<Launch> launches = {launch_of("a", 30), launch_of("b", 100), launch_of("a", 10),
                                  launch_of("a", 20), launch_of("a", 500, "(2, 1, 1)")};
  auto kernels = kernels_of(launches);
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].launch == &launches[4]);
  CHECK(kernels[0].total_ns == 500);
  CHECK(kernels[1].launch == &launches[1]);
  CHECK(kernels[2].launch == &launches[3]);
  CHECK(kernels[2].launches == 3);
  CHECK(kernels[2].total_ns == 60);
  launches[4].block = "(64, 1, 1)";
  launches[4].grid = "(1, 1, 1)";
  CHECK(kernels_of(launches).size() == 3);
}

TEST_CASE("of an even number of launches the faster of the middle two stands for all") {
  std::vector<Launch> launches = {launch_of("a", 40), launch_of("a", 10), launch_of("a", 30),
                                  launch_of("a", 20)};
  CHECK(kernels_of(launches).at(0).launch == &launches[3]);
}

TEST_CASE("means count as many launches as they are of") {
  std::vector<Launch> launches = {launch_of("a", 40), launch_of("b", 100)};
  launches[0].invocations = 5;
  auto kernels = kernels_of(launches);
  CHECK(kernels[0].launch == &launches[0]);
  CHECK(kernels[0].launches == 5);
  CHECK(kernels[0].total_ns == 200);
}

TEST_CASE("kernels without a time stand last, in the order of the file") {
  std::vector<Launch> launches = {launch_of("x", 0), launch_of("y", 0), launch_of("a", 1), launch_of("w", 0)};
  auto kernels = kernels_of(launches);
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].launch->kernel == "a");
  CHECK(kernels[1].launch->kernel == "x");
  CHECK(kernels[2].launch->kernel == "y");
  CHECK(kernels[3].launch->kernel == "w");
  CHECK(kernels[1].total_ns == 0);
  CHECK(kernels_of({}).empty());
}

TEST_CASE("a call's launches are added up where each was counted") {
  std::vector<Launch> launches = {launch_of("a", 40), launch_of("a", 2, "(3, 1, 1)")};
  launches[0].metrics.emplace_back("smsp__inst_executed.sum", 1000);
  launches[1].metrics.emplace_back("smsp__inst_executed.sum", 50);
  launches[1].metrics.emplace_back("dram__bytes_read.sum", 7);
  launches[1].invocations = 2;
  for (Launch& launch : launches) sort_metrics(launch.metrics);
  CHECK(sums_of(launches) == Facts{{"gpu__time_duration.sum", 44}, {"smsp__inst_executed.sum", 1100}});
  CHECK(sums_of({}).empty());
}
