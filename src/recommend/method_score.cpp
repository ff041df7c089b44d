#include "recommend/method_score.h"

#include <algorithm>
#include <numeric>

namespace explog::recommend {
namespace {

double mean(const std::vector<double>& values) {
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Mean over a cluster's queries of one figure; those of rankings only where something succeeds.
double cluster_mean(const std::vector<Quality>& qualities, double Quality::*figure, bool needs_success) {
  std::vector<double> values;
  for (const Quality& q : qualities) {
    if (q.has_success || !needs_success) values.push_back(q.*figure);
  }
  return mean(values);
}

std::map<std::string, double> by_cluster(const MethodSums& sums, double Quality::*figure) {
  std::map<std::string, double> means;
  bool needs_success = figure != &Quality::harm1 && figure != &Quality::regret1;
  for (const auto& [cluster, qualities] : sums.by_cluster) {
    bool any =
        std::any_of(qualities.begin(), qualities.end(), [](const Quality& q) { return q.has_success; });
    if (any || !needs_success) means[cluster] = cluster_mean(qualities, figure, needs_success);
  }
  return means;
}

double macro(const MethodSums& sums, double Quality::*figure) {
  std::vector<double> values;
  for (const auto& [cluster, value] : by_cluster(sums, figure)) values.push_back(value);
  return mean(values);
}

}  // namespace

void MethodSums::add_candidate(const std::string& cluster, double probability, bool success) {
  double y = success;
  errors[cluster].push_back((probability - y) * (probability - y));
  p.push_back(probability), happened.push_back(success);
}

MethodScore score_of(const MethodSums& sums, const MethodSums& reference) {
  MethodScore s;
  s.succ1 = macro(sums, &Quality::succ1), s.hit3 = macro(sums, &Quality::hit3);
  s.ndcg5 = macro(sums, &Quality::ndcg5), s.regret1 = macro(sums, &Quality::regret1);
  s.harm1 = macro(sums, &Quality::harm1), s.mrr = macro(sums, &Quality::mrr);
  std::vector<double> errors, differences;
  for (const auto& [cluster, list] : sums.errors) errors.push_back(mean(list));
  s.brier = mean(errors);
  s.ece = calibration_error(sums.p, sums.happened);
  auto theirs = by_cluster(reference, &Quality::ndcg5);
  for (const auto& [cluster, value] : by_cluster(sums, &Quality::ndcg5)) {
    differences.push_back(value - theirs[cluster]);
    s.won += value >= theirs[cluster];
  }
  if (!differences.empty()) s.won /= static_cast<double>(differences.size());
  s.d_ndcg5 = mean(differences);
  auto [lo, hi] = bootstrap_mean(differences);
  s.d_ndcg5_lo = lo, s.d_ndcg5_hi = hi;
  return s;
}

double area(std::vector<std::pair<double, bool>> scored) {
  std::sort(scored.begin(), scored.end());
  double positives = 0, rank_sum = 0;
  for (std::size_t i = 0; i < scored.size();) {
    std::size_t end = i;
    while (end < scored.size() && scored[end].first == scored[i].first) ++end;
    for (std::size_t k = i; k < end; ++k) {
      if (scored[k].second) positives += 1, rank_sum += static_cast<double>(i + end + 1) / 2;
    }
    i = end;
  }
  double negatives = static_cast<double>(scored.size()) - positives;
  if (positives == 0 || negatives == 0) return 0.5;
  return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

}  // namespace explog::recommend
