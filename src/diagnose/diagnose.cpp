#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog::diagnose {
namespace {

// What a full profile has: how many of them are missing tells how far to trust it.
constexpr auto wanted = std::to_array<const char*>({
    "gpu__time_duration.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "launch__waves_per_multiprocessor",
    "sm__maximum_warps_per_active_cycle_pct",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__issue_active.avg.per_cycle_active",
    "smsp__warps_eligible.avg.per_cycle_active",
});

void judge_confidence(Diagnosis& d, const Launch& launch) {
  auto missing =
      std::count_if(wanted.begin(), wanted.end(), [&](const char* name) { return !metric(launch, name); });
  bool low = false, medium = false;
  if (auto ns = metric(launch, "gpu__time_duration.sum"); ns && *ns < 10'000) {
    d.doubts.emplace_back(*ns > 0 ? "shorter than 10 us"
                                  : "gpu__time_duration.sum is 0: without a time there are no rates");
    low = true;
  }
  if (static_cast<double>(missing) > 0.3 * static_cast<double>(wanted.size())) {
    d.doubts.push_back(fmt::format("{} of {} usual metrics are missing", missing, wanted.size()));
    low = true;
  }
  if (d.label.margin < 3) {
    d.doubts.push_back(fmt::format("{} points from another label", short_number(d.label.margin, 2)));
    medium = true;
  }
  bool pipes = metric(launch, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active") ||
               metric(launch, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active");
  if (d.label.word == "occupancy" && d.label.detail != "grid" && !pipes) {
    d.doubts.emplace_back("without pipe metrics (raw page) few warps by design look the same");
    medium = true;
  }
  bool opposite = d.roofline && ((d.roofline->label == "memory" && d.label.word == "compute") ||
                                 (d.roofline->label == "compute" && d.label.word == "memory"));
  if (opposite) {
    d.doubts.push_back("the roofline says " + d.roofline->label);
    medium = true;
  }
  d.confidence = low || d.label.word == "unknown" ? "low" : medium ? "medium" : "high";
}

// What the counters do not know is taken from the formula.
Work merged(Work work, const Work& formula) {
  if (formula.flops_known && (!work.flops_known || work.total_flops() <= 0)) {
    work.flops = formula.flops;
    work.flops_known = true;
    work.source = "counters and formula";
  }
  if (work.bytes <= 0 && formula.bytes > 0) {
    work.bytes = formula.bytes;
    work.source = "counters and formula";
  }
  if (work.seconds <= 0) work.seconds = formula.seconds;
  return work;
}

std::string share(double x) { return fmt::format("{:.0f}%", 100 * x); }

}  // namespace

Diagnosis diagnose(const Launch& launch, const Peaks& peaks, const Work& formula, Rules rules) {
  Diagnosis d;
  d.source = "ncu";
  d.label = label_of(launch, rules);
  Work work = merged(work_of_launch(launch), formula);
  d.time_ms = work.seconds * 1e3;
  d.roofline = roofline_of(work, peaks);
  d.findings = findings_of(launch);
  d.stalls = stalls_of(launch);
  d.stall = dominant_stall(launch, d.stalls);
  judge_confidence(d, launch);
  return d;
}

Diagnosis diagnose(const Work& formula, const Peaks& peaks) {
  Diagnosis d;
  d.source = "formula";
  d.time_ms = formula.seconds * 1e3;
  d.roofline = roofline_of(formula, peaks);
  d.confidence = "low";
  d.label = {"unknown", "", "bytes, operations and time, or the peaks, are not known", {}, 100};
  if (!d.roofline || d.roofline->label.empty()) return d;
  const Roofline& r = *d.roofline;
  bool far = r.reached < 0.3;
  // Far below both roofs neither of them is what holds the kernel back.
  d.label.word = far ? "latency" : r.label;
  d.label.why =
      far ? fmt::format("it reaches {} of the bandwidth and {} of the arithmetic: neither roof holds it back",
                        share(r.memory_share), share(r.compute_share))
          : fmt::format("{} FLOP a byte, the ridge lies at {}", short_number(r.intensity),
                        short_number(r.ridge));
  d.label.evidence = {
      {"intensity / ridge", r.intensity / r.ridge, r.intensity / r.ridge < 0.5 ? "<" : ">=", 0.5},
      {"reached", r.reached, far ? "<" : ">=", 0.3}};
  d.doubts.emplace_back("no counters: a formula cannot tell latency from occupancy");
  auto is_guess = [](const Peak& p) { return p.source == "largest card"; };
  bool guessed =
      r.label == "memory" ? is_guess(r.memory_peak) : is_guess(r.memory_peak) || is_guess(r.compute_peak);
  if (guessed) d.doubts.emplace_back("the peaks are those of the largest card of its arch: give --peak");
  d.confidence = guessed ? "low" : "medium";
  return d;
}

}  // namespace explog::diagnose
