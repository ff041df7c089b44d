#include "bench/judge/shape_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace explog::bench {
namespace {

constexpr double floor_tolerance = 0.95;  // peaks come from attributes of the device, which err upwards
constexpr double most_discarded = 0.2;    // of all blocks

bool unstable(const ShapeVerdict& shape) {
  return static_cast<double>(shape.discarded) > most_discarded * static_cast<double>(shape.blocks);
}

void note_drift(const ShapeRun& run, std::vector<std::string>& notes) {
  std::vector<double> baseline = log_baseline(run);
  double drift = theil_sen(baseline) * static_cast<double>(baseline.size());
  if (std::abs(drift) > 0.01) notes.push_back("drift: the baseline's time moved by " + percent(drift));
}

void note_ratios(const std::vector<double>& ratios, std::vector<std::string>& notes) {
  double r = autocorrelation(ratios);
  if (r > 0.25)
    notes.push_back(
        fmt::format("autocorrelated: {:.2f} from block to block, the interval is wider for it", r));
  if (std::size_t n = outliers(ratios))
    notes.push_back(fmt::format("outliers: {} of {} blocks", n, ratios.size()));
}

void note_clock(const ShapeRun& run, std::vector<std::string>& notes) {
  if (!clock_known(run)) return;
  double difference = std::expm1(median(log_clock_ratios(run)));
  if (std::abs(difference) > 0.01)
    notes.push_back(fmt::format("clock: the candidate's SM clock was {} {}", percent(std::abs(difference)),
                                difference > 0 ? "higher" : "lower"));
}

// A call this short is mostly what the clock itself costs; 10 us where that was not measured.
void note_short(const ShapeRun& run, double candidate_ms, std::vector<std::string>& notes) {
  double limit = run.empty_ms > 0 ? 10 * run.empty_ms : 0.010;
  if (candidate_ms > 0 && candidate_ms < limit)
    notes.push_back(
        fmt::format("short kernel: {:.6f} ms, an empty one reads {:.6f} ms", candidate_ms, run.empty_ms));
}

// Calls one after the other come no faster than the host issues them, whatever the device could do.
void note_launch(const ShapeRun& run, double candidate_ms, std::vector<std::string>& notes) {
  if (candidate_ms > 0 && run.launch_ms > candidate_ms)
    notes.push_back(fmt::format("host-bound: solve() takes {:.6f} ms to return, the device {:.6f} ms",
                                run.launch_ms, candidate_ms));
}

std::vector<std::string> notes_of(const ShapeRun& run, const ShapeVerdict& shape) {
  std::vector<std::string> notes;
  note_drift(run, notes);
  note_ratios(log_ratios(run), notes);
  note_clock(run, notes);
  note_short(run, shape.candidate_ms, notes);
  note_launch(run, shape.candidate_ms, notes);
  if (shape.speedup > suspicious) notes.push_back("more than 10x: look at it by hand");
  return notes;
}

ShapeStatus status_of(const ShapeRun& run, const ShapeVerdict& shape) {
  if (below_floor(run, shape.candidate_ms)) return ShapeStatus::too_fast;
  if (unstable(shape)) return ShapeStatus::unstable;
  if (shape.hi == 0) return ShapeStatus::undecided;
  if (shape.lo > 1) return ShapeStatus::faster;
  if (shape.hi < 1) return ShapeStatus::slower;
  bool narrow = 1 / shape.hi > 1 - least_gain && 1 / shape.lo < 1 + loss;
  return narrow ? ShapeStatus::same : ShapeStatus::undecided;
}

}  // namespace

std::string percent(double fraction) {
  double rounded = std::round(fraction * 1e4) / 1e2;
  return fmt::format("{:.2f}%", rounded == 0 ? 0.0 : rounded);  // never "-0.00%"
}

bool below_floor(const ShapeRun& run, double ms) { return ms > 0 && ms < floor_tolerance * run.floor_ms; }

std::string_view word(ShapeStatus status) {
  static constexpr std::array<std::string_view, 6> words = {"faster",    "slower",   "same",
                                                            "undecided", "unstable", "too_fast"};
  return words[static_cast<std::size_t>(status)];
}

bool precise_enough(const ShapeRun& run, const Narrow& narrow, double wanted) {
  auto n = static_cast<std::size_t>(std::count_if(run.blocks.begin(), run.blocks.end(), counts));
  bool early = n == early_look;
  if (!early && std::find(looks.begin(), looks.end(), n) == looks.end()) return false;
  std::vector<double> ratios = log_ratios(run);
  double effect = std::abs(median(ratios));
  if (early && effect < narrow.early_effect) return false;
  auto interval = median_interval(ratios, level);
  return interval && interval->half_width() <= std::max(wanted, narrow.part_of_effect * effect);
}

bool may_continue(std::size_t blocks) { return blocks < looks.back(); }

bool out_of_time(const ShapeRun& run, double spent, double most, std::size_t least) {
  if (spent <= most) return false;
  return effect_in_time(run) || (spent > 10 * most && run.blocks.size() >= least);
}

ShapeVerdict judge_shape(const ShapeRun& run) {
  ShapeVerdict shape;
  shape.dims = run.dims;
  shape.weight = run.weight;
  shape.blocks = run.blocks.size();
  std::vector<double> candidate = log_candidate(run);
  shape.discarded = shape.blocks - candidate.size();
  if (!candidate.empty()) {
    shape.candidate_ms = std::exp(median(candidate));
    shape.baseline_ms = std::exp(median(log_baseline(run)));
    shape.speedup = std::exp(-median(log_ratios(run)));
    shape.sol = run.sol_ms / shape.candidate_ms;
    shape.launch_ms = run.launch_ms;
  }
  if (auto e = confirmed_in_time(run)) {
    shape.lo = std::exp(-e->interval.hi);
    shape.hi = std::exp(-e->interval.lo);
    double speedup = std::exp(-e->middle);
    if (speedup < shape.speedup) shape.candidate_ms = shape.baseline_ms / speedup, shape.speedup = speedup;
  }
  shape.noise_floor = noise_of(run);
  shape.status = status_of(run, shape);
  shape.notes = notes_of(run, shape);
  return shape;
}

}  // namespace explog::bench
