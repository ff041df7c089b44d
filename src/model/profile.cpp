#include "model/profile.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace explog {
namespace {

// Speed of light, memory, occupancy and launch, scheduler and stalls, instruction mix.
constexpr auto kept = std::to_array<std::string_view>({
    "gpu__time_duration.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes.sum.per_second",
    "dram__bytes.sum.peak_sustained",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__cycles_elapsed.avg.per_second",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__cycles_elapsed.avg",
    "smsp__cycles_elapsed.avg.per_second",
    "sm__cycles_elapsed.avg.per_second",
    "sm__cycles_active.avg",
    "sm__cycles_active.max",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__maximum_warps_per_active_cycle_pct",
    "smsp__issue_active.avg.per_cycle_active",
    "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__average_warp_latency_per_inst_issued.ratio",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__inst_executed.sum",
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_inst_executed_op_local_ld.sum",
    "smsp__sass_inst_executed_op_local_st.sum",
    "smsp__inst_executed_op_ldgsts.sum",
    "smsp__inst_executed_op_tma_ld.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "smsp__sass_average_branch_targets_threads_uniform.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
    "derived__local_spilling_requests",
    "derived__memory_l1_conflicts_shared_nway",
    "derived__memory_l2_theoretical_sectors_global_excessive",
    "launch__block_size",
    "launch__grid_size",
    "launch__cluster_size",
    "launch__sm_count",
    "launch__waves_per_multiprocessor",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__occupancy_limit_blocks",
    "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem",
    "launch__occupancy_limit_warps",
    "launch__occupancy_limit_barriers",
    "launch__persisting_l2_cache_size",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed",
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained",
    "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
    "sm__ops_path_tensor_src_fp64.sum",
    "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
    "sm__ops_path_tensor_src_fp16.sum",
    "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
    "sm__ops_path_tensor_src_fp8_sparsity_off.sum",
    "sm__ops_path_tensor_src_int8.sum",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_misc_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_sleeping_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
});

bool before(const std::pair<std::string, double>& a, std::string_view name) { return a.first < name; }

}  // namespace

std::optional<double> metric(const Launch& launch, std::string_view name) {
  auto it = std::lower_bound(launch.metrics.begin(), launch.metrics.end(), name, before);
  bool found = it != launch.metrics.end() && it->first == name;
  return found ? std::optional(it->second) : std::nullopt;
}

std::string_view text_metric(const Launch& launch, std::string_view name) {
  for (const auto& [key, value] : launch.texts) {
    if (key == name) return value;
  }
  return "";
}

void sort_metrics(Facts& metrics) {
  auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(metrics.begin(), metrics.end(), by_name))
    std::stable_sort(metrics.begin(), metrics.end(), by_name);
  auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  metrics.erase(std::unique(metrics.begin(), metrics.end(), same), metrics.end());
}

std::span<const std::string_view> kept_metrics() { return kept; }

Facts record_metrics(const Launch& launch) {
  Facts facts;
  for (std::string_view name : kept) {
    if (auto value = metric(launch, name)) facts.emplace_back(name, *value);
  }
  std::map<std::string, double> estimates;
  for (const ProfilerRule& rule : launch.rules) {
    double& largest = estimates["nsight_estimate." + rule.name];
    if (rule.estimate) largest = std::max(largest, *rule.estimate);
  }
  for (const auto& [name, percent] : estimates) {
    if (percent > 0) facts.emplace_back(name, percent);
  }
  return facts;
}

std::vector<KernelProfile> kernels_of(const std::vector<Launch>& launches) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Launch*>> groups;
  std::vector<std::vector<const Launch*>*> in_order;
  for (const Launch& launch : launches) {
    auto& group = groups[{launch.kernel, launch.grid, launch.block}];
    if (group.empty()) in_order.push_back(&group);
    group.push_back(&launch);
  }
  auto duration = [](const Launch* l) { return metric(*l, "gpu__time_duration.sum").value_or(0); };
  std::vector<KernelProfile> kernels;
  for (std::vector<const Launch*>* group : in_order) {
    KernelProfile kernel;
    for (const Launch* launch : *group) {
      kernel.launches += static_cast<std::size_t>(launch->invocations);
      kernel.total_ns += duration(launch) * static_cast<double>(launch->invocations);
    }
    std::stable_sort(group->begin(), group->end(),
                     [&](const Launch* a, const Launch* b) { return duration(a) < duration(b); });
    kernel.launch = (*group)[(group->size() - 1) / 2];
    kernels.push_back(kernel);
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.total_ns > b.total_ns; });
  return kernels;
}

Facts sums_of(const std::vector<Launch>& launches) {
  Facts sums;
  for (std::string_view name : kept_metrics()) {
    if (!name.ends_with(".sum")) continue;
    double sum = 0;
    bool everywhere = !launches.empty();
    for (const Launch& launch : launches) {
      auto value = metric(launch, name);
      everywhere = everywhere && value;
      sum += value.value_or(0) * static_cast<double>(launch.invocations);
    }
    if (everywhere) sums.emplace_back(name, sum);
  }
  sort_metrics(sums);
  return sums;
}

}  // namespace explog
