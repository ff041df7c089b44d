// task: gemm_f32
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|stale_result|nan
// Adds into a static workspace that was cleared when it was made and never again: the first call of each size
// is right.
#include <cstring>
#include <map>
#include <vector>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::map<size_t, std::vector<float>> rooms;
  size_t m = M, n = N, k = K;
  std::vector<float>& room = rooms[m * n];
  room.resize(m * n);
  for (size_t i = 0; i < m; ++i)
    for (size_t q = 0; q < k; ++q)
      for (size_t j = 0; j < n; ++j) room[i * n + j] += A[i * k + q] * B[q * n + j];
  std::memcpy(C, room.data(), m * n * 4);
}
