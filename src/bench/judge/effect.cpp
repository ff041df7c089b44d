#include "bench/judge/effect.h"

#include <algorithm>
#include <cmath>

namespace explog::bench {
namespace {

const Pass& pass(const Block& block, Arm arm) { return of_arm(block.passes, arm); }

// `value(block)` of each block that counts, in the order they ran.
template <class Value>
std::vector<double> series(const ShapeRun& run, Value value) {
  std::vector<double> values;
  for (const Block& block : run.blocks) {
    if (counts(block)) values.push_back(value(block));
  }
  return values;
}

double ln_time(const Block& block, Arm arm) { return std::log(median(pass(block, arm).ms)); }
double ln_baseline(const Block& block) {
  return (ln_time(block, Arm::baseline) + ln_time(block, Arm::baseline_again)) / 2;
}
double ln_ratio(const Block& block) { return ln_time(block, Arm::candidate) - ln_baseline(block); }

// ln of the candidate's SM clock over the baseline's.
double ln_clock_ratio(const Block& block) {
  double twice = pass(block, Arm::baseline).sm_mhz * pass(block, Arm::baseline_again).sm_mhz;
  return std::log(pass(block, Arm::candidate).sm_mhz) - std::log(twice) / 2;
}

// However much each block resembles the one before: a loss by half in every one of as many blocks as an interval needs
// is certain. Of a gain, which must be proved, nothing is taken so lightly.
std::optional<Interval> heavy_loss(const std::vector<double>& ratios) {
  if (!median_rank(ratios.size(), level)) return std::nullopt;
  auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return *least > std::log(2) ? std::optional(Interval{*least, *most}) : std::nullopt;
}

std::optional<Effect> effect(const std::vector<double>& ratios) {
  auto interval = median_interval(ratios, level);
  if (!interval) interval = heavy_loss(ratios);
  if (!interval) return std::nullopt;
  return Effect{median(ratios), *interval};
}

}  // namespace

bool counts(const Block& block) {
  auto valid = [](double ms) { return std::isfinite(ms) && ms > 0; };
  auto sampled = [&](const Pass& p) { return !p.ms.empty() && std::all_of(p.ms.begin(), p.ms.end(), valid); };
  return block.discarded.empty() && std::all_of(block.passes.begin(), block.passes.end(), sampled);
}

bool clock_known(const ShapeRun& run) {
  auto known = [](const Block& block) {
    return !counts(block) ||
           std::all_of(block.passes.begin(), block.passes.end(), [](const Pass& p) { return p.sm_mhz > 0; });
  };
  return std::all_of(run.blocks.begin(), run.blocks.end(), known);
}

std::vector<double> log_ratios(const ShapeRun& run) { return series(run, ln_ratio); }

std::vector<double> noise_ratios(const ShapeRun& run) {
  return series(run,
                [](const Block& b) { return ln_time(b, Arm::baseline_again) - ln_time(b, Arm::baseline); });
}

std::vector<double> log_candidate(const ShapeRun& run) {
  return series(run, [](const Block& b) { return ln_time(b, Arm::candidate); });
}

std::vector<double> log_baseline(const ShapeRun& run) { return series(run, ln_baseline); }

std::vector<double> log_clock_ratios(const ShapeRun& run) { return series(run, ln_clock_ratio); }

std::optional<Effect> effect_in_time(const ShapeRun& run) { return effect(log_ratios(run)); }

Effect confirmed(const ShapeRun& run, Effect beside) {
  if (run.apart_saved_ms.empty()) return beside;
  double part = median(run.apart_saved_ms) / std::exp(median(log_baseline(run)));
  if (!(part < 1)) return beside;
  beside.middle = std::max(beside.middle, std::log1p(-part));
  beside.interval.hi = std::max(beside.interval.hi, beside.middle);
  return beside;
}

std::optional<Effect> confirmed_in_time(const ShapeRun& run) {
  auto e = effect_in_time(run);
  return e ? std::optional(confirmed(run, *e)) : e;
}

std::optional<Effect> effect_in_cycles(const ShapeRun& run) {
  if (!clock_known(run)) return effect_in_time(run);
  if (auto e = effect(series(run, [](const Block& b) { return ln_ratio(b) + ln_clock_ratio(b); }))) return e;
  auto e = effect_in_time(run);
  if (!e) return e;
  std::vector<double> clocks = log_clock_ratios(run);
  double largest = *std::max_element(clocks.begin(), clocks.end());
  return Effect{e->middle + largest, {e->interval.lo + largest, e->interval.hi + largest}};
}

double noise_of(const ShapeRun& run) {
  std::vector<double> ratios = noise_ratios(run);
  double farthest = 0;
  // Half of the width alone would miss a shift, |median| alone the scatter.
  if (auto interval = median_interval(ratios, level)) ratios = {interval->lo, interval->hi};
  for (double ratio : ratios) farthest = std::max(farthest, std::abs(ratio));
  return std::expm1(farthest);  // the relative size of a ratio above 1 is the larger one
}

Effect combined(const std::vector<Effect>& effects) {
  double weights = 0, middle = 0, below = 0, above = 0;
  for (const Effect& e : effects) {
    weights += e.weight;
    middle += e.weight * e.middle;
    below += std::pow(e.weight * (e.middle - e.interval.lo), 2);
    above += std::pow(e.weight * (e.interval.hi - e.middle), 2);
  }
  middle /= weights;
  return {middle, {middle - std::sqrt(below) / weights, middle + std::sqrt(above) / weights}};
}

}  // namespace explog::bench
