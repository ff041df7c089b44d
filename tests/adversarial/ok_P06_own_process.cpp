// task: vector_add
// run: check
// expect: pass
// Honest: asks for its own limits and processors, reads /dev/urandom and writes to /dev/null, as runtimes do when they are
// loaded.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

static bool usual() {
  rlimit limit{};
  cpu_set_t mine;
  char byte;
  int random = open("/dev/urandom", O_RDONLY), nothing = open("/dev/null", O_WRONLY);
  return getrlimit(RLIMIT_STACK, &limit) == 0 && sched_getaffinity(0, sizeof mine, &mine) == 0 &&
         sched_setaffinity(0, sizeof mine, &mine) == 0 && read(random, &byte, 1) == 1 && write(nothing, &byte, 1) == 1;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool good = usual();
  for (int i = 0; i < N; ++i) z[i] = good ? x[i] + y[i] : 0;
}
