// Attention with several heads, each a slice of the columns.
#include <algorithm>
#include <cmath>
#include <vector>

extern "C" void solve(float* Q, float* K, float* V, float* out, int N, int width, int heads) {
  const int size = width / heads;
  const float scale = 1.0f / std::sqrt(static_cast<float>(size));
  std::vector<float> score(N);
  for (int row = 0; row < N * heads; ++row) {
    const int first = row / heads * width + row % heads * size, column = row % heads * size;
    float top = -INFINITY;
    for (int j = 0; j < N; ++j) {
      float dot = 0;
      for (int d = 0; d < size; ++d) dot += Q[first + d] * K[j * width + column + d];
      score[j] = dot * scale;
      top = std::max(top, score[j]);
    }
    float sum = 0;
    for (int j = 0; j < N; ++j) sum += score[j] = std::exp(score[j] - top);
    for (int d = 0; d < size; ++d) {
      float result = 0;
      for (int j = 0; j < N; ++j) result += score[j] * V[j * width + column + d];
      out[first + d] = result / sum;
    }
  }
}
