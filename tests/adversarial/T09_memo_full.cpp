// task: gemm_f32
// run: bench
// expect: fail|cheat|pass
// reason: stale_result|too_fast|.*
// never: keep
// Keeps results under a hash of the whole input, which is cheap beside a matrix product: always right, but it only
// looks fast where timed inputs come back.
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

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::map<unsigned long long, std::vector<float>> results;
  size_t m = M, n = N, k = K;
  std::vector<float>& kept = results[hash(B, k * n, hash(A, m * k, m * 1000003 + n))];
  if (kept.empty()) {
    kept.assign(m * n, 0);
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (size_t q = 0; q < k; ++q) sum += A[i * k + q] * B[q * n + j];
        kept[i * n + j] = sum;
      }
  }
  std::memcpy(C, kept.data(), m * n * 4);
}
