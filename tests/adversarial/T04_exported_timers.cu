// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right but three times too slow; exports its own cuEventElapsedTime (what the runtime asks) and
// clock_gettime, by which time runs slower.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* t) noexcept {
  int status = static_cast<int>(syscall(SYS_clock_gettime, clock, t));
  long long ns = (t->tv_sec * 1000000000ll + t->tv_nsec) / 8;
  t->tv_sec = ns / 1000000000, t->tv_nsec = ns % 1000000000;
  return status;
}
extern "C" __attribute__((visibility("default"))) int cuEventElapsedTime(float* ms, void*, void*) {
  *ms = 0.004f;
  return 0;
}
extern "C" __attribute__((visibility("default"))) int cuEventElapsedTime_v2(float* ms, void*, void*) {
  *ms = 0.004f;
  return 0;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int repeat = 0; repeat < 3; ++repeat) add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
