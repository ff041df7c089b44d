// softmax(q k^T / sqrt(D)) v of each query and head, whose D columns lie beside those of the other heads. The task multiplies
// Q by 16, so that scores exceed 88 and an exp without the maximum overflows.
#include <vector>

#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t N = p.dim("N"), columns = p.dim("d_model"), D = columns / p.dim("num_heads");
  const real scale = real(1) / sqrt(real(double(D)));
  std::vector<real> score(N);
  std::vector<double> size(N), spread(D);
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t head = row * D % columns;
    const real* q = p.in("Q") + row * D;
    const real* keys = p.in("K") + head;
    const real* values = p.in("V") + head;
    real* o = p.out("output") + row * D;
    double* magnitude = p.magnitude("output") + row * D;
    real top = 0;
    for (std::int64_t j = 0; j < N; ++j) {
      real dot = 0;
      size[j] = 0;
      for (std::int64_t d : terms(D)) {
        const real product = q[d] * keys[j * columns + d];
        dot += product;
        size[j] += std::abs(double(product)) * double(scale);
      }
      score[j] = dot * scale;
      if (j == 0 || score[j] > top) top = score[j];
    }
    real sum = 0;
    for (std::int64_t d = 0; d < D; ++d) o[d] = 0;
    for (std::int64_t j : terms(N)) {
      const real weight = exp(score[j] - top);
      sum += weight;
      for (std::int64_t d = 0; d < D; ++d) o[d] += weight * values[j * columns + d];
    }
    for (std::int64_t d = 0; d < D; ++d) o[d] /= sum;
    // A score is off by u times `size` (its products) and its distance from the top; exp makes that a
    // relative error of its weight, in the numerator (with v) and in the denominator (with o). The 4: as in
    // softmax.
    double shared = 0;
    for (std::int64_t d = 0; d < D; ++d) spread[d] = 0;
    for (std::int64_t j = 0; j < N; ++j) {
      const double distance = double(top) - double(score[j]);
      const double weight = std::exp(-distance) / double(sum);
      shared += weight * (distance + size[j]);
      for (std::int64_t d = 0; d < D; ++d) {
        spread[d] += weight * std::abs(double(values[j * columns + d])) * (4 + distance + size[j]);
      }
    }
    for (std::int64_t d = 0; d < D; ++d) magnitude[d] = spread[d] + std::abs(double(o[d])) * shared;
  }
}

}  // namespace explog
