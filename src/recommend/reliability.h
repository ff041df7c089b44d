// Do changes that are given 70% succeed in 70% of cases? Measured on the database's own records, with a curve
// that corrects the probabilities when they do not.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "model/playbook.h"
#include "recommend/replay.h"

namespace explog::recommend {

// The probability a record's strategy was given, and whether it succeeded.
struct Forecast {
  double p = 0;
  bool success = false;
};

// The newest `newest` records (oldest first in `records`), each forecast from those before it: the evidence
// is renewed every `newest`/10 records. Without recalibration.
std::vector<Forecast> forecasts(const std::vector<Dated>& records, const Playbook& playbook,
                                std::size_t newest = 500);

// p -> 1 / (1 + exp(-(a + b logit p))) (Platt 1999). The order of strategies stays as it is: b > 0.
struct Recalibration {
  double a = 0, b = 1;
  double operator()(double p) const;
};

struct Reliability {
  struct Bin {  // of p, a tenth wide
    std::size_t n = 0, success = 0;
    double mean_p = 0;
  };
  std::array<Bin, 10> bins;
  std::size_t n = 0;
  double brier = 0, base_brier = 0;  // of the probabilities, and of the one rate of all of them
  double ece = 0;                    // expected calibration error, calibration_error()
  // The logistic curve through them; nothing for fewer than 100 outcomes, or where success and probability
  // have nothing to do with each other.
  std::optional<Recalibration> fit;
  double fitted_ece = 0;  // each half under the curve through the other half
};
Reliability reliability(const std::vector<Forecast>& outcomes);

constexpr double tolerable_ece = 0.05;

// A recalibration is worth it: the error is above 0.05 and the curve lowers it on records it was not fitted
// to.
bool needs_recalibration(const Reliability& r);

}  // namespace explog::recommend
