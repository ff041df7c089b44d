#include "model/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/arch.h"
#include "model/canonical.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

constexpr double noise = 0.02;  // gains within +-2 % show nothing

std::optional<std::string> too_long(const Experience& e) {
  for (const Field& field : experience_fields()) {
    const auto* text = std::get_if<std::string Experience::*>(&field.member);
    bool prose = field.name == "notes" || field.name == "hypothesis";
    size_t limit = prose ? 16384 : 1024;
    if (text != nullptr && (e.**text).size() > limit)
      return fmt::format("{} is longer than {} bytes", field.name, limit);
  }
  return std::nullopt;
}

std::optional<std::string> impossible_number(const Experience& e) {
  for (const auto& [name, value] :
       {std::pair("latency_before_ms", e.latency_before_ms),
        std::pair("latency_after_ms", e.latency_after_ms), std::pair("speedup", e.speedup),
        std::pair("speedup_lo", e.speedup_lo), std::pair("speedup_hi", e.speedup_hi)}) {
    if (value && *value <= 0) return fmt::format("{} must be above 0, got {}", name, number_text(*value));
  }
  if (e.speedup && std::abs(std::log2(*e.speedup)) > 20) {
    return fmt::format("speedup {} is not plausible (beyond 2^20)", number_text(*e.speedup));
  }
  return std::nullopt;
}

std::optional<double> latency_ratio(const Experience& e) {
  bool known = e.latency_before_ms && e.latency_after_ms && *e.latency_after_ms > 0;
  return known ? std::optional(*e.latency_before_ms / *e.latency_after_ms) : std::nullopt;
}

void derive_speedup(Experience& e) {
  auto ratio = latency_ratio(e);
  if (ratio && !e.speedup) e.speedup = std::round(*ratio * 1e6) / 1e6;
}

Outcome outcome_of_speedup(const Experience& e) {
  double s = *e.speedup;
  bool interval = e.speedup_lo && e.speedup_hi;
  if (std::abs(s - 1) < noise || (interval && *e.speedup_lo <= 1 && *e.speedup_hi >= 1))
    return Outcome::neutral;
  return s > 1 ? Outcome::success : Outcome::failure;
}

// design: failure = wrong, crashed or slower by more than noise; neutral = within +-2 % or interval
// contains 1.
void derive_outcome(Experience& e) {
  if (e.correctness.empty() && e.cause == Cause::wrong_values) e.correctness = word(Correctness::fail);
  if (e.correctness == Correctness::fail && e.cause.empty()) e.cause = word(Cause::wrong_values);
  bool slower = e.outcome == Outcome::failure && e.speedup && *e.speedup < 1;
  if (slower && e.cause.empty()) e.cause = word(Cause::regression);
  if (!e.outcome.empty()) return;
  bool broken = e.correctness == Correctness::fail || e.decision == Decision::crash || !e.cause.empty();
  if (broken) {
    e.outcome = word(Outcome::failure);
  } else if (e.speedup) {
    e.outcome = word(outcome_of_speedup(e));
    if (e.outcome == Outcome::failure && e.cause.empty()) e.cause = word(Cause::regression);
  }
}

void check_speedup(const Experience& e, std::vector<std::string>& warnings) {
  auto ratio = latency_ratio(e);
  if (!ratio || !e.speedup || std::abs(*e.speedup / *ratio - 1) <= 0.05) return;
  warnings.push_back(fmt::format("speedup {} does not follow from the latencies ({} / {} = {})",
                                 short_number(*e.speedup), number_text(*e.latency_before_ms),
                                 number_text(*e.latency_after_ms), short_number(*ratio)));
}

void check_label(const Experience& e, std::vector<std::string>& warnings) {
  auto sm = fact(e.metrics_before, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
  auto memory = fact(e.metrics_before, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
  if (!memory) memory = fact(e.metrics_before, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!sm || !memory) return;
  bool memory_claim = e.bottleneck == Bottleneck::memory && *sm > 60 && *sm > 1.5 * *memory;
  bool compute_claim = e.bottleneck == Bottleneck::compute && *memory > 60 && *memory > 1.5 * *sm;
  if (memory_claim || compute_claim) {
    warnings.push_back(fmt::format("bottleneck '{}' contradicts the metrics: SM {}% of peak, memory {}%",
                                   e.bottleneck, short_number(*sm), short_number(*memory)));
  }
}

constexpr double wild_factor = 100;  // beyond it a slip of units is likelier than a change
constexpr double decided = 5.001;    // percent; 1.05, rounded, is not

void check_outcome(const Experience& e, std::vector<std::string>& warnings) {
  if (e.outcome == Outcome::success && e.correctness == Correctness::fail)
    warnings.emplace_back("success, but correctness is 'fail'");
  if (!e.speedup) return;
  bool typed = !e.speedup_lo;  // an interval was measured
  if (typed && (*e.speedup > wild_factor || *e.speedup < 1 / wild_factor))
    warnings.push_back(fmt::format("a change by {}x: are both latencies in milliseconds, of the same work?",
                                   short_number(std::max(*e.speedup, 1 / *e.speedup))));
  double gain = (*e.speedup - 1) * 100;
  bool unsure = e.speedup_lo && e.speedup_hi && *e.speedup_lo <= 1 && *e.speedup_hi >= 1;
  if (e.outcome == Outcome::success && std::abs(gain) < noise * 100) {
    warnings.push_back(fmt::format("success, but the change of {:+.1f}% is inside the noise (+-2%)", gain));
  } else if (e.outcome == Outcome::success && gain < 0) {
    warnings.push_back(fmt::format("success, but it became {:.1f}% slower", -gain));
  } else if (e.outcome == Outcome::failure && gain > noise * 100 && e.cause.empty() &&
             e.correctness != Correctness::fail) {
    warnings.push_back(fmt::format("failure, but it became {:.1f}% faster and no cause is given", gain));
  } else if (e.outcome == Outcome::neutral && std::abs(gain) > decided && !unsure) {
    warnings.push_back(fmt::format("neutral, but the change is {:+.1f}%", gain));
  }
}

// Achieved rates, from the metrics or, for a matrix product, from its shape.
void check_peak(const Experience& e, std::vector<std::string>& warnings) {
  auto peak = peak_of(e.arch);
  if (!peak) return;
  auto exceeds = [&](std::string_view what, double rate, double limit, std::string_view unit) {
    if (rate > limit * 1.02) {
      warnings.push_back(fmt::format("{} of {} {} is above the peak of every {} card ({} {})", what,
                                     short_number(rate), unit, e.arch, short_number(limit), unit));
    }
  };
  for (const Facts* metrics : {&e.metrics_before, &e.metrics_after}) {
    if (auto bytes = fact(*metrics, "dram__bytes.sum.per_second"))
      exceeds("DRAM throughput", *bytes / 1e9, peak->dram_gb_s, "GB/s");
    if (auto rate = fact(*metrics, "dram_gb_s")) exceeds("DRAM throughput", *rate, peak->dram_gb_s, "GB/s");
    if (auto rate = fact(*metrics, "tflops"))
      exceeds("throughput", *rate, std::max(peak->tensor_tflops, peak->fp32_tflops), "TFLOP/s");
  }
  auto m = fact(e.shape, "M"), n = fact(e.shape, "N"), k = fact(e.shape, "K");
  if (e.kernel_type != "gemm" || !m || !n || !k || !e.latency_after_ms) return;
  double limit = e.dtype == "f32" || e.dtype == "f64" ? std::max(peak->fp32_tflops, peak->tensor_tflops / 4)
                                                      : std::max(peak->tensor_tflops, peak->fp32_tflops);
  exceeds("throughput", 2 * *m * *n * *k / (*e.latency_after_ms * 1e9), limit, "TFLOP/s");
}

}  // namespace

std::vector<std::string> check_claim(const Experience& e) {
  std::vector<std::string> warnings;
  check_speedup(e, warnings);
  if (e.strategy.empty()) warnings.emplace_back("no strategy named: the record cannot be learned from");
  check_label(e, warnings);
  check_outcome(e, warnings);
  check_peak(e, warnings);
  return warnings;
}

Remarks prepare(Experience& e, std::string_view highest_level) {
  Remarks remarks;
  remarks.refused = too_long(e);
  if (remarks.refused) return remarks;
  Respelled respelled = respell(e, highest_level);
  remarks.mended = std::move(respelled.mended);
  remarks.warnings = std::move(respelled.unknown);
  derive_speedup(e);
  remarks.refused = e.kernel_type.empty() ? "no kernel_type" : impossible_number(e);
  if (remarks.refused) return remarks;
  derive_outcome(e);
  if (e.outcome.empty()) {
    remarks.refused = remarks.warnings.empty()
                          ? "no outcome, and nothing to derive it from (latency_before_ms and "
                            "latency_after_ms, correctness or cause)"
                          : "no outcome: " + join(remarks.warnings, "; ");
    return remarks;
  }
  for (std::string& warning : check_claim(e)) remarks.warnings.push_back(std::move(warning));
  return remarks;
}

}  // namespace explog
