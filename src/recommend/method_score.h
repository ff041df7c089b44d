// What a backtest adds up for one method of ranking, and the figures that come of it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "recommend/ranking_metrics.h"

namespace explog::recommend {

// Means over clusters (kernel and GPU) of the means over their queries; brier, ece over candidates.
struct MethodScore {
  std::string name;
  bool has_probability = true;
  double succ1 = 0, hit3 = 0, ndcg5 = 0, regret1 = 0, harm1 = 0, mrr = 0, brier = 0, ece = 0;
  double d_ndcg5 = 0, d_ndcg5_lo = 0, d_ndcg5_hi = 0;  // against the rate per family, by cluster bootstrap
  double won = 0;                                      // share of clusters with at least its NDCG@5
};

struct MethodSums {
  std::map<std::string, std::vector<Quality>> by_cluster;  // of each query
  std::map<std::string, std::vector<double>> errors;       // squared, of each candidate
  std::vector<double> p;                                   // of each candidate
  std::vector<bool> happened;

  void add_candidate(const std::string& cluster, double probability, bool success);
};

// All but name and has_probability.
MethodScore score_of(const MethodSums& sums, const MethodSums& reference);

// Area under the ROC curve by ranks (Mann and Whitney 1947), ties counting half: (p, happened) of each.
double area(std::vector<std::pair<double, bool>> scored);

}  // namespace explog::recommend
