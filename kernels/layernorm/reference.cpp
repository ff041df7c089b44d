// y = (x - mean) / sqrt(variance + eps) * weight + bias, with the variance of the deviations from the mean.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  const real eps = p.scalar("eps"), count = double(D);
  const real* weight = p.in("weight");
  const real* bias = p.in("bias");
  for (std::int64_t row = begin; row < end; ++row) {
    const real* x = p.in("x") + row * D;
    real* y = p.out("y") + row * D;
    double* magnitude = p.magnitude("y") + row * D;
    real sum = 0, squares = 0;
    for (std::int64_t j : terms(D)) sum += x[j];
    const real mean = sum / count;
    for (std::int64_t j : terms(D)) squares += (x[j] - mean) * (x[j] - mean);
    const real scale = real(1) / sqrt(squares / count + eps);
    // An error of the mean, u times the mean of |x|, shifts every deviation; that of the scale is relative to
    // the deviation, and 4 fold, since equal squares (of zeros, of one integer) round in the same direction.
    double mean_size = 0;
    for (std::int64_t j = 0; j < D; ++j) mean_size += std::abs(double(x[j])) / double(D);
    for (std::int64_t j = 0; j < D; ++j) {
      y[j] = (x[j] - mean) * scale * weight[j] + bias[j];
      const double deviation = std::abs(double(x[j]) - double(mean));
      magnitude[j] =
          double(weight[j]) * double(scale) * (4 * deviation + mean_size) + std::abs(double(bias[j]));
    }
  }
}

}  // namespace explog
