#include "campaign/profile_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/text.h"

namespace explog::campaign {
namespace {

constexpr double stable_share = 0.02;  // deviation over the mean, at most

struct Metric {
  std::string_view group, name, label;
};

// Groups, labels and their order are those of kernel-opt-skill's profiles; names are Nsight Compute's.
constexpr Metric metrics[] = {
    {"Speed of Light", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "SM Throughput (% of peak)"},
    {"Speed of Light", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput (% of peak)"},
    {"Memory Workload Analysis", "dram__bytes.sum.per_second", "DRAM Total Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "dram__bytes_read.sum.per_second", "DRAM Read Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "dram__bytes_write.sum.per_second", "DRAM Write Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
     "L1 Global Load Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
     "L1 Global Store Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "lts__t_bytes.sum.per_second", "L2 Total Bandwidth (bytes/s)"},
    {"Memory Workload Analysis", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
     "Global Load Efficiency (%)"},
    {"Memory Workload Analysis", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
     "Global Store Efficiency (%)"},
    {"Memory Workload Analysis", "l1tex__t_sector_hit_rate.pct", "L1 Hit Rate (%)"},
    {"Memory Workload Analysis", "lts__t_sector_hit_rate.pct", "L2 Hit Rate (%)"},
    {"Compute Workload Analysis", "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
     "FMA Pipe Utilization (% of peak)"},
    {"Compute Workload Analysis", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
     "Tensor Core Utilization (% of peak)"},
    {"Compute Workload Analysis", "smsp__inst_executed.avg.per_cycle_active", "IPC (instructions per cycle)"},
    {"Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy (%)"},
    {"Occupancy", "sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy (%)"},
    {"Launch Statistics", "launch__block_size", "Block Size"},
    {"Launch Statistics", "launch__grid_size", "Grid Size"},
    {"Launch Statistics", "launch__registers_per_thread", "Registers / Thread"},
    {"Launch Statistics", "launch__shared_mem_per_block_static", "Static Shared Memory (bytes)"},
    {"Launch Statistics", "launch__shared_mem_per_block_dynamic", "Dynamic Shared Memory (bytes)"},
    {"Launch Statistics", "launch__waves_per_multiprocessor", "Waves / SM"},
    {"Scheduler Statistics", "smsp__issue_active.avg.pct_of_peak_sustained_active",
     "Issue Slot Utilization (% of peak)"},
    {"Scheduler Statistics", "smsp__warps_eligible.avg.per_cycle_active", "Eligible Warps / Cycle"},
    {"Warp State / Stall Reasons", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
     "Stall: Barrier"},
    {"Warp State / Stall Reasons", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
     "Stall: Long Scoreboard"},
    {"Warp State / Stall Reasons",
     "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", "Stall: Short Scoreboard"},
    {"Warp State / Stall Reasons",
     "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
     "Stall: Math Pipe Throttle"},
    {"Warp State / Stall Reasons", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
     "Stall: Wait"},
    {"Warp State / Stall Reasons", "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
     "Stall: No Instruction"},
    {"Warp State / Stall Reasons", "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
     "Stall: Not Selected"},
    {"Branch Divergence", "smsp__sass_branch_targets.sum", "Branch Targets (total)"},
    {"Branch Divergence", "smsp__sass_branch_targets_threads_divergent.sum",
     "Divergent Branch Targets (total)"},
    {"Additional Pipe Utilization", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed",
     "FADD Throughput (per cycle)"},
    {"Additional Pipe Utilization", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
     "FMUL Throughput (per cycle)"},
    {"Additional Pipe Utilization", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
     "FFMA Throughput (per cycle)"},
    {"Additional Pipe Utilization", "smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
     "LSU Pipe Utilization (% of peak)"},
    {"Additional Pipe Utilization", "smsp__thread_inst_executed_per_inst_executed.ratio",
     "Warp Execution Efficiency"},
    {"Additional Pipe Utilization", "l1tex__data_bank_conflicts_pipe_lsu.sum", "L1 Bank Conflicts (total)"},
    {"Additional Pipe Utilization", "sm__sass_data_bytes_mem_shared.sum.per_second",
     "Shared Memory Bandwidth (bytes/s)"},
    {"Kernel Runtime", "gpu__time_duration.sum", "Kernel Duration (ns)"},
};

std::string cell_of(std::string_view text) { return replace_all(printable(text), "|", "\\|"); }

std::string value_text(double value) {
  return std::abs(value) > 1e6 ? fmt::format("{:.2e}", value) : fmt::format("{:.4f}", value);
}

const Counter* counter_of(const Profile& profile, std::string_view name) {
  auto at = std::find_if(profile.counters.begin(), profile.counters.end(),
                         [&](const Counter& c) { return c.name == name; });
  return at == profile.counters.end() ? nullptr : &*at;
}

std::string label_of(const Counter& c) {
  for (const Metric& m : metrics) {
    if (m.name == c.name) return std::string(m.label);
  }
  return cell_of(c.name);
}

std::string dims_at(const Version& v) {
  std::string text;
  for (const ShapeResult& s : v.judged ? v.judged->shapes : std::vector<ShapeResult>{})
    text += (text.empty() ? "" : "; ") + cell_of(s.shape);
  return text.empty() ? "N/A - it was not timed" : text;
}

// Of one launch nothing can be said of how it varies.
std::string detail_row(const Counter& c) {
  if (c.launches < 2)
    return fmt::format("| {} | {} | N/A | {} | {} | N/A |\n", label_of(c), value_text(c.value),
                       value_text(c.least), value_text(c.most));
  bool stable = c.deviation <= stable_share * std::abs(c.value);
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", label_of(c), value_text(c.value),
                     value_text(c.deviation), value_text(c.least), value_text(c.most), stable ? "yes" : "no");
}

}  // namespace

std::vector<std::string_view> profile_metrics() {
  std::vector<std::string_view> names;
  for (const Metric& m : metrics) names.push_back(m.name);
  return names;
}

std::string ncu_summary(const Contract& c, const Version& v) {
  const Profile& profile = *v.profile;
  std::string text = fmt::format(
      "# NCU Profile Summary\n\n| | |\n|---|---|\n| **Kernel** | {} |\n| **GPU** | {} |\n| **Arch** | {} |\n"
      "| **Dims** | {} |\n| **Collected by** | {} |\n",
      cell_of(v.proposal.file), v.judged && !v.judged->gpu.empty() ? cell_of(v.judged->gpu) : "N/A - unknown",
      c.arch.empty() ? "N/A - no GPU" : cell_of(c.arch), dims_at(v), cell_of(profile.by));
  std::string_view group;
  for (const Metric& m : metrics) {
    const Counter* counter = counter_of(profile, m.name);
    if (counter == nullptr) continue;
    if (group != m.group) text += fmt::format("\n## {}\n\n| Metric | Value |\n|--------|------:|\n", m.group);
    group = m.group;
    text += fmt::format("| {} | {} |\n", m.label, value_text(counter->value));
  }
  return text + "\n**Kernel name:** `" + replace_all(printable(profile.kernel), "`", "'") + "`\n";
}

std::string ncu_details(const Version& v) {
  const Profile& profile = *v.profile;
  std::string text =
      "# NCU Profile Details — All Metrics\n\n"
      "| Metric | AvgValue | StdDev | Min | Max | Stable |\n"
      "|--------|----------:|--------:|----:|----:|:------:|\n";
  for (const Counter& c : profile.counters) text += detail_row(c);
  return text + fmt::format(
                    "\n## Context\n\n| Field | Value |\n|-------|-------|\n| **Kernel** | {} |\n"
                    "| **GPU** | {} |\n| **Collected by** | {} |\n",
                    cell_of(profile.kernel), v.judged ? cell_of(v.judged->gpu) : "", cell_of(profile.by));
}

}  // namespace explog::campaign
