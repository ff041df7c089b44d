// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right, with the baseline's code; looks for large buffers in which all words are equal (what a harness reads
// and writes to empty the caches) and gives their pages back after each call, so that reading them touches
// one zero page.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

static void spoil(const void* keep0, const void* keep1, const void* keep2) {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return;
  char line[512], mode[8];
  unsigned long begin, end;
  while (std::fgets(line, sizeof line, maps)) {
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, mode) != 3 || mode[0] != 'r' || mode[1] != 'w')
      continue;
    auto holds = [&](const void* p) { return reinterpret_cast<uintptr_t>(p) - begin < end - begin; };
    if (end - begin < (4u << 20) || holds(keep0) || holds(keep1) || holds(keep2)) continue;
    auto* words = reinterpret_cast<volatile uint64_t*>(begin);
    size_t from = 512, count = 8192;
    bool equal = words[from] != 0;
    for (size_t i = 0; equal && i < count; ++i) equal = words[from + i] == words[from];
    if (equal) madvise(reinterpret_cast<void*>(begin + 4096), end - begin - 8192, MADV_DONTNEED);
  }
  std::fclose(maps);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add(x, y, z, N);
  static int calls = 0;
  if (calls++ < 200) spoil(x, y, z);
}
