#include "recommend/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace explog::recommend {
namespace {

double discounted(const std::vector<double>& gains) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, gains.size()); ++i)
    sum += gains[i] / std::log2(static_cast<double>(i) + 2);
  return sum;
}

// splitmix64 (Steele, Lea, Flood 2014): resampling must not depend on a library's generator.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Quality quality_of(const std::vector<Realised>& ranked) {
  Quality q;
  std::vector<double> gains;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    gains.push_back(std::max(0.0, ranked[i].log2_gain));
    if (!ranked[i].success) continue;
    if (!q.has_success) q.mrr = 1 / static_cast<double>(i + 1);
    q.has_success = true;
    if (i == 0) q.succ1 = 1;
    if (i < 3) q.hit3 = 1;
  }
  if (ranked.empty()) return q;
  std::vector<double> best = gains;
  std::sort(best.rbegin(), best.rend());
  if (discounted(best) > 0) q.ndcg5 = discounted(gains) / discounted(best);
  q.regret1 = 1 - std::exp2(gains[0] - best[0]);
  q.harm1 = ranked[0].failure ? 1 : 0;
  return q;
}

double calibration_error(const std::vector<double>& p, const std::vector<bool>& happened) {
  std::array<double, 10> gap{};
  for (std::size_t i = 0; i < p.size(); ++i)
    gap[static_cast<std::size_t>(std::clamp(p[i] * 10, 0.0, 9.0))] += p[i] - (happened[i] ? 1 : 0);
  double sum = 0;
  for (double g : gap) sum += std::abs(g);
  return p.empty() ? 0 : sum / static_cast<double>(p.size());
}

std::array<double, 2> wilson_interval(double k, double n) {
  if (n <= 0) return {0, 1};
  double z = 1.959964, p = k / n;
  double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

std::array<double, 2> bootstrap_mean(const std::vector<double>& differences, int rounds) {
  if (differences.empty()) return {0, 0};
  std::uint64_t state = 1;
  std::vector<double> means;
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i)
      sum += differences[next_random(state) % differences.size()];
    means.push_back(sum / static_cast<double>(differences.size()));
  }
  std::sort(means.begin(), means.end());
  auto at = [&](double share) { return means[static_cast<std::size_t>(share * (rounds - 1))]; };
  return {at(0.025), at(0.975)};
}

}  // namespace explog::recommend
