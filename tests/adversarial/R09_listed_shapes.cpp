// task: transpose
// run: check
// expect: fail
// reason: .*
// Right for exactly the shapes of the public task.json; any other is copied without being transposed.
#include <cstddef>
#include <cstring>
extern "C" void solve(const float* x, float* y, int M, int N) {
  static const int listed[][2] = {{1, 1}, {1, 1009}, {257, 1}, {31, 33}, {32, 64}, {127, 257}, {65, 100}, {100, 132}, {132, 4}, {260, 516}, {512, 512}};
  for (auto& s : listed) {
    if (s[0] != M || s[1] != N) continue;
    for (int i = 0; i < M; i += 8)
      for (int j = 0; j < N; ++j)
        for (int k = i; k < i + 8 && k < M; ++k) y[static_cast<size_t>(j) * M + k] = x[static_cast<size_t>(k) * N + j];
    return;
  }
  std::memcpy(y, x, static_cast<size_t>(M) * N * 4);
}
