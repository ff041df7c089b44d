#include "bench/judge/speed_of_light.h"

#include <algorithm>
#include <string_view>

#include "model/arch.h"

namespace explog::bench {
namespace {

// Multiply-adds of one multiprocessor in one cycle.
double rate_per_cycle(std::string_view unit, int sm) {
  bool data_center = sm == 80 || sm == 90 || sm == 100 || sm == 103;
  double bf16 = sm >= 100 && data_center ? 4096 : sm == 90 ? 2048 : sm == 80 ? 1024 : 512;
  if (unit == "bf16" || unit == "f16") return bf16;
  if (unit == "tf32") return bf16 / 2;
  if (unit == "fp64") return sm == 90 ? 128 : data_center ? 64 : 2;
  return sm == 75 || sm == 80 ? 64 : 128;
}

}  // namespace

double speed_of_light_ms(const Case& c, const Device& device, bool cached_writes) {
  if (device.bandwidth <= 0) return 0;
  double written = 0;
  for (const Operand& o : c.operands) written += o.argument->is_output() ? static_cast<double>(o.bytes()) : 0;
  double bytes = c.bytes - (cached_writes ? std::min(written, device.cache_bytes) : 0);
  int sm = sm_number(device.arch).value_or(0);
  double rate = 2 * rate_per_cycle(c.task->unit, sm) * device.multiprocessors * device.clock_hz;
  return 1e3 * std::max(std::max(0.0, bytes) / device.bandwidth, rate > 0 ? c.flops / rate : 0);
}

double sol_score(double kernel_ms, double baseline_ms, double sol_ms) {
  if (kernel_ms <= sol_ms) return 1;
  if (baseline_ms <= sol_ms) return 0;
  return 1 / (1 + (kernel_ms - sol_ms) / (baseline_ms - sol_ms));
}

}  // namespace explog::bench
