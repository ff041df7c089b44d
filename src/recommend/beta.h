// The Beta distribution, for intervals of success rates.
#pragma once

namespace explog::recommend {

// Regularised incomplete beta function I_x(a, b), a > 0, b > 0, 0 <= x <= 1, to about 1e-12.
// Continued fraction by Lentz's method: DLMF 8.17.22.
double beta_cdf(double x, double a, double b);
// The x with I_x(a, b) = p.
double beta_quantile(double p, double a, double b);

}  // namespace explog::recommend
