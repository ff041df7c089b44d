// task: gemm_f32
// run: check
// expect: fail|cheat
// reason: wrong_values|stale_result|nondeterministic|unwritten_output|nan
// Packs B (transposed) in the first call that sees its address and multiplies with the old packing ever
// after.
#include <cstddef>
#include <map>
#include <vector>

static std::map<const float*, std::vector<float>> packed;

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  std::vector<float>& T = packed[B];
  if (T.size() != static_cast<size_t>(N) * K) {
    T.resize(static_cast<size_t>(N) * K);
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < N; ++j) T[static_cast<size_t>(j) * K + k] = B[static_cast<size_t>(k) * N + j];
  }
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[static_cast<size_t>(i) * K + k] * T[static_cast<size_t>(j) * K + k];
      C[static_cast<size_t>(i) * N + j] = sum;
    }
  }
}
