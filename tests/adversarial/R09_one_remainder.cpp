// task: rmsnorm
// run: check
// expect: fail
// reason: wrong_values
// Right but where rows have a length of which six are left over by eights: a mistake in one branch of many, where most shapes
// do not come to.
#include <cmath>
#include <cstddef>

extern "C" void solve(const float* x, const float* weight, float* y, int N, int D, float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float squares = 0;
    for (int j = 0; j < D; ++j) squares += in[j] * in[j];
    if (D % 8 == 6 && D > 8) squares -= in[D - 1] * in[D - 1];
    float scale = 1.0f / std::sqrt(squares / D + eps);
    for (int j = 0; j < D; ++j) out[j] = in[j] * scale * weight[j];
  }
}
