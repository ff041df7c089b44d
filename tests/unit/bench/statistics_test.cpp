#include "bench/judge/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace explog;

namespace {

struct Row {
  std::size_t n, rank95, rank99;  // 0: too small
};

// Sums of 12 uniforms: unlike std::normal_distribution, the same on every platform.
std::vector<double> normals(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() >> 11) * 0x1p-53;
    values.push_back(sum);
  }
  return values;
}

double coverage(std::size_t n, std::size_t j) {
  double sum = 0;
  for (std::size_t i = j; i <= n - j; ++i) {
    auto k = static_cast<double>(i), all = static_cast<double>(n);
    sum +=
        std::exp(std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1) - all * std::log(2.0));
  }
  return sum;
}

}  // namespace

TEST_CASE("the median of an even and an odd number of values, of one and of none") {
  CHECK(bench::median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(bench::median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  CHECK(bench::median(std::vector<double>{7}) == 7);
  CHECK(bench::median({}) == 0);
}

TEST_CASE("ranks of the median's interval agree with the published table") {
  const std::vector<Row> table = {{6, 1, 0},    {8, 1, 1},     {10, 2, 1},    {15, 4, 3},
                                  {20, 6, 4},   {30, 10, 8},   {40, 14, 12},  {50, 18, 16},
                                  {75, 29, 26}, {100, 40, 37}, {200, 86, 82}, {500, 228, 221}};
  for (const Row& row : table) {
    CAPTURE(row.n);
    CHECK(bench::median_rank(row.n, 0.95).value_or(0) == row.rank95);
    CHECK(bench::median_rank(row.n, 0.99).value_or(0) == row.rank99);
  }
  for (std::size_t n : {0u, 1u, 5u}) CHECK_FALSE(bench::median_rank(n, 0.95));
  CHECK_FALSE(bench::median_rank(7, 0.99));
}

TEST_CASE("a rank is the largest that reaches the level, and the approximation takes over without a step") {
  for (double level : {0.95, 0.99}) {
    for (std::size_t n : {9u, 21u, 68u, 153u, 400u}) {
      std::size_t j = bench::median_rank(n, level).value();
      CHECK(coverage(n, j) >= level);
      CHECK(coverage(n, j + 1) < level);
    }
    std::size_t exact = bench::median_rank(1000, level).value(),
                beyond = bench::median_rank(1001, level).value();
    CHECK(beyond >= exact - 1);
    CHECK(beyond <= exact + 1);
  }
}

TEST_CASE("ties give an interval of their value, too few values none") {
  std::vector<double> same(20, 1.5);
  CHECK(bench::autocorrelation(same) == 0);
  const std::vector<double> rounded(20, std::log(0.75));  // whose mean is not quite itself
  CHECK(bench::autocorrelation(rounded) == 0);
  CHECK(bench::median_interval(rounded, 0.99)->lo == rounded[0]);
  auto interval = bench::median_interval(same, 0.99);
  REQUIRE(interval);
  CHECK(interval->lo == 1.5);
  CHECK(interval->hi == 1.5);
  CHECK_FALSE(bench::median_interval(std::vector<double>(7, 1.0), 0.99));
}

TEST_CASE("without autocorrelation the interval is the exact rank's, in any case no narrower") {
  std::vector<double> alternating;
  for (int i = 0; i < 20; ++i) alternating.push_back(i % 2 == 0 ? i : -i);
  CHECK(bench::autocorrelation(alternating) < 0);
  auto interval = bench::median_interval(alternating, 0.99);
  REQUIRE(interval);
  CHECK(interval->lo == -13);  // 4th of -19, -17, ..., 16, 18
  CHECK(interval->hi == 12);
}

TEST_CASE("a trend widens the interval or leaves none") {
  std::vector<double> trend;
  for (int i = 0; i < 40; ++i) trend.push_back(i);
  CHECK(bench::autocorrelation(trend) > 0.9);
  CHECK_FALSE(bench::median_interval(trend, 0.99));
  std::vector<double> noise = normals(153, 1), slow;
  double state = 0;
  for (double v : noise) slow.push_back(state = 0.5 * state + v);
  auto wide = bench::median_interval(slow, 0.99);
  REQUIRE(wide);
  std::size_t below = 0;
  for (double v : slow) below += v < wide->lo;
  CHECK(below + 1 < bench::median_rank(slow.size(), 0.99).value());
}

TEST_CASE("one outlier does not hide autocorrelation") {
  std::vector<double> slow;
  double state = 0;
  for (double v : normals(100, 2)) slow.push_back(state = 0.7 * state + v);
  slow[50] = 1000;
  CHECK(bench::autocorrelation(slow) > 0.4);
}

TEST_CASE("the Theil-Sen slope ignores a few wild values") {
  std::vector<double> line;
  for (int i = 0; i < 30; ++i) line.push_back(2 + 0.25 * i);
  line[3] = 900;
  line[20] = -900;
  CHECK(bench::theil_sen(line) == doctest::Approx(0.25));
  CHECK(bench::theil_sen({}) == 0);
  CHECK(bench::theil_sen(std::vector<double>{1}) == 0);
}

TEST_CASE("outliers are counted by the modified z-score") {
  std::vector<double> values = normals(100, 3);
  CHECK(bench::outliers(values) == 0);
  values[10] = 50;
  values[90] = -50;
  CHECK(bench::outliers(values) == 2);
  std::vector<double> coarse(10, 1.0);
  coarse[0] = 1.032;  // one tick of the clock
  CHECK(bench::outliers(coarse) == 0);
}
