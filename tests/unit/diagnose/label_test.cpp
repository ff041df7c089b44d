#include "diagnose/label.h"

#include <doctest/doctest.h>

#include "base/file.h"
#include "diagnose/diagnose.h"
#include "intake/ncu_csv.h"
#include "unit/diagnose/launches.h"

using namespace explog;
using namespace explog::diagnose;
using namespace explog::test;

namespace {

constexpr const char* dram_name = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* l2_name = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* l1_name = "l1tex__throughput.avg.pct_of_peak_sustained_active";
constexpr const char* tensor_name = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* fma_name = "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* lsu_name = "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active";

Label label(double sm, double memory, Facts more = {}, Rules rules = Rules::nsight) {
  more.emplace_back(sm_name, sm);
  more.emplace_back(memory_name, memory);
  return label_of(with(std::move(more)), rules);
}

struct Captured {
  const char *name, *word, *detail, *confidence, *stall;
  std::size_t launch = 0;
};

void check_captured(const Captured& expected) {
  CAPTURE(expected.name);
  std::string file = std::string(expected.name) + ".raw.csv.gz";
  auto launches =
      intake::parse_ncu(read_file(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/ncu/" + file), file).launches;
  REQUIRE(launches.size() > expected.launch);
  const Launch& launch = launches[expected.launch];
  Diagnosis d = diagnose::diagnose(launch, prefer(peaks_of_launch(launch), peaks_of_arch(launch.arch)), {},
                                   Rules::nsight);
  CHECK(d.source == "ncu");
  CHECK(d.label.word == expected.word);
  CHECK(d.label.detail == expected.detail);
  CHECK(d.confidence == expected.confidence);
  CHECK(d.stall == expected.stall);
  CHECK((d.confidence == "high") == d.doubts.empty());
}

}  // namespace

// What an expert says of our own kernels on an H200.
TEST_CASE("captured kernels have the label that their counters speak of") {
  for (const Captured& row : std::initializer_list<Captured>{
           // Streaming kernels: DRAM at 68 to 91%, arithmetic idle.
           {"vector_add.naive", "memory", "DRAM", "high", "long_scoreboard"},
           {"vector_add.vectorized", "memory", "DRAM", "high", "long_scoreboard"},
           {"reduction.two_stage", "memory", "DRAM", "high", "long_scoreboard"},
           {"softmax.row_per_block", "memory", "DRAM", "high", "long_scoreboard"},
           {"layernorm.row_per_block", "memory", "DRAM", "high", "long_scoreboard"},
           {"rmsnorm.row_per_block", "memory", "DRAM", "high", "long_scoreboard"},
           {"rope.vectorized", "memory", "DRAM", "high", "long_scoreboard"},
           // Four of 32 bytes of each written sector are used: L2 is full of them, DRAM at 10%.
           {"transpose.naive", "memory", "L2", "high", "drain"},
           // Index arithmetic 64% and DRAM 58%.
           {"transpose.shared_tile", "balanced", "", "high", "long_scoreboard"},
           // Every operand through L1, 85.8%; the load units, which count as compute, 85.7%.
           {"gemm_f32.naive", "memory", "L1/shared memory", "medium", "long_scoreboard"},
           // FMA 61%, few warps because of register tiles. 69.5 - 56.7 is only just more than 10.
           {"gemm_f32.register_tile", "compute", "fma", "medium", ""},
           // Shared memory 72%, issue 63%.
           {"attention.flash_tile", "balanced", "", "medium", "short_scoreboard"},
           // Exponentials of a second pass: issue slots 75%, the special function unit 60%.
           {"softmax.online", "compute", "issue", "high", "long_scoreboard"},
           // All warps queue for one address (2 million atomic adds): nothing is busy though 85% are
           // resident.
           {"reduction.naive", "latency", "", "high", "long_scoreboard"},
           // 32 blocks on 132 multiprocessors.
           {"softmax.naive", "occupancy", "grid", "high", "long_scoreboard"},
           // One block, 2.4 us.
           {"reduction.two_stage", "occupancy", "grid", "low", "long_scoreboard", 1},
       })
    check_captured(row);
}

// A quarter of the warps fits because the tiles are in registers; the tensor cores work a third of the time,
// which is what these kernels are for. More warps are not the cure; deeper pipelines are.
TEST_CASE("captured tensor core kernels wait between products, they do not lack warps") {
  check_captured({"gemm_bf16.tensor_cores", "latency", "", "high", "wait"});
  check_captured({"gemm_tf32.tensor_cores", "latency", "", "high", ""});
}

TEST_CASE("80 is near the roof, on the busier side") {
  Label memory = label(20, 80, {{dram_name, 80}, {l2_name, 60}});
  CHECK(memory.word == "memory");
  CHECK(memory.detail == "DRAM");
  CHECK(label(20, 79.99).word == "memory");
  CHECK(label(80, 79.9).word == "compute");  // near the roof nothing is balanced
  CHECK(label(79.9, 80).word == "memory");
  CHECK(label(79.9, 79.8).word == "balanced");
  CHECK(label(95, 20).word == "compute");
}

TEST_CASE("below 60 on both sides warps wait") {
  CHECK(label(59.99, 59.99).word == "latency");
  CHECK(label(60, 59).word == "balanced");
  CHECK(label(59, 60).word == "balanced");
  CHECK(label(0, 0).word == "latency");
}

TEST_CASE("less than 10 apart is balanced") {
  CHECK(label(60.5, 70.4).word == "balanced");
  CHECK(label(60.5, 70.5).word == "memory");
  CHECK(label(70.5, 60.5).word == "compute");
  CHECK(label(70.4, 60.5).word == "balanced");
}

TEST_CASE("the margin is the way to the nearest other label") {
  CHECK(label(20, 90).margin == doctest::Approx(20));  // 20 down is still memory, by 10 points from compute
  CHECK(label(85, 90).margin == doctest::Approx(5));   // compute is 5 away
  CHECK(label(64, 72).margin == doctest::Approx(2));   // balanced until 10 apart
  CHECK(label(61, 61.5).margin == doctest::Approx(1.5));  // until both below 60
  CHECK(label(55, 66).margin == doctest::Approx(1));
  CHECK(label(30, 62).margin == doctest::Approx(2));
  CHECK(label(30, 58).margin == doctest::Approx(2));
}

TEST_CASE("the memory level is the one whose share is the side's") {
  Facts levels = {{dram_name, 40}, {l2_name, 83}, {l1_name, 90}};
  CHECK(label(20, 83, levels).detail == "L2");
  CHECK(label(20, 89, levels).detail == "L1/shared memory");
  levels[0].second = 83.5;
  levels[1].second = 95;  // parts of L2 are no roof of a kernel
  CHECK(label(20, 83.5, levels).detail == "DRAM");
  CHECK(label(20, 83.5).detail.empty());
  // L1's share of all time counts, not that of the time it was active.
  CHECK(label(20, 83,
              {{l1_name, 83}, {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 50}, {l2_name, 82}})
            .detail == "L2");
}

TEST_CASE("compute names the busiest pipe") {
  Facts pipes = {{fma_name, 50},
                 {lsu_name, 70},
                 {"sm__pipe_tensor_cycles_active.max.pct_of_peak_sustained_active", 99},
                 {"sm__inst_executed_pipe_xu.sum.per_cycle_active", 99},
                 {"TPC.TriageCompute.sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 98}};
  CHECK(label(85, 20, pipes).detail == "lsu");
  pipes[0].second = 71;
  CHECK(label(85, 20, pipes).detail == "fma");
  CHECK(label(85, 20).detail.empty());
  // The port that tensor and fp64 pipes share is no pipe.
  CHECK(label(85, 20,
              {{tensor_name, 90}, {"sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_active", 90}})
            .detail == "tensor");
}

TEST_CASE("waiting with too few warps is occupancy, and says of what") {
  CHECK(label(10, 20, {{waves_name, 0.74}, {achieved_name, 49}}).detail == "grid");
  CHECK(label(10, 20, {{waves_name, 0.74}}).detail == "grid");
  CHECK(label(10, 20, {{waves_name, 0.74}, {achieved_name, 50}, {theoretical_name, 100}}).word == "latency");
  CHECK(label(10, 20, {{waves_name, 0.75}, {achieved_name, 50}, {theoretical_name, 100}}).word == "latency");
  Facts limits = {{theoretical_name, 49},
                  {waves_name, 3},
                  {"launch__occupancy_limit_registers", 4},
                  {"launch__occupancy_limit_shared_mem", 2},
                  {"launch__occupancy_limit_warps", 8}};
  Label occupancy = label(10, 20, limits);
  CHECK(occupancy.word == "occupancy");
  CHECK(occupancy.detail == "shared memory");
  limits[0].second = 50;
  CHECK(label(10, 20, limits).word == "latency");
  Label imbalance = label(10, 20, {{theoretical_name, 100}, {waves_name, 3}, {achieved_name, 49.9}});
  CHECK(imbalance.word == "occupancy");
  CHECK(imbalance.detail == "imbalance");
  CHECK(label(10, 20, {{theoretical_name, 100}, {waves_name, 3}, {achieved_name, 50}}).word == "latency");
}

TEST_CASE("few warps are by design where arithmetic pipes are at work, whatever else is") {
  Facts few = {{theoretical_name, 25}, {achieved_name, 24}, {waves_name, 4}, {tensor_name, 25}};
  CHECK(label(40, 50, few).word == "latency");
  few.emplace_back(lsu_name, 45);  // tiles are loaded through the load units
  CHECK(label(40, 50, few).word == "latency");
  few[3].second = 24.9;
  CHECK(label(40, 50, few).word == "occupancy");
  CHECK(label(40, 50, {{theoretical_name, 25}, {waves_name, 4}, {fma_name, 30}}).word == "latency");
  // A grid that is too small is too small all the same.
  CHECK(label(40, 50, {{achieved_name, 24}, {waves_name, 0.5}, {tensor_name, 30}}).detail == "grid");
}

TEST_CASE("evidence says what was compared and what holds") {
  Label l = label(30, 85);
  REQUIRE(l.evidence.size() == 2);
  CHECK(l.evidence[0].metric == sm_name);
  CHECK(l.evidence[0].op == "<");
  CHECK(l.evidence[0].threshold == 80);
  CHECK(l.evidence[1].metric == memory_name);
  CHECK(l.evidence[1].op == ">=");
  CHECK(l.evidence[1].value == 85);
  Label waiting = label(30, 40, {{waves_name, 2}, {theoretical_name, 100}, {achieved_name, 90}});
  REQUIRE(waiting.evidence.size() == 5);
  CHECK(waiting.evidence[0].threshold == 60);
  CHECK(waiting.evidence[2].op == ">=");
}

TEST_CASE("without both sides nothing is said; DRAM's share stands in for memory's") {
  CHECK(label_of({}).word == "unknown");
  CHECK(label_of(with({{sm_name, 50}})).word == "unknown");
  CHECK(label_of(with({{memory_name, 50}})).word == "unknown");
  CHECK(label_of(with({{sm_name, 10}, {dram_name, 85}})).word == "memory");
  CHECK(label_of(with({{sm_name, 10}, {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 85}})).detail ==
        "DRAM");
  CHECK(label_of({}, Rules::tilegym).word == "unknown");
}

TEST_CASE("the limiter is the resource that allows fewest blocks") {
  CHECK(occupancy_limiter({}).empty());
  CHECK(occupancy_limiter(with(
            {{"launch__occupancy_limit_barriers", 1}, {"launch__occupancy_limit_blocks", 2}})) == "barriers");
  CHECK(occupancy_limiter(
            with({{"launch__occupancy_limit_registers", 2}, {"launch__occupancy_limit_warps", 2}})) ==
        "registers");  // of equals what can be changed
  CHECK(occupancy_limiter(with({{"launch__occupancy_limit_blocks", 3}})) == "blocks");
}

TEST_CASE("TileGym's rules") {
  auto word = [](double sm, double memory, Facts more = {}) {
    return label(sm, memory, more, Rules::tilegym).word;
  };
  CHECK(word(49.9, 80.1) == "memory");
  CHECK(word(50, 80.1) == "balanced");
  CHECK(word(49.9, 80) == "balanced");
  CHECK(word(80.1, 90) == "compute");
  CHECK(word(80, 20) == "balanced");
  CHECK(word(20, 20, {{achieved_name, 24.9}}) == "latency");
  CHECK(word(20, 20, {{achieved_name, 25}}) == "balanced");
}

TEST_CASE("kernel-opt's rules") {
  auto word = [](double sm, double memory, Facts more = {}) {
    return label(sm, memory, more, Rules::kernel_opt).word;
  };
  CHECK(word(40, 60.1) == "memory");
  CHECK(word(40, 60) == "balanced");
  CHECK(word(41, 61) == "balanced");
  CHECK(word(75.1, 50) == "compute");
  CHECK(word(75, 50) == "balanced");
  CHECK(word(39.9, 39.9) == "latency");
  CHECK(word(40, 39.9) == "balanced");
  CHECK(word(20, 20, {{achieved_name, 69}, {theoretical_name, 100}}) == "occupancy");
  CHECK(word(20, 20, {{achieved_name, 70}, {theoretical_name, 100}}) == "latency");
}

TEST_CASE("confidence falls with short kernels, missing metrics and near thresholds") {
  Facts full = {{"gpu__time_duration.sum", 10000},
                {sm_name, 20},
                {memory_name, 85},
                {l2_name, 50},
                {l1_name, 40},
                {waves_name, 5},
                {theoretical_name, 100},
                {achieved_name, 90},
                {"smsp__issue_active.avg.per_cycle_active", 0.3},
                {"smsp__warps_eligible.avg.per_cycle_active", 0.5}};
  auto confidence = [](const Facts& facts) {
    return diagnose::diagnose(with(facts), Peaks{}, {}, Rules::nsight).confidence;
  };
  CHECK(confidence(full) == "high");
  Facts brief = full;
  brief[0].second = 9999;
  CHECK(confidence(brief) == "low");
  CHECK(confidence({full.begin(), full.begin() + 7}) == "high");  // 3 of 10 are missing
  CHECK(confidence({full.begin(), full.begin() + 6}) == "low");
  Facts near = full;
  near[1].second = 82.1;  // memory 85: 2.9 from compute
  CHECK(confidence(near) == "medium");
  near[1].second = 82;
  CHECK(confidence(near) == "high");
  CHECK(confidence({}) == "low");
}

TEST_CASE("what was not counted or not timed is said, and nothing is made of it") {
  Launch nothing = with({{"gpu__time_duration.sum", 0},
                         {sm_name, 0},
                         {memory_name, 0},
                         {waves_name, 0},
                         {theoretical_name, 0},
                         {achieved_name, 0},
                         {"smsp__issue_active.avg.per_cycle_active", 0}});
  for (Rules rules : {Rules::nsight, Rules::tilegym, Rules::kernel_opt}) {
    Diagnosis d = diagnose::diagnose(nothing, {}, {}, rules);
    CHECK(d.label.word == "unknown");
    CHECK(d.label.why == "the profile says 0 for compute and for memory: nothing was counted");
    CHECK(d.confidence == "low");
    REQUIRE_FALSE(d.doubts.empty());
    CHECK(d.doubts[0] == "gpu__time_duration.sum is 0: without a time there are no rates");
    CHECK(d.findings.found.empty());
    CHECK_FALSE(d.roofline);
  }
  Launch wild = with({{"gpu__time_duration.sum", 1e-300}, {"dram__bytes.sum", 1e300}});
  Peaks peaks;
  peak(peaks, Roof::dram) = {4.8e12, "given"};
  CHECK_FALSE(diagnose::diagnose(wild, peaks, {}, Rules::nsight).roofline);
}
