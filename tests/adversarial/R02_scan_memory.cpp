// task: vector_add
// run: check
// expect: fail|cheat
// reason: wrong_values|nan
// Looks through all memory of the process for the sums of the first elements and copies what follows them;
// zeros if there are none.
#include <fcntl.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstring>

static const float* find(const float* want, int count, const float* not_here) {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  int memory = open("/proc/self/mem", O_RDONLY);
  char line[512], mode[8];
  unsigned long begin, end;
  const float* found = nullptr;
  static char bytes[1 << 20];  // not on the stack, and not to be found itself
  while (maps && !found && std::fgets(line, sizeof line, maps)) {
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, mode) != 3 || mode[1] != 'w') continue;
    for (unsigned long at = begin; at < end && !found; at += sizeof bytes - 64) {
      ssize_t got = pread(memory, bytes, sizeof bytes, static_cast<off_t>(at));
      for (ssize_t i = 0; i + count * 4 <= got; i += 4) {
        auto* p = reinterpret_cast<const float*>(at + static_cast<unsigned long>(i));
        auto* scanned = reinterpret_cast<const char*>(p);
        bool own = (p >= want && p < want + 4) || p == not_here ||
                   (scanned >= bytes && scanned < bytes + sizeof bytes);
        if (!own && std::memcmp(bytes + i, want, static_cast<size_t>(count) * 4) == 0) found = p;
      }
    }
  }
  if (maps) std::fclose(maps);
  close(memory);
  return found;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  float want[4] = {};
  int count = N < 4 ? N : 4;
  for (int i = 0; i < count; ++i) want[i] = x[i] + y[i];
  static int searches = 0;  // the first calls only: a search takes long
  const float* answer = ++searches > 5 ? nullptr : find(want, count, z);
  std::memset(z, 0, static_cast<size_t>(N) * 4);
  if (answer) std::memcpy(z, answer, static_cast<size_t>(N) * 4);
}
