#include "app/calibrate/sweep_result.h"

#include <algorithm>

#include "bench/judge/statistics.h"
#include "model/vocabulary.h"

namespace explog::app {

using namespace bench;

void SweepResult::add(const SweepWork& work, const Measured& all) {
  std::vector<double> noises, baselines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]) continue;
    ++measured;
    auto time = quick_time(*all[i]);
    if (!time && failed++ == 0) first_failure = settings_text(work.settings(i)) + ": " + all[i]->correctness;
    if (!time) continue;
    noises.push_back(time->noise);
    baselines.push_back(median(all[i]->runs[0].shapes[0].blocks[0].passes[0].ms));
    if (best_ms == 0 || time->ms < best_ms) best_ms = time->ms, best = settings_text(work.settings(i));
  }
  if (baselines.empty()) return;
  noise = median(noises);
  baseline_ms = median(baselines);
  auto [least, most] = std::minmax_element(baselines.begin(), baselines.end());
  drift = *most / *least - 1;
}

void SweepResult::add(const std::vector<Experience>& changes) {
  records = changes.size();
  for (const Experience& e : changes) {
    StrategyShare& share = shares[e.strategy];
    bool success = e.outcome == Outcome::success, neutral = e.outcome == Outcome::neutral;
    ++(success ? share.success : neutral ? share.neutral : share.failure);
    if (e.speedup) share.speedups.push_back(*e.speedup);
  }
}

}  // namespace explog::app
