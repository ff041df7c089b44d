#include "recommend/beta.h"

#include <cmath>
#include <initializer_list>

namespace explog::recommend {
namespace {

// DLMF 8.17.22: the continued fraction behind I_x(a, b), good for x < (a + 1) / (a + b + 2).
double fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double h = d;
  for (int m = 1; m <= 500; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (double term : {even, odd}) {
      d = 1 + term * d;
      c = 1 + term / c;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      if (std::abs(c) < tiny) c = tiny;
      step = c * d;
      h *= step;
    }
    if (std::abs(step - 1) < 1e-13) break;
  }
  return h;
}

double cdf(double x, double a, double b, double log_beta) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front = std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta);
  return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
}

double log_beta_function(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

}  // namespace

double beta_cdf(double x, double a, double b) { return cdf(x, a, b, log_beta_function(a, b)); }

double beta_quantile(double p, double a, double b) {
  double log_beta = log_beta_function(a, b);
  double lo = 0, hi = 1, x = a / (a + b);
  for (int i = 0; i < 60 && hi - lo > 1e-12; ++i) {
    double above = cdf(x, a, b, log_beta) - p;
    (above < 0 ? lo : hi) = x;
    // Newton's step where it stays between the bounds, which halving then narrows all the same.
    double density = std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - log_beta);
    double next = x - above / density;
    if (std::abs(next - x) < 1e-13) return next;
    x = next > lo && next < hi ? next : (lo + hi) / 2;
  }
  return x;
}

}  // namespace explog::recommend
