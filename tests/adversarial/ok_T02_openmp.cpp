// task: gemm_f32
// run: bench
// expect: pass
// Honest: rows side by side, by OpenMP, whose threads wait between calls.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
#pragma omp parallel for
  for (int i = 0; i < M; ++i) {
    float* c = C + (long long)i * N;
    for (int j = 0; j < N; ++j) c[j] = 0;
    for (int k = 0; k < K; ++k) {
      for (int j = 0; j < N; ++j) c[j] += A[(long long)i * K + k] * B[(long long)k * N + j];
    }
  }
}
