#include "recommend/beta.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace explog;

TEST_CASE("beta quantiles agree with known values") {
  CHECK(recommend::beta_cdf(0.5, 2, 2) == doctest::Approx(0.5));
  CHECK(recommend::beta_cdf(0.3, 1, 1) == doctest::Approx(0.3));
  CHECK(recommend::beta_cdf(0.2, 2, 5) == doctest::Approx(0.34464));  // 1 - 0.8^6 - 6 x 0.2 x 0.8^5
  CHECK(recommend::beta_quantile(0.9, 1, 3) == doctest::Approx(1 - std::cbrt(0.1)));
  for (double p : {0.01, 0.5, 0.99})
    CHECK(recommend::beta_cdf(recommend::beta_quantile(p, 3.5, 12), 3.5, 12) == doctest::Approx(p));
}

TEST_CASE("beta quantiles lie where halving finds them, from lopsided to narrow distributions") {
  for (double a : {0.02, 0.3, 1.0, 3.5, 60.0, 4000.0}) {
    for (double b : {0.02, 0.3, 1.0, 12.0, 900.0}) {
      for (double p : {0.005, 0.1, 0.5, 0.9, 0.995}) {
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(p);
        double lo = 0, hi = 1;
        for (int i = 0; i < 60; ++i) {
          double middle = (lo + hi) / 2;
          (recommend::beta_cdf(middle, a, b) < p ? lo : hi) = middle;
        }
        CHECK(std::abs(recommend::beta_quantile(p, a, b) - lo) < 2e-12);
      }
    }
  }
}
