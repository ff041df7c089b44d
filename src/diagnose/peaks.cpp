#include "diagnose/peaks.h"

#include <algorithm>

#include "base/text.h"
#include "model/arch.h"
#include "model/cards.h"

namespace explog::diagnose {
namespace {

constexpr std::array<std::string_view, roof_count> names = {"dram", "fp64", "fp32", "half",
                                                            "tf32", "f16",  "fp8",  "int8"};

// Operations (an FMA is two) a cycle and multiprocessor, dense; 0: not there or not known. From NVIDIA's
// architecture papers: total rate / (multiprocessors * clock) of V100, T4, A100, RTX A6000, L4, H100, B200,
// RTX 5090.
struct OpsPerCycle {
  int sm;
  double fp64, fp32, half, tf32, f16, fp8, int8;
};
constexpr auto ops_per_cycle = std::to_array<OpsPerCycle>({
    {70, 64, 128, 256, 0, 1024, 0, 0},
    {75, 4, 128, 256, 0, 1024, 0, 2048},
    {80, 64, 128, 512, 1024, 2048, 0, 4096},
    {86, 4, 256, 256, 512, 1024, 0, 2048},
    {87, 4, 256, 256, 512, 1024, 0, 2048},
    {89, 4, 256, 256, 512, 1024, 2048, 2048},
    {90, 128, 256, 512, 2048, 4096, 8192, 8192},
    {100, 128, 256, 512, 4096, 8192, 16384, 16384},
    {103, 4, 256, 512, 4096, 8192, 16384, 0},
    {120, 4, 256, 256, 512, 1024, 2048, 2048},
    {121, 4, 256, 256, 512, 1024, 2048, 2048},
});

// GeForce cards add up in fp32 at half the rate.
bool is_geforce(const Launch& launch) {
  return text_metric(launch, "device__attribute_display_name").find("GeForce") != std::string_view::npos;
}

const OpsPerCycle* find_ops(std::string_view arch) {
  auto sm = sm_number(arch);
  auto it = std::find_if(ops_per_cycle.begin(), ops_per_cycle.end(),
                         [&](const OpsPerCycle& o) { return sm && o.sm == *sm; });
  return it != ops_per_cycle.end() ? &*it : nullptr;
}

// All arithmetic rates at `cycles` multiprocessor cycles a second.
void set_rates(Peaks& peaks, const OpsPerCycle& ops, double cycles, const std::string& source, bool geforce) {
  double tensor = cycles * (geforce ? 0.5 : 1);
  for (auto [roof, value] : {std::pair(Roof::fp64, ops.fp64 * cycles),
                             {Roof::fp32, ops.fp32 * cycles},
                             {Roof::half, ops.half * cycles},
                             {Roof::tf32, ops.tf32 * tensor},
                             {Roof::f16, ops.f16 * tensor},
                             {Roof::fp8, ops.fp8 * tensor},
                             {Roof::int8, ops.int8 * cycles}}) {
    if (value > 0) peak(peaks, roof) = {value, source};
  }
}

std::optional<double> first_of(const Launch& launch, std::initializer_list<const char*> candidates) {
  for (const char* name : candidates) {
    if (auto value = metric(launch, name); value && *value > 0) return value;
  }
  return std::nullopt;
}

void set_bandwidth(Peaks& peaks, const Launch& launch) {
  auto clock = first_of(launch, {"dram__cycles_elapsed.avg.per_second"});
  auto bytes = first_of(launch, {"dram__bytes.sum.peak_sustained"});
  auto bus_bits = first_of(launch, {"device__attribute_global_memory_bus_width"});
  auto nominal_khz = first_of(launch, {"device__attribute_memory_clock_rate"});
  auto rate = first_of(launch, {"dram__bytes.sum.per_second"});
  auto share = first_of(launch, {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"});
  Peak& bandwidth = peak(peaks, Roof::dram);
  if (clock && bytes) {
    bandwidth = {*clock * *bytes, "counters"};
  } else if (clock && bus_bits) {  // two transfers a cycle
    bandwidth = {2 * *clock * *bus_bits / 8, "counters"};
  } else if (rate && share) {  // the details page has no more
    bandwidth = {*rate / *share * 100, "counters"};
  } else if (nominal_khz && bus_bits) {
    bandwidth = {2 * *nominal_khz * 1e3 * *bus_bits / 8, "attributes"};
  }
}

}  // namespace

std::string_view roof_name(Roof roof) { return names[static_cast<std::size_t>(roof)]; }

std::optional<Roof> parse_roof(std::string_view name) {
  if (name == "bf16" || name == "fp16") name = "f16";
  if (name == "f32") name = "fp32";
  if (name == "f64") name = "fp64";
  auto it = std::find(names.begin(), names.end(), name);
  return it != names.end() ? std::optional(static_cast<Roof>(it - names.begin())) : std::nullopt;
}

Peaks peaks_of_card(std::string_view name) {
  Peaks peaks;
  const Card* card = find_card(name);
  if (card == nullptr) return peaks;
  constexpr const char* source = "data sheet";
  if (const OpsPerCycle* ops = find_ops(card->arch); ops != nullptr && card->fp32 > 0)
    set_rates(peaks, *ops, card->fp32 * 1e12 / ops->fp32, source, false);
  if (card->name.starts_with("GTX"))
    peak(peaks, Roof::f16) = peak(peaks, Roof::int8) = {};  // no tensor cores
  for (auto [roof, value] : {std::pair(Roof::fp64, card->fp64),
                             {Roof::fp32, card->fp32},
                             {Roof::tf32, card->tf32},
                             {Roof::f16, card->f16},
                             {Roof::fp8, card->fp8},
                             {Roof::int8, card->int8}}) {
    if (value > 0) peak(peaks, roof) = {value * 1e12, source};
  }
  peak(peaks, Roof::dram) = {card->dram_gb_s * 1e9, source};
  return peaks;
}

Peaks peaks_of_arch(std::string_view arch) {
  Peaks peaks;
  auto card = peak_of(arch);
  if (!card) return peaks;
  peak(peaks, Roof::dram) = {card->dram_gb_s * 1e9, "largest card"};
  peak(peaks, Roof::fp32) = {card->fp32_tflops * 1e12, "largest card"};
  if (const OpsPerCycle* ops = find_ops(arch))
    set_rates(peaks, *ops, card->fp32_tflops * 1e12 / ops->fp32, "largest card", false);
  return peaks;
}

Peaks peaks_of_launch(const Launch& launch) {
  Peaks peaks;
  set_bandwidth(peaks, launch);
  auto clock = first_of(launch, {"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second",
                                 "gpc__cycles_elapsed.avg.per_second"});
  auto nominal_khz = first_of(launch, {"device__attribute_clock_rate"});
  auto multiprocessors = first_of(launch, {"device__attribute_multiprocessor_count", "launch__sm_count"});
  const OpsPerCycle* ops = find_ops(launch.arch);
  bool hertz = clock || nominal_khz;
  if (ops && multiprocessors && hertz) {
    set_rates(peaks, *ops, *multiprocessors * (clock ? *clock : *nominal_khz * 1e3),
              clock ? "counters" : "attributes", is_geforce(launch));
  }
  if (auto ffma = first_of(launch, {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"});
      ffma && clock)
    peak(peaks, Roof::fp32) = {*ffma * 2 * *clock, "counters"};
  if (auto dfma = first_of(launch, {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"});
      dfma && clock)
    peak(peaks, Roof::fp64) = {*dfma * 2 * *clock, "counters"};
  return peaks;
}

Peaks peaks_of_ceilings(const DeviceCeilings& ceilings, double write_share) {
  Peaks peaks;
  bool reads = write_share < 0.1 && ceilings.rate("dram_read_bytes_per_s") > 0;
  for (auto [roof, name] : {std::pair(Roof::dram, reads ? "dram_read_bytes_per_s" : "dram_bytes_per_s"),
                            {Roof::fp64, "fp64_flops"},
                            {Roof::fp32, "fp32_flops"},
                            {Roof::tf32, "tf32_tensor_flops"},
                            {Roof::f16, "f16_tensor_flops"}}) {
    if (double value = ceilings.rate(name); value > 0) peak(peaks, roof) = {value, "measured"};
  }
  return peaks;
}

Peaks prefer(const Peaks& better, const Peaks& fallback) {
  Peaks peaks = fallback;
  for (std::size_t i = 0; i < roof_count; ++i) {
    if (better[i].value > 0) peaks[i] = better[i];
  }
  return peaks;
}

}  // namespace explog::diagnose
