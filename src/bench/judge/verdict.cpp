#include "bench/judge/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "bench/judge/shape_verdict.h"
#include "bench/judge/speed_of_light.h"

namespace explog::bench {
namespace {

constexpr double large_gain = 0.05;

struct Ruling {
  Decision verdict;
  std::string reason, detail;
};

double gain_of(double ln_ratio) { return -std::expm1(ln_ratio); }

// "1.398x", "16.84x".
std::string factor_text(double factor) { return fmt::format("{:.{}f}x", factor, factor < 9.9995 ? 3 : 2); }

// "1.398x faster (28.46% less time; 99% interval 1.395x to 1.403x)": the factor as in the table of the shapes, and
// the time beside it, because "28% faster" may mean two things.
std::string size_text(const Effect& e) {
  bool faster = e.middle <= 0;
  double sign = faster ? -1 : 1;
  double near = faster ? e.interval.hi : e.interval.lo, far = faster ? e.interval.lo : e.interval.hi;
  return fmt::format("{} {} ({} {} time; 99% interval {} to {})", factor_text(std::exp(sign * e.middle)),
                     faster ? "faster" : "slower", percent(sign * std::expm1(e.middle)),
                     faster ? "less" : "more", factor_text(std::exp(sign * near)),
                     factor_text(std::exp(sign * far)));
}

// " weighted 8:1:1", or nothing where they count alike.
std::string weights_text(const std::vector<Effect>& effects) {
  std::string text;
  auto other = [&](const Effect& e) { return e.weight != effects.front().weight; };
  if (std::none_of(effects.begin(), effects.end(), other)) return text;
  for (const Effect& e : effects) text += fmt::format("{}{:g}", text.empty() ? " weighted " : ":", e.weight);
  return text;
}

std::string size_text(const std::vector<Effect>& effects) {
  auto faster = [](const Effect& e) { return e.interval.hi < 0; };
  std::string size = size_text(combined(effects));
  if (effects.size() == 1) return size;
  bool all = std::all_of(effects.begin(), effects.end(), faster);
  return fmt::format("{} {} {} shapes{}", size, all ? "on all" : "over", effects.size(),
                     weights_text(effects));
}

// The least gain that counts, in time saved. Twice the noise is taken of logarithms: a gain cannot exceed 1, and a
// candidate that is many times faster wins on the noisiest machine.
double threshold(double noise) { return std::max(least_gain, gain_of(-2 * std::log1p(noise))); }

std::string noise_text(double noise) {
  if (threshold(noise) <= least_gain)
    return "the candidate's own times vary too much";  // two baselines agree well
  return fmt::format("machine noise {} hides gains under {}", percent(noise), percent(threshold(noise)));
}

std::string hidden_by(double noise) { return threshold(noise) > least_gain ? "; " + noise_text(noise) : ""; }

// Rules of the gain over all shapes, once none of them may lose.
Ruling rule_on_gain(const std::vector<Effect>& effects, double noise) {
  Effect all = combined(effects);
  double gain = gain_of(all.middle);
  std::string size = size_text(effects);
  bool certain = all.interval.hi < 0;
  if (certain && gain >= threshold(noise))
    return {Decision::keep, gain >= large_gain ? "faster" : "slightly_faster", size};
  if (gain >= least_gain)  // a quieter machine could prove it
    return {Decision::inconclusive, "noise", size + ": " + noise_text(noise)};
  if (certain)
    return {
        Decision::revert, "below_threshold",
        fmt::format("{}: under {:.0f}% is no win, keep it only if it is simpler", size, 100 * least_gain)};
  return {Decision::revert, "no_change", "no change: " + size + hidden_by(noise)};
}

// The rules in their order, on effects in time or in cycles.
Ruling rule(const std::vector<ShapeVerdict>& shapes, const std::vector<Effect>& effects, double noise) {
  const double bound = std::log1p(loss);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (effects[i].interval.lo > bound)
      return {Decision::revert, "regression", dims_text(shapes[i].dims) + ": " + size_text(effects[i])};
  }
  // Certain, so measuring again would change nothing.
  if (combined(effects).interval.lo > 0) return {Decision::revert, "slower", size_text(effects)};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (effects[i].interval.contains(bound))
      return {Decision::inconclusive, "undecided",
              fmt::format("{}: {}, it may lose more than {:.0f}%{}", dims_text(shapes[i].dims),
                          size_text(effects[i]), 100 * loss, hidden_by(shapes[i].noise_floor))};
  }
  return rule_on_gain(effects, noise);
}

// Rules about the measurement itself: what must hold before its times mean anything.
std::optional<Ruling> rule_on_shape(const ShapeRun& run, const ShapeVerdict& shape) {
  std::string name = dims_text(shape.dims);
  if (shape.status == ShapeStatus::too_fast)
    return Ruling{Decision::revert, "too_fast",
                  fmt::format("{} takes {:.6f} ms, but this device needs {:.6f} ms at least{}", name,
                              shape.candidate_ms, run.floor_ms,
                              below_floor(run, shape.baseline_ms)
                                  ? "; the baseline is too fast as well: look at the task's formulas"
                                  : ": work is left out or not timed")};
  if (shape.status == ShapeStatus::unstable)
    return Ruling{Decision::inconclusive, "unstable",
                  fmt::format("{}: {} of {} blocks were discarded", name, shape.discarded, shape.blocks)};
  return std::nullopt;
}

std::optional<Ruling> rule_on_shapes(const MeasurementRun& run, const std::vector<ShapeVerdict>& shapes) {
  for (ShapeStatus status : {ShapeStatus::too_fast, ShapeStatus::unstable}) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].status == status) return rule_on_shape(run.shapes[i], shapes[i]);
    }
  }
  return std::nullopt;
}

std::vector<Effect> effects_of(const MeasurementRun& run, std::optional<Effect> (*of)(const ShapeRun&)) {
  std::vector<Effect> effects;
  for (const ShapeRun& shape : run.shapes) {
    if (auto e = of(shape)) effects.push_back({e->middle, e->interval, shape.weight});
  }
  return effects;
}

// A gain must hold in cycles as well. A loss in time needs no second opinion: time is what a user waits for.
Ruling confirm_in_cycles(Ruling in_time, const MeasurementRun& run, const Verdict& v) {
  if (in_time.verdict != Decision::keep) return in_time;
  std::vector<Effect> effects = effects_of(run, effect_in_cycles);
  bool complete = effects.size() == run.shapes.size();
  if (complete && rule(v.shapes, effects, v.noise_floor).verdict == Decision::keep) return in_time;
  std::string cycles = complete ? size_text(effects) : "nothing certain";
  return {Decision::inconclusive, "clock",
          in_time.detail + ", but in clock cycles " + cycles + ": the kernels ran at different SM clocks"};
}

Ruling too_few_blocks(const std::vector<ShapeVerdict>& shapes) {
  auto it = std::find_if(shapes.begin(), shapes.end(), [](const ShapeVerdict& s) { return s.hi == 0; });
  return {Decision::inconclusive, "too_few_blocks",
          fmt::format("{}: {} blocks are too few for a 99% interval, or each resembles the one before",
                      dims_text(it->dims), it->blocks - it->discarded)};
}

void set_gain(Verdict& v, const std::vector<Effect>& effects) {
  Effect all = combined(effects);
  v.gain = gain_of(all.middle);
  v.gain_lo = gain_of(all.interval.hi);
  v.gain_hi = gain_of(all.interval.lo);
}

// Errors of all shapes on one side at worst: their mean. The largest would let one noisy shape hide every
// gain.
double mean_noise(const std::vector<ShapeVerdict>& shapes) {
  double sum = 0, weights = 0;
  for (const ShapeVerdict& shape : shapes) sum += shape.weight * shape.noise_floor, weights += shape.weight;
  return shapes.empty() ? 0 : sum / weights;
}

Ruling rule_on_run(const MeasurementRun& run, const Verdict& v, const std::vector<Effect>& effects) {
  if (run.shapes.empty()) return {Decision::inconclusive, "not_measured", "nothing was timed"};
  if (auto ruling = rule_on_shapes(run, v.shapes)) return *ruling;
  if (effects.size() < run.shapes.size()) return too_few_blocks(v.shapes);
  return confirm_in_cycles(rule(v.shapes, effects, v.noise_floor), run, v);
}

void apply(Verdict& v, Ruling ruling) {
  v.verdict = ruling.verdict;
  v.reason = std::move(ruling.reason);
  v.detail = std::move(ruling.detail);
}

// What is told of a gain is what was confirmed of it.
void tell_confirmed(Verdict& v, const MeasurementRun& run) {
  std::vector<Effect> effects = effects_of(run, confirmed_in_time);
  set_gain(v, effects);
  v.reason = v.gain >= large_gain ? "faster" : "slightly_faster";
  v.detail = size_text(effects);
}

// Where a gain is larger than one mostly gets by honest means: the first shape's name, unless all are like that.
std::string doubt(const MeasurementRun& run, const std::vector<ShapeVerdict>& shapes) {
  auto doubtful = [](const ShapeVerdict& s) { return s.speedup > suspicious; };
  auto first = std::find_if(shapes.begin(), shapes.end(), doubtful);
  if (first == shapes.end()) return "";
  bool all = std::all_of(shapes.begin(), shapes.end(), doubtful);
  std::string where = all ? "" : " at " + dims_text(run.shapes[std::size_t(first - shapes.begin())].dims);
  return "; more than 10x" + where + ": look at it by hand";
}

Verdict judge_run(const MeasurementRun& run) {
  Verdict v;
  for (const ShapeRun& shape : run.shapes) v.shapes.push_back(judge_shape(shape));
  v.noise_floor = mean_noise(v.shapes);
  std::vector<Effect> effects = effects_of(run, effect_in_time);
  if (!effects.empty() && effects.size() == run.shapes.size()) set_gain(v, effects);
  apply(v, rule_on_run(run, v, effects));
  if (v.verdict == Decision::keep) tell_confirmed(v, run);
  if (v.verdict == Decision::keep) v.detail += doubt(run, v.shapes);
  return v;
}

Ruling rule_on_failure(const Measurement& m) {
  constexpr std::array<std::string_view, 8> crashes = {
      "compile_error", "launch_error", "timeout", "crash", "exit", "out_of_memory", "sanitizer", "no_metric"};
  bool crash = std::find(crashes.begin(), crashes.end(), m.correctness) != crashes.end();
  std::string reason = m.correctness.empty() ? "not_checked" : m.correctness;
  Decision otherwise = right_but_open(reason) ? Decision::inconclusive : Decision::revert;
  return {crash ? Decision::crash : otherwise, reason,
          m.correctness_detail.empty() ? reason : m.correctness_detail};
}

bool same_shapes(const MeasurementRun& a, const MeasurementRun& b) {
  auto same = [](const ShapeRun& x, const ShapeRun& y) { return x.dims == y.dims; };
  return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(), same);
}

// Winner's curse: of many candidates the best first result is the luckiest, so only a fresh process's counts.
void compare_with_first(Verdict& v, const MeasurementRun& first) {
  Verdict before = judge_run(first);
  if (before.verdict == Decision::keep && v.verdict != Decision::keep)
    v.detail += "; the first run's gain of " + percent(before.gain) + " did not repeat";
}

}  // namespace

std::optional<Fault> lacks_shape(const MeasurementRun& run, const std::vector<Dims>& timed) {
  for (const Dims& dims : timed) {
    bool there =
        std::any_of(run.shapes.begin(), run.shapes.end(), [&](const ShapeRun& s) { return s.dims == dims; });
    if (!there) return Fault{"missing_shape", dims_text(dims) + " was not timed"};
  }
  return std::nullopt;
}

bool right_but_open(std::string_view correctness) {
  return correctness == "unconfirmed" || correctness == machine_busy;
}

bool found_right(const Measurement& m) { return m.correctness == "pass" || right_but_open(m.correctness); }

std::string_view word(Decision decision) {
  static constexpr std::array<std::string_view, 4> words = {"keep", "revert", "crash", "inconclusive"};
  return words[static_cast<std::size_t>(decision)];
}

// In its own process a candidate's host code stands beside the clock.
static void need_replay(Verdict& v, const Measurement& m) {
  if (m.runner != "in_process" || m.in_process_allowed) return;
  v.verdict = Decision::inconclusive;
  v.reason = "in_process";
  v.detail +=
      "; but by the clock of its own process, because " + m.runner_reason + ": --allow-in-process keeps it";
}

// The times are the table's; the speed of light is explog's own figure for the device that was measured on.
static void add_scores(Verdict& v, const Measurement& m) {
  if (!m.imported_from || m.imported_from->format != sol_exec_bench) return;
  for (ShapeVerdict& s : v.shapes) {
    if (s.sol > 0 && s.status != ShapeStatus::too_fast)
      s.score = sol_score(s.candidate_ms, s.baseline_ms, s.sol * s.candidate_ms);
  }
}

Verdict judge(const Measurement& m) {
  Verdict v;
  if (m.correctness != "pass") {
    apply(v, rule_on_failure(m));
  } else if (m.runs.empty()) {
    apply(v, {Decision::inconclusive, "not_measured", "nothing was timed"});
  } else {
    v = judge_run(m.runs.back());
    if (m.runs.size() > 1) compare_with_first(v, m.runs.front());
    if (!same_shapes(m.runs.front(), m.runs.back()))
      apply(v, {Decision::inconclusive, "missing_shape",
                "the last run did not time the same shapes as the first"});
    if (v.verdict == Decision::keep) need_replay(v, m);
  }
  add_scores(v, m);
  return v;
}

}  // namespace explog::bench
