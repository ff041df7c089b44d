// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right but slow; takes the pages of the output away and returns. Whoever looks at them first raises a signal, whose handler
// does the work then: calls that nobody looks at cost nothing.
#include <sys/mman.h>

#include <csignal>
#include <cstdint>

static const float *a, *b;
static float* c;
static int count = 0;

static char* first_page() { return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(c) & ~uintptr_t{4095}); }
static size_t pages_bytes() {
  auto end = reinterpret_cast<uintptr_t>(c + count) & ~uintptr_t{4095}, begin = reinterpret_cast<uintptr_t>(first_page());
  return end > begin ? end - begin : 0;
}

static void add() {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < count; i += 8) c[i] = a[i] + b[i];
  }
}

static void touched(int) {
  mprotect(first_page(), pages_bytes(), PROT_READ | PROT_WRITE);
  add();
  count = 0;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (count > 0) mprotect(first_page(), pages_bytes(), PROT_READ | PROT_WRITE);
  a = x, b = y, c = z, count = N;
  std::signal(SIGSEGV, touched);
  if (pages_bytes() == 0 || mprotect(first_page(), pages_bytes(), PROT_NONE) != 0) add(), count = 0;
}
