#include "diagnose/findings.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/profile.h"
#include "model/vocabulary.h"
#include "unit/diagnose/launches.h"

using namespace explog;
using namespace explog::diagnose;
using namespace explog::test;

namespace {

constexpr const char* issue_name = "smsp__issue_active.avg.per_cycle_active";
constexpr const char* eligible_name = "smsp__warps_eligible.avg.per_cycle_active";
constexpr const char* conflicts_name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr const char* wavefronts_name = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
constexpr const char* ld_ratio = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr const char* st_ratio = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr const char* local_ld = "smsp__sass_inst_executed_op_local_ld.sum";
constexpr const char* local_st = "smsp__sass_inst_executed_op_local_st.sum";
constexpr const char* tma_name = "smsp__inst_executed_op_tma_ld.sum";

std::vector<std::string> names(const std::vector<Finding>& list) {
  std::vector<std::string> rules;
  for (const Finding& f : list) rules.push_back(f.rule);
  return rules;
}

using Names = std::vector<std::string>;
Names found(Facts metrics) { return names(findings_of(with(std::move(metrics))).found); }
Names suppressed(Facts metrics) { return names(findings_of(with(std::move(metrics))).suppressed); }

std::string stall_name(const std::string& reason) {
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

}  // namespace

TEST_CASE("each rule is silent without its metrics") {
  Findings none = findings_of({});
  CHECK(none.found.empty());
  CHECK(none.suppressed.empty());
}

TEST_CASE("short kernels: below 10 us") {
  CHECK(found({{"gpu__time_duration.sum", 9999}}) == Names{"short_kernel"});
  CHECK(found({{"gpu__time_duration.sum", 10000}}).empty());
}

TEST_CASE("issue slots: below 0.6 with less than one eligible warp") {
  CHECK(found({{issue_name, 0.59}}) == Names{"issue_slots"});
  CHECK(found({{issue_name, 0.6}}).empty());
  CHECK(found({{issue_name, 0.59}, {eligible_name, 0.99}}) == Names{"issue_slots"});
  CHECK(found({{issue_name, 0.59}, {eligible_name, 1}}).empty());
  CHECK(found({{issue_name, 0}}) == Names{"issue_slots"});
}

TEST_CASE("issue slots do not count where a side is at its roof") {
  CHECK(found({{issue_name, 0.2}, {memory_name, 79.9}}) == Names{"issue_slots"});
  CHECK(found({{issue_name, 0.2}, {memory_name, 80}}).empty());
  CHECK(suppressed({{issue_name, 0.2}, {memory_name, 80}}) == Names{"issue_slots"});
  CHECK(suppressed({{issue_name, 0.2}, {sm_name, 80}}) == Names{"issue_slots"});
}

TEST_CASE("theoretical occupancy: below 80%, with what limits it") {
  CHECK(found({{theoretical_name, 79.9}}) == Names{"theoretical_occupancy"});
  CHECK(found({{theoretical_name, 80}}).empty());
  Findings f = findings_of(with({{theoretical_name, 25},
                                 {"launch__occupancy_limit_registers", 2},
                                 {"launch__occupancy_limit_shared_mem", 5}}));
  REQUIRE(f.found.size() == 1);
  CHECK(f.found[0].text == "25.0% of the warps can be resident, limited by registers");
}

TEST_CASE("achieved occupancy: more than 10 points below") {
  CHECK(found({{theoretical_name, 100}, {achieved_name, 89.9}}) == Names{"achieved_occupancy"});
  CHECK(found({{theoretical_name, 100}, {achieved_name, 90}}).empty());
  CHECK(found({{achieved_name, 10}}).empty());
}

TEST_CASE("occupancy does not count where a side is 60% busy") {
  Facts low = {{theoretical_name, 75}, {achieved_name, 50}, {sm_name, 59.9}, {memory_name, 30}};
  CHECK(found(low) == Names{"theoretical_occupancy", "achieved_occupancy"});
  low[2].second = 60;
  CHECK(found(low).empty());
  CHECK(suppressed(low) == Names{"theoretical_occupancy", "achieved_occupancy"});
  low[2].second = 30;
  low[3].second = 60;
  CHECK(suppressed(low).size() == 2);
  CHECK(findings_of(with(low)).suppressed[0].text.find("not a limit here: compute or memory is 60.0% busy") !=
        std::string::npos);
}

TEST_CASE("occupancy does not count in warp-specialised kernels") {
  Facts low = {{theoretical_name, 25}, {tma_name, 1}};
  CHECK(found(low) == Names{"theoretical_occupancy"});  // bulk copies alone are not enough
  low.emplace_back("launch__cluster_size", 1);
  CHECK(found(low) == Names{"theoretical_occupancy"});
  low.back().second = 2;
  CHECK(suppressed(low) == Names{"theoretical_occupancy"});
  low[1].second = 0;
  CHECK(found(low) == Names{"theoretical_occupancy"});
  CHECK(suppressed({{theoretical_name, 25}, {tma_name, 1}, {stall_name("gmma"), 0.5}}) ==
        Names{"theoretical_occupancy"});
}

TEST_CASE("tail: the last wave takes a fifth of the time or more and wastes a twentieth") {
  CHECK(found({{waves_name, 4.5}}) == Names{"tail_effect"});
  CHECK(found({{waves_name, 5.5}}).empty());  // 1/6
  CHECK(found({{waves_name, 1.02}}) == Names{"tail_effect"});
  CHECK(found({{waves_name, 4.01}}).empty());
  CHECK(found({{waves_name, 3.79}}) == Names{"tail_effect"});  // a quarter of 0.21
  CHECK(found({{waves_name, 3.81}}).empty());
  CHECK(found({{waves_name, 4}}).empty());
  CHECK(found({{waves_name, 1}}).empty());
  CHECK(found({{waves_name, 0.5}}).empty());
}

TEST_CASE("atomics: a tenth of the global accesses") {
  constexpr const char *loads = "smsp__sass_inst_executed_op_global_ld.sum",
                       *stores = "smsp__sass_inst_executed_op_global_st.sum",
                       *reds = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
                       *atoms = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
  CHECK(found({{loads, 60}, {stores, 30}, {reds, 6}, {atoms, 4}}) == Names{"atomics"});
  CHECK(found({{loads, 60}, {stores, 30}, {reds, 6}, {atoms, 3}}).empty());
  CHECK(found({{loads, 60}, {stores, 30}}).empty());
}

TEST_CASE("launches: whole warps, and a block for each multiprocessor") {
  CHECK(found({{"launch__block_size", 33}}) == Names{"block_size"});
  CHECK(found({{"launch__block_size", 64}}).empty());
  CHECK(found({{"launch__block_size", 1}}) == Names{"block_size"});
  CHECK(found({{"launch__block_size", 0}}).empty());
  CHECK(found({{"launch__grid_size", 131}, {"launch__sm_count", 132}}) == Names{"small_grid"});
  CHECK(found({{"launch__grid_size", 132}, {"launch__sm_count", 132}}).empty());
}

TEST_CASE("bank conflicts: a tenth of the wavefronts") {
  CHECK(found({{conflicts_name, 100}, {wavefronts_name, 1000}}) == Names{"bank_conflicts"});
  CHECK(found({{conflicts_name, 99}, {wavefronts_name, 1000}}).empty());
  CHECK(found({{conflicts_name, 0}, {wavefronts_name, 0}}).empty());
  CHECK(found({{conflicts_name, 100}}).empty());
}

TEST_CASE("coalescing: less than 80% of a sector is used") {
  CHECK(found({{ld_ratio, 25.59}}) == Names{"uncoalesced_loads"});
  CHECK(found({{ld_ratio, 25.6}}).empty());
  CHECK(found({{st_ratio, 4}}) == Names{"uncoalesced_stores"});
  CHECK(found({{ld_ratio, 0}, {st_ratio, 0}}).empty());  // there are none
  std::string percent = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
  CHECK(found({{percent, 79.9}}) == Names{"uncoalesced_loads"});
  CHECK(found({{percent, 80}}).empty());
}

TEST_CASE("uncoalesced accesses that are few do not count; asynchronous loads are loads") {
  constexpr const char *loads = "smsp__sass_inst_executed_op_global_ld.sum",
                       *stores = "smsp__sass_inst_executed_op_global_st.sum",
                       *copies = "smsp__inst_executed_op_ldgsts.sum";
  CHECK(suppressed({{st_ratio, 4}, {loads, 9501}, {stores, 499}}) == Names{"uncoalesced_stores"});
  CHECK(found({{st_ratio, 4}, {loads, 9500}, {stores, 500}}) == Names{"uncoalesced_stores"});
  CHECK(suppressed({{ld_ratio, 4}, {loads, 4}, {stores, 96}}) == Names{"uncoalesced_loads"});
  CHECK(suppressed({{st_ratio, 4}, {loads, 0}, {stores, 4}, {copies, 96}}) == Names{"uncoalesced_stores"});
}

TEST_CASE("divergence: fewer than 24 threads of a warp") {
  constexpr const char* name = "smsp__thread_inst_executed_per_inst_executed.ratio";
  CHECK(found({{name, 23.9}}) == Names{"divergence"});
  CHECK(found({{name, 24}}).empty());
  CHECK(found({{name, 0}}).empty());
}

TEST_CASE("local memory: a tenth of the instructions, and L1 misses") {
  constexpr const char *all = "smsp__inst_executed.sum", *hits = "l1tex__t_sector_hit_rate.pct";
  CHECK(found({{local_ld, 60}, {local_st, 40}, {all, 1000}}) == Names{"local_memory"});
  CHECK(found({{local_ld, 60}, {local_st, 39}, {all, 1000}}).empty());
  CHECK(found({{local_ld, 1}, {hits, 79.9}}) == Names{"local_misses"});
  CHECK(found({{local_ld, 1}, {hits, 80}}).empty());
  CHECK(found({{local_ld, 0}, {hits, 0}}).empty());
  CHECK(found({{hits, 0}}).empty());
  // Bulk copies go around L1.
  CHECK(suppressed({{local_ld, 1}, {hits, 0}, {tma_name, 5}}) == Names{"local_misses"});
}

TEST_CASE("fp64: 15% of the pipe, on GPUs that have few units") {
  Launch launch = with({{"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 15}});
  for (const char* full : {"sm_60", "sm_70", "sm_80", "sm_90", "sm_100"}) {
    launch.arch = full;
    CHECK(findings_of(launch).found.empty());
  }
  for (const char* few : {"sm_75", "sm_86", "sm_89", "sm_103", "sm_120"}) {
    launch.arch = few;
    CHECK(names(findings_of(launch).found) == Names{"fp64"});
  }
  launch.metrics[0].second = 14.9;
  CHECK(findings_of(launch).found.empty());
}

TEST_CASE("imbalance: the busiest multiprocessor works 5% more than the mean") {
  CHECK(found({{"sm__cycles_active.avg", 94.9}, {"sm__cycles_active.max", 100}}) == Names{"imbalance"});
  CHECK(found({{"sm__cycles_active.avg", 95.1}, {"sm__cycles_active.max", 100}}).empty());
  CHECK(found({{"sm__cycles_active.avg", 0}, {"sm__cycles_active.max", 0}}).empty());
}

TEST_CASE("every finding comes with a figure that holds, a hint and a confidence") {
  Findings f = findings_of(with({{"gpu__time_duration.sum", 5000},
                                 {issue_name, 0.1},
                                 {theoretical_name, 50},
                                 {achieved_name, 20},
                                 {waves_name, 1.5},
                                 {"launch__block_size", 33},
                                 {"launch__grid_size", 5},
                                 {"launch__sm_count", 132},
                                 {conflicts_name, 50},
                                 {wavefronts_name, 100},
                                 {ld_ratio, 4},
                                 {st_ratio, 4},
                                 {local_ld, 50},
                                 {local_st, 50},
                                 {"smsp__inst_executed.sum", 200},
                                 {"l1tex__t_sector_hit_rate.pct", 10},
                                 {"smsp__thread_inst_executed_per_inst_executed.ratio", 8},
                                 {"sm__cycles_active.avg", 50},
                                 {"sm__cycles_active.max", 100}}));
  CHECK(f.found.size() == 14);
  for (const Finding& finding : f.found) {
    CAPTURE(finding.rule);
    CHECK_FALSE(finding.text.empty());
    CHECK_FALSE(finding.hint.empty());
    CHECK_FALSE(finding.confidence.empty());
    REQUIRE_FALSE(finding.evidence.empty());
    for (const Evidence& e : finding.evidence) {
      CAPTURE(e.metric);
      CHECK((e.op == "<"   ? e.value < e.threshold
             : e.op == ">" ? e.value > e.threshold
                           : e.value >= e.threshold));
    }
  }
}

TEST_CASE("the words of a record's stall are the reasons that a profile can give") {
  const auto words = explog::words(Vocabulary::stall);
  Facts metrics;
  for (const std::string& word : words) metrics.emplace_back(stall_name(word), 1);
  CHECK(stalls_of(with(metrics)).size() == words.size());
  metrics.clear();
  for (std::string_view name : kept_metrics()) {
    if (name.find("issue_stalled_") != std::string_view::npos) metrics.emplace_back(name, 1);
  }
  for (const Stall& stall : stalls_of(with(metrics))) CHECK(is_word(Vocabulary::stall, stall.reason));
}

TEST_CASE("stalls are shares of all reasons, longest first, without those below 1%") {
  auto stalls = stalls_of(with({{stall_name("wait"), 2},
                                {stall_name("long_scoreboard"), 7.5},
                                {stall_name("selected"), 0.45},
                                {stall_name("misc"), 0.05},
                                {stall_name("drain"), 0},
                                {"smsp__average_warps_issue_stalled_barrier.ratio", 50}}));
  REQUIRE(stalls.size() == 3);
  CHECK(stalls[0].reason == "long_scoreboard");
  CHECK(stalls[0].share == doctest::Approx(0.75));
  CHECK(stalls[1].share == doctest::Approx(0.2));
  CHECK(stalls[2].reason == "selected");
  CHECK(stalls[2].benign);
  CHECK_FALSE(stalls[0].benign);
  CHECK(stalls_of({}).empty());
}

TEST_CASE("no_instruction has no s here") {
  CHECK(stalls_of(with({{stall_name("no_instruction"), 1}})).size() == 1);
}

TEST_CASE("a stall is the cause above 30% where fewer than 0.8 instructions are issued") {
  auto cause = [](double issue, double share, const std::string& reason = "barrier") {
    Launch launch =
        with({{issue_name, issue}, {stall_name(reason), share}, {stall_name("selected"), 100 - share}});
    return dominant_stall(launch, stalls_of(launch));
  };
  CHECK(cause(0.5, 30.1) == "barrier");
  CHECK(cause(0.5, 30).empty());
  CHECK(cause(0.79, 60) == "barrier");
  CHECK(cause(0.8, 60).empty());
  CHECK(cause(0.5, 90, "not_selected").empty());
  CHECK(cause(0.5, 90, "math_pipe_throttle").empty());
  CHECK(dominant_stall({}, stalls_of(with({{stall_name("barrier"), 1}}))).empty());
}

namespace {

bool has(const std::vector<Finding>& list, const std::string& rule) {
  Names rules = names(list);
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

}  // namespace

TEST_CASE("captured kernels show what was wrong with them") {
  Findings softmax = findings_of(captured("softmax.naive"));
  for (const char* rule :
       {"small_grid", "imbalance", "uncoalesced_loads", "uncoalesced_stores", "achieved_occupancy"}) {
    CAPTURE(rule);
    CHECK(has(softmax.found, rule));
  }
  Findings transpose = findings_of(captured("transpose.naive"));
  CHECK(has(transpose.found, "uncoalesced_stores"));
  CHECK_FALSE(has(transpose.found, "uncoalesced_loads"));
  CHECK(findings_of(captured("transpose.shared_tile")).found.empty());
  CHECK(findings_of(captured("gemm_f32.naive")).found.empty());
  CHECK(findings_of(captured("vector_add.vectorized")).found.empty());
  Findings last = findings_of(captured("reduction.two_stage", 1));
  CHECK(has(last.found, "short_kernel"));
  CHECK(has(last.found, "small_grid"));
  CHECK(has(last.suppressed, "uncoalesced_stores"));  // one block writes one number
}

TEST_CASE("captured stalls are the shares that the profiler itself names") {
  // "This stall type represents about 80.3% of the total average of 18.7 cycles" (CPIStall of softmax.naive)
  auto stalls = stalls_of(captured("softmax.naive"));
  REQUIRE_FALSE(stalls.empty());
  CHECK(stalls[0].reason == "long_scoreboard");
  CHECK(stalls[0].share == doctest::Approx(0.803).epsilon(0.002));
  auto drain = stalls_of(captured("transpose.naive"));
  CHECK(drain.at(0).reason == "drain");
  CHECK(drain[0].share == doctest::Approx(0.405).epsilon(0.005));
}
