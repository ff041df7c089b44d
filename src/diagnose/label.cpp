#include "diagnose/label.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace explog::diagnose {
namespace {

constexpr const char* sm_name = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* memory_name = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* waves_name = "launch__waves_per_multiprocessor";
constexpr const char* theoretical_name = "sm__maximum_warps_per_active_cycle_pct";
constexpr const char* achieved_name = "sm__warps_active.avg.pct_of_peak_sustained_active";

constexpr double near_roof = 80, waiting = 60, apart = 10, few_warps = 50;
constexpr double small_grid = 0.75;  // of a wave; a fuller one is no lack of blocks

// `value` against `threshold`, with the sign that holds.
Evidence compared(const char* metric, double value, double threshold) {
  return {metric, value, value < threshold ? "<" : ">=", threshold};
}

std::string percent(double value) { return short_number(value) + "%"; }

struct Named {
  std::string name;
  double value = 0;
};

// The memory level behind the share `memory`. A level's own share may be higher: it has parts that Nsight
// Compute does not count as a kernel's roof.
Named memory_level(const Launch& launch, double memory) {
  auto l1 = metric(launch, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!l1) l1 = metric(launch, "l1tex__throughput.avg.pct_of_peak_sustained_active");
  Named nearest{"", 1e9};
  for (auto [name, value] : {std::pair("DRAM", dram_share(launch)),
                             {"L2", metric(launch, "lts__throughput.avg.pct_of_peak_sustained_elapsed")},
                             {"L1/shared memory", l1}}) {
    if (value && std::abs(*value - memory) < std::abs(nearest.value - memory)) nearest = {name, *value};
  }
  return nearest;
}

// "sm__inst_executed_pipe_lsu.avg.pct..." -> lsu; of those whose name starts with one of `starts`.
Named busiest_pipe(const Launch& launch, std::initializer_list<std::string_view> starts = {""}) {
  Named top{"", 0};
  for (const auto& [name, value] : launch.metrics) {
    bool share = name.ends_with(".avg.pct_of_peak_sustained_elapsed") ||
                 name.ends_with(".avg.pct_of_peak_sustained_active");
    if (!share || value <= top.value) continue;
    for (std::string_view prefix : {"sm__inst_executed_pipe_", "sm__pipe_"}) {
      if (!name.starts_with(prefix)) continue;
      std::string pipe = name.substr(prefix.size(), name.find('.') - prefix.size());
      if (auto end = pipe.find("_cycles_active"); end != std::string::npos) pipe.resize(end);
      // "shared" is the sum of the pipes that share a port: tensor, fp64, fp16.
      bool wanted = pipe != "shared" && std::any_of(starts.begin(), starts.end(),
                                                    [&](std::string_view s) { return pipe.starts_with(s); });
      if (wanted) top = {pipe, value};
    }
  }
  return top;
}

Label memory_label(const Launch& launch, std::string start, double memory) {
  Named level = memory_level(launch, memory);
  Label label{"memory", level.name, std::move(start), {}, 100};
  if (!level.name.empty()) label.why += fmt::format("; {} decides ({})", level.name, percent(level.value));
  return label;
}

Label compute_label(const Launch& launch, std::string start) {
  Named pipe = busiest_pipe(launch);
  double issued = 100 * metric(launch, "smsp__issue_active.avg.per_cycle_active").value_or(0);
  if (issued > 1.2 * pipe.value) {
    return {
        "compute",
        "issue",
        start + fmt::format("; schedulers issue in {} of the cycles, well above any pipe", percent(issued)),
        {},
        100};
  }
  Label label{"compute", pipe.name, std::move(start), {}, 100};
  if (!pipe.name.empty())
    label.why += fmt::format("; the {} pipe is busiest ({})", pipe.name, percent(pipe.value));
  return label;
}

// The busier of the arithmetic pipes; one that is kept busy makes do with few warps, as register and tensor
// core tiles are meant to.
Named arithmetic_pipe(const Launch& launch) {
  Named tensor = busiest_pipe(launch, {"tensor"});
  return tensor.value >= 25 ? tensor : busiest_pipe(launch, {"fma"});
}

// Both sides are below 60%: warps wait. Too few of them, or enough that wait all the same?
Label waiting_label(const Launch& launch, double sm, double memory) {
  std::string start =
      fmt::format("neither side is busy (compute {}, memory {})", percent(sm), percent(memory));
  auto waves = metric(launch, waves_name), theoretical = metric(launch, theoretical_name);
  auto achieved = metric(launch, achieved_name);
  Label label{"latency", "", start, {}, 100};
  if (waves && *waves < small_grid && (!achieved || *achieved < few_warps)) {
    label = {"occupancy",
             "grid",
             start + fmt::format(": the grid is {} of one wave", short_number(*waves)),
             {},
             100};
  } else if (Named pipe = arithmetic_pipe(launch); pipe.value >= 25) {
    label.why += fmt::format(": the {} pipe is {} busy and waits between its instructions", pipe.name,
                             percent(pipe.value));
  } else if (theoretical && *theoretical < few_warps) {
    std::string limiter = occupancy_limiter(launch);
    label = {"occupancy",
             limiter,
             start + fmt::format(": {} of the warps can be resident{}", percent(*theoretical),
                                 limiter.empty() ? "" : ", limited by " + limiter),
             {},
             100};
  } else if (achieved && *achieved < few_warps) {
    label = {"occupancy",
             "imbalance",
             start + fmt::format(": {} of the warps are resident though {} fit", percent(*achieved),
                                 theoretical ? percent(*theoretical) : "more"),
             {},
             100};
  } else if (achieved) {
    label.why += fmt::format(": {} of the warps are resident and wait", percent(*achieved));
  }
  if (waves) label.evidence.push_back(compared(waves_name, *waves, small_grid));
  if (theoretical) label.evidence.push_back(compared(theoretical_name, *theoretical, few_warps));
  if (achieved) label.evidence.push_back(compared(achieved_name, *achieved, few_warps));
  return label;
}

Label nsight_label(const Launch& launch, double sm, double memory) {
  Label label;
  double top = std::max(sm, memory), gap = std::abs(sm - memory);
  bool memory_side = memory > sm;
  std::string start = memory_side
                          ? fmt::format("memory is busy ({}, compute {})", percent(memory), percent(sm))
                          : fmt::format("compute is busy ({}, memory {})", percent(sm), percent(memory));
  std::vector<Evidence> sides = {compared(sm_name, sm, top >= waiting ? near_roof : waiting),
                                 compared(memory_name, memory, top >= waiting ? near_roof : waiting)};
  if (top >= near_roof) {
    label = memory_side ? memory_label(launch, start, memory) : compute_label(launch, start);
    label.margin = std::min(top - near_roof + apart, gap);
  } else if (top < waiting) {
    label = waiting_label(launch, sm, memory);
    label.margin = waiting - top;
  } else if (gap < apart) {
    label = {"balanced",
             "",
             fmt::format("compute {} and memory {} are nearly even", percent(sm), percent(memory)),
             {},
             std::min(apart - gap, top - waiting)};
  } else {
    label = memory_side ? memory_label(launch, start, memory) : compute_label(launch, start);
    label.margin = std::min(gap - apart, top - waiting);
  }
  label.evidence.insert(label.evidence.begin(), sides.begin(), sides.end());
  return label;
}

// TileGym: memory when compute < 50 and memory > 80; compute when compute > 80; latency when occupancy < 25.
Label tilegym_label(const Launch& launch, double sm, double memory) {
  auto achieved = metric(launch, achieved_name);
  std::vector<Evidence> evidence = {compared(sm_name, sm, sm > 80 ? 80 : 50),
                                    compared(memory_name, memory, 80)};
  if (achieved) evidence.push_back(compared(achieved_name, *achieved, 25));
  Label label{"balanced", "", "none of TileGym's rules holds", evidence, 100};
  if (sm < 50 && memory > 80) {
    label = memory_label(launch, "compute below 50%, memory above 80%", memory);
  } else if (sm > 80) {
    label = compute_label(launch, "compute above 80%");
  } else if (achieved && *achieved < 25) {
    label = {"latency", "", "achieved occupancy below 25%", {}, 100};
  }
  label.evidence = evidence;
  return label;
}

// kernel-opt: memory or compute when above 60 and well above the other (1.5 times); latency when both are
// below 40.
Label kernel_opt_label(const Launch& launch, double sm, double memory) {
  auto achieved = metric(launch, achieved_name), theoretical = metric(launch, theoretical_name);
  Label label{"balanced", "", "none of kernel-opt's rules holds", {}, 100};
  if (memory > 60 && memory > 1.5 * sm) {
    label = memory_label(launch, "memory above 60% and 1.5 times compute", memory);
  } else if (sm > 60 && sm > 1.5 * memory) {
    label = compute_label(launch, "compute above 60% and 1.5 times memory");
  } else if (achieved && theoretical && *achieved < 0.7 * *theoretical) {
    label = {"occupancy", "", "achieved occupancy well below the theoretical one", {}, 100};
  } else if (sm < 40 && memory < 40) {
    label = {"latency", "", "compute and memory below 40%", {}, 100};
  }
  label.evidence = {compared(sm_name, sm, sm < 40 ? 40 : 60),
                    compared(memory_name, memory, memory < 40 ? 40 : 60)};
  return label;
}

}  // namespace

// Shares are rounded: 0 of both is possible for a tiny kernel, but not without time or warps.
static bool nothing_ran(const Launch& launch) {
  auto is_zero = [&](const char* name) { return metric(launch, name).value_or(1) <= 0; };
  return is_zero("gpu__time_duration.sum") || is_zero(achieved_name);
}

std::optional<double> dram_share(const Launch& launch) {
  for (const char* name : {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                           "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                           "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"}) {
    if (auto value = metric(launch, name)) return value;
  }
  return std::nullopt;
}

std::string occupancy_limiter(const Launch& launch) {
  std::string limiter;
  double fewest = 1e9;
  for (auto [name, word] : {std::pair("registers", "registers"),
                            {"shared_mem", "shared memory"},
                            {"barriers", "barriers"},
                            {"blocks", "blocks"},
                            {"warps", "warps"}}) {
    auto limit = metric(launch, std::string("launch__occupancy_limit_") + name);
    if (!limit || *limit >= fewest) continue;
    fewest = *limit;
    limiter = word;
  }
  return limiter;
}

Label label_of(const Launch& launch, Rules rules) {
  auto sm = metric(launch, sm_name), memory = metric(launch, memory_name);
  if (!memory) memory = dram_share(launch);
  if (!sm || !memory) {
    return {"unknown", "", fmt::format("the profile has no {}", !sm ? sm_name : memory_name), {}, 100};
  }
  if (*sm <= 0 && *memory <= 0 && nothing_ran(launch))
    return {"unknown", "", "the profile says 0 for compute and for memory: nothing was counted", {}, 100};
  if (rules == Rules::tilegym) return tilegym_label(launch, *sm, *memory);
  if (rules == Rules::kernel_opt) return kernel_opt_label(launch, *sm, *memory);
  return nsight_label(launch, *sm, *memory);
}

}  // namespace explog::diagnose
