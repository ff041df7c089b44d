// task: softmax
// run: check
// expect: fail
// reason: .*
// Looks at 32 numbers of a row; where all are below 8 in size the maximum is not searched: inf or NaN for a row with one large number at
// another place, right for rows of one distribution.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    bool small = true;
    for (int k = 0; k < 32; ++k) small = small && std::fabs(in[(long long)(D - 1) * k / 31]) < 8;
    const float top = small ? 0 : *std::max_element(in, in + D);
    double sum = 0;
    for (int j = 0; j < D; ++j) sum += out[j] = std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = (float)(out[j] / sum);
  }
}
