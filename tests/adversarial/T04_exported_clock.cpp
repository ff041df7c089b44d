// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right but three times too slow; exports its own clock_gettime, in which time runs eight times slower.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

extern "C" int clock_gettime(clockid_t clock, timespec* t) noexcept {
  int status = static_cast<int>(syscall(SYS_clock_gettime, clock, t));
  long long ns = (t->tv_sec * 1000000000ll + t->tv_nsec) / 8;
  t->tv_sec = ns / 1000000000, t->tv_nsec = ns % 1000000000;
  return status;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    add(x, y, z, N);
    asm volatile("" ::: "memory");
  }
}
