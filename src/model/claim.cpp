#include "model/check.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

constexpr double noise = 0.02;  // gains within +-2 % show nothing

void mend(Remarks& remarks, std::string_view field, const std::string& from, const std::string& to) {
  if (lower(from) != to)
    remarks.mended.push_back(fmt::format("{} '{}' read as '{}'", field, printable(from), to));
}

// A word outside its vocabulary becomes `fallback`, with a warning that names the nearest word.
void fit_word(std::string& value, std::string_view field, const std::string& fallback, Remarks& remarks) {
  if (value.empty()) {
    value = fallback;
    return;
  }
  auto vocabulary = *vocabulary_of(field);
  if (auto word = canonical(vocabulary, value)) {
    mend(remarks, field, value, *word);
    value = *word;
    return;
  }
  remarks.warnings.push_back(fmt::format("unknown {} '{}'{}{}", field, printable(value),
                                         did_you_mean(value, words(vocabulary)),
                                         fallback.empty() ? ", dropped" : ", stored as '" + fallback + "'"));
  value = fallback;
}

void fit_names(Experience& e, Remarks& remarks) {
  std::string type = canonical_kernel_type(e.kernel_type);
  if (type != lower(e.kernel_type)) mend(remarks, "kernel_type", e.kernel_type, type);
  e.kernel_type = type;
  std::string strategy = canonical_strategy(e.strategy);
  mend(remarks, "strategy", e.strategy, strategy);
  e.strategy = strategy;
  if (e.arch.empty() && canonical_arch(e.gpu)) e.arch = *canonical_arch(e.gpu);
  if (e.arch.empty() || e.arch == "unknown") {
    e.arch = "unknown";
  } else if (auto arch = canonical_arch(e.arch)) {
    mend(remarks, "arch", e.arch, *arch);
    e.arch = *arch;
  } else {
    remarks.warnings.push_back("unknown arch '" + printable(e.arch) + "'" +
                               did_you_mean(e.arch, known_archs()) + ", stored as 'unknown'");
    e.arch = "unknown";
  }
}

void fit_vocabularies(Experience& e, Remarks& remarks) {
  fit_word(e.backend, "backend", "other", remarks);
  fit_word(e.bottleneck, "bottleneck", "unknown", remarks);
  fit_word(e.outcome, "outcome", "", remarks);
  fit_word(e.decision, "decision", "", remarks);
  fit_word(e.cause, "cause", "", remarks);
  fit_word(e.correctness, "correctness", "", remarks);
  if (!e.dtype.empty()) {
    auto word = canonical(Vocabulary::dtype, e.dtype);
    std::string dtype = word ? *word : lower(trim(e.dtype));
    mend(remarks, "dtype", e.dtype, dtype);
    e.dtype = dtype;
  }
}

void fit_level(Experience& e, std::string_view highest, Remarks& remarks) {
  auto rank = [](std::string_view level) {
    auto all = words(Vocabulary::level);
    size_t at = 0;
    while (at < all.size() && all[at] != level) ++at;
    return at;
  };
  fit_word(e.level, "level", "claimed", remarks);
  if (rank(e.level) > rank(highest)) {
    remarks.mended.push_back(
        fmt::format("level '{}' lowered to '{}': only explog's own harness measures", e.level, highest));
    e.level = highest;
  }
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
  for (const Field& field : experience_fields()) {
    const auto* text = std::get_if<std::string Experience::*>(&field.member);
    bool prose = field.name == "notes" || field.name == "hypothesis";
    size_t limit = prose ? 16384 : 1024;
    if (text != nullptr && (e.**text).size() > limit)
      return fmt::format("{} is longer than {} bytes", field.name, limit);
  }
  return std::nullopt;
}

void derive_speedup(Experience& e, Remarks& remarks) {
  if (!e.latency_before_ms || !e.latency_after_ms || *e.latency_after_ms <= 0) return;
  double ratio = *e.latency_before_ms / *e.latency_after_ms;
  if (!e.speedup) {
    e.speedup = std::round(ratio * 1e6) / 1e6;
  } else if (std::abs(*e.speedup / ratio - 1) > 0.05) {
    remarks.warnings.push_back(fmt::format("speedup {} does not follow from the latencies ({} / {} = {})",
                                           short_number(*e.speedup), number_text(*e.latency_before_ms),
                                           number_text(*e.latency_after_ms), short_number(ratio)));
  }
}

std::string outcome_of_speedup(const Experience& e) {
  double s = *e.speedup;
  bool interval = e.speedup_lo && e.speedup_hi;
  if (std::abs(s - 1) < noise || (interval && *e.speedup_lo <= 1 && *e.speedup_hi >= 1)) return "neutral";
  return s > 1 ? "success" : "failure";
}

// design: failure = wrong, crashed or slower by more than noise; neutral = within +-2 % or interval
// contains 1.
void derive_outcome(Experience& e) {
  if (e.correctness.empty() && e.cause == "wrong_values") e.correctness = "fail";
  if (e.correctness == "fail" && e.cause.empty()) e.cause = "wrong_values";
  bool slower = e.outcome == "failure" && e.speedup && *e.speedup < 1;
  if (slower && e.cause.empty()) e.cause = "regression";
  if (!e.outcome.empty()) return;
  bool broken = e.correctness == "fail" || e.decision == "crash" || !e.cause.empty();
  if (broken) {
    e.outcome = "failure";
  } else if (e.speedup) {
    e.outcome = outcome_of_speedup(e);
    if (e.outcome == "failure" && e.cause.empty()) e.cause = "regression";
  }
}

void check_label(const Experience& e, std::vector<std::string>& warnings) {
  auto sm = fact(e.metrics_before, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
  auto memory = fact(e.metrics_before, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
  if (!memory) memory = fact(e.metrics_before, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!sm || !memory) return;
  bool memory_claim = e.bottleneck == "memory" && *sm > 60 && *sm > 1.5 * *memory;
  bool compute_claim = e.bottleneck == "compute" && *memory > 60 && *memory > 1.5 * *sm;
  if (memory_claim || compute_claim) {
    warnings.push_back(fmt::format("bottleneck '{}' contradicts the metrics: SM {}% of peak, memory {}%",
                                   e.bottleneck, short_number(*sm), short_number(*memory)));
  }
}

constexpr double decided = 5.001;  // percent; 1.05, rounded, is not

void check_outcome(const Experience& e, std::vector<std::string>& warnings) {
  if (e.outcome == "success" && e.correctness == "fail")
    warnings.emplace_back("success, but correctness is 'fail'");
  if (!e.speedup) return;
  double gain = (*e.speedup - 1) * 100;
  bool unsure = e.speedup_lo && e.speedup_hi && *e.speedup_lo <= 1 && *e.speedup_hi >= 1;
  if (e.outcome == "success" && std::abs(gain) < noise * 100) {
    warnings.push_back(fmt::format("success, but the change of {:+.1f}% is inside the noise (+-2%)", gain));
  } else if (e.outcome == "success" && gain < 0) {
    warnings.push_back(fmt::format("success, but it became {:.1f}% slower", -gain));
  } else if (e.outcome == "failure" && gain > noise * 100 && e.cause.empty() && e.correctness != "fail") {
    warnings.push_back(fmt::format("failure, but it became {:.1f}% faster and no cause is given", gain));
  } else if (e.outcome == "neutral" && std::abs(gain) > decided && !unsure) {
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
  if (e.strategy.empty()) warnings.emplace_back("no strategy named: the record cannot be learned from");
  check_label(e, warnings);
  check_outcome(e, warnings);
  check_peak(e, warnings);
  return warnings;
}

Remarks prepare(Experience& e, std::string_view highest_level) {
  Remarks remarks;
  if (trim(e.kernel_type).empty()) remarks.refused = "no kernel_type";
  if (!remarks.refused) remarks.refused = impossible_number(e);
  if (remarks.refused) return remarks;
  fit_names(e, remarks);
  fit_vocabularies(e, remarks);
  fit_level(e, highest_level, remarks);
  derive_speedup(e, remarks);
  remarks.refused = impossible_number(e);
  if (remarks.refused) return remarks;
  derive_outcome(e);
  if (e.outcome.empty()) {
    remarks.refused =
        "no outcome, and nothing to derive it from (latency_before_ms and latency_after_ms, correctness or "
        "cause)";
    return remarks;
  }
  for (std::string& warning : check_claim(e)) remarks.warnings.push_back(std::move(warning));
  return remarks;
}

}  // namespace explog
