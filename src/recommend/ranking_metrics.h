// How good a ranking was, once it is known what each candidate really did.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace explog::recommend {

// One candidate as it turned out, in the order of the ranking.
struct Realised {
  bool success = false, failure = false;
  double log2_gain = 0;  // of the speed-up; 0 when it did not run
};

// Of one query. Where nothing succeeds, a ranking cannot be good or bad: `has_success` is false and only
// harm1 means something.
struct Quality {
  bool has_success = false;
  double succ1 = 0;  // the first succeeds
  double hit3 = 0;   // one of the first three does
  // Gain max(0, log2 speed-up), discount log2(rank + 1), over the best order (Järvelin 2002).
  double ndcg5 = 0;
  double regret1 = 0;  // 1 - speed-up of the first (at least 1) / the best speed-up
  double harm1 = 0;    // the first is slower or does not run
  double mrr = 0;      // 1 / rank of the first success
};
Quality quality_of(const std::vector<Realised>& ranked);

// Expected calibration error over ten bins of equal width: sum over bins of |sum p - sum y| / n.
double calibration_error(const std::vector<double>& p, const std::vector<bool>& happened);

// Wilson's 95% score interval of the rate k / n (Wilson 1927); all of 0..1 for n = 0.
std::array<double, 2> wilson_interval(double k, double n);

// 95% interval of the mean of `differences` by `rounds` resamplings of them (Efron's percentile bootstrap;
// one difference a cluster). The same numbers give the same interval.
std::array<double, 2> bootstrap_mean(const std::vector<double>& differences, int rounds = 2000);

}  // namespace explog::recommend
