#include "diagnose/roofline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace explog::diagnose {
namespace {

double& flops_of(Work& work, Roof roof) { return work.flops[static_cast<std::size_t>(roof)]; }

struct Counter {
  const char* operation;
  Roof roof;
  double each;  // operations an executed thread instruction does
};
constexpr auto counters = std::to_array<Counter>({
    {"fadd", Roof::fp32, 1},
    {"fmul", Roof::fp32, 1},
    {"ffma", Roof::fp32, 2},
    {"dadd", Roof::fp64, 1},
    {"dmul", Roof::fp64, 1},
    {"dfma", Roof::fp64, 2},
    {"hadd", Roof::half, 2},
    {"hmul", Roof::half, 2},
    {"hfma", Roof::half, 4},
});

constexpr auto tensor_counters = std::to_array<std::pair<const char*, Roof>>({
    {"sm__ops_path_tensor_src_fp64.sum", Roof::fp64},
    {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", Roof::tf32},
    {"sm__ops_path_tensor_src_fp16.sum", Roof::f16},
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", Roof::f16},
    {"sm__ops_path_tensor_src_fp8_sparsity_off.sum", Roof::fp8},
    {"sm__ops_path_tensor_src_int8.sum", Roof::int8},
});

// Thread instructions of one operation: counted, or a rate times the cycles.
std::optional<double> executed(const Launch& launch, const std::string& operation, double seconds) {
  std::string name = "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
  if (auto count = metric(launch, name)) return count;
  auto per_cycle = metric(launch, name + ".per_cycle_elapsed");
  auto clock = metric(launch, "smsp__cycles_elapsed.avg.per_second");
  if (!clock) clock = metric(launch, "sm__cycles_elapsed.avg.per_second");
  if (!per_cycle || !clock) return std::nullopt;
  return *per_cycle * *clock * seconds;
}

// Compilers make constants with a packed half FMA: one or two a thread are no arithmetic of the kernel.
bool are_constants(const Launch& launch, double hfma, double other_halves) {
  auto instructions = metric(launch, "smsp__inst_executed.sum");
  return other_halves == 0 && instructions && hfma < 0.05 * 32 * *instructions;
}

double bytes_of(const Launch& launch, double seconds) {
  auto read = metric(launch, "dram__bytes_read.sum"), written = metric(launch, "dram__bytes_write.sum");
  if (read && written) return *read + *written;
  if (auto total = metric(launch, "dram__bytes.sum")) return *total;
  return metric(launch, "dram__bytes.sum.per_second").value_or(0) * seconds;
}

bool finite(const Roofline& r) {
  return std::isfinite(r.bytes_rate) && std::isfinite(r.flops_rate) && std::isfinite(r.reached) &&
         std::isfinite(r.intensity);
}

}  // namespace

double Work::total_flops() const { return std::accumulate(flops.begin(), flops.end(), 0.0); }

Work work_of_launch(const Launch& launch) {
  Work work;
  work.source = "counters";
  work.seconds = metric(launch, "gpu__time_duration.sum").value_or(0) * 1e-9;
  if (work.seconds <= 0) return work;
  for (const Counter& counter : counters) {
    auto count = executed(launch, counter.operation, work.seconds);
    if (!count) continue;
    work.flops_known = true;
    flops_of(work, counter.roof) += counter.each * *count;
  }
  double hfma = executed(launch, "hfma", work.seconds).value_or(0);
  double& halves = flops_of(work, Roof::half);
  if (are_constants(launch, hfma, halves - 4 * hfma)) halves = 0;
  for (const auto& [name, roof] : tensor_counters) {
    if (auto count = metric(launch, name)) flops_of(work, roof) += *count;
  }
  work.bytes = bytes_of(launch, work.seconds);
  return work;
}

std::optional<Roofline> roofline_of(const Work& work, const Peaks& peaks) {
  bool something = work.bytes > 0 || (work.flops_known && work.total_flops() > 0);
  if (!something || work.seconds <= 0) return std::nullopt;
  Roofline r;
  double longest = -1;
  for (std::size_t i = 1; i < roof_count; ++i) {
    double time = peaks[i].value > 0 ? work.flops[i] / peaks[i].value : 0;
    // A pipe whose peak is not known still names the work.
    bool busier =
        time > longest || (longest <= 0 && work.flops[i] > work.flops[static_cast<std::size_t>(r.pipe)]);
    if (!busier || work.flops[i] <= 0) continue;
    longest = time;
    r.pipe = static_cast<Roof>(i);
  }
  r.flops_known = work.flops_known;
  r.memory_peak = peak(peaks, Roof::dram);
  r.compute_peak = peak(peaks, r.pipe);
  r.flops_rate = work.total_flops() / work.seconds;
  r.bytes_rate = work.bytes / work.seconds;
  if (r.memory_peak.value > 0) r.memory_share = r.bytes_rate / r.memory_peak.value;
  if (longest > 0) r.compute_share = longest / work.seconds;
  r.reached = std::max(r.memory_share, r.compute_share);
  if (r.memory_peak.value > 0) r.ridge = r.compute_peak.value / r.memory_peak.value;
  if (work.bytes > 0 && work.flops_known) r.intensity = work.total_flops() / work.bytes;
  if (!finite(r)) return std::nullopt;  // counters that fit no GPU
  if (work.bytes <= 0 || !work.flops_known) return r;
  r.seed_label = r.intensity < 10 ? "memory" : r.intensity <= 50 ? "balanced" : "compute";
  if (r.ridge > 0) {
    double ratio = r.intensity / r.ridge;
    r.label = ratio < 0.5 ? "memory" : ratio <= 2 ? "balanced" : "compute";
  }
  return r;
}

}  // namespace explog::diagnose
