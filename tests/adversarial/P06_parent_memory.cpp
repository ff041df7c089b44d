// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: wrong_values|unwritten_output|crash|nan
// Looks for the answer in the memory of the process above it; zeros when that is refused.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static bool find(const float* want, size_t count, float* z, size_t n) {
  std::string parent = "/proc/" + std::to_string(getppid());
  FILE* maps = std::fopen((parent + "/maps").c_str(), "r");
  int memory = open((parent + "/mem").c_str(), O_RDONLY);
  char line[512], mode[8];
  unsigned long begin, end;
  std::vector<char> bytes(1 << 20);
  while (maps && memory >= 0 && std::fgets(line, sizeof line, maps)) {
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, mode) != 3 || mode[1] != 'w') continue;
    for (unsigned long at = begin; at < end; at += bytes.size() - 64) {
      ssize_t got = pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(at));
      for (ssize_t i = 0; i + static_cast<ssize_t>(count * 4) <= got; i += 4) {
        if (std::memcmp(bytes.data() + i, want, count * 4) != 0) continue;
        return pread(memory, z, n * 4, static_cast<off_t>(at) + i) == static_cast<ssize_t>(n * 4);
      }
    }
  }
  if (maps) std::fclose(maps);
  close(memory);
  return false;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  float want[4] = {};
  size_t count = N < 4 ? static_cast<size_t>(N) : 4;
  for (size_t i = 0; i < count; ++i) want[i] = x[i] + y[i];
  static int searches = 0;  // the first calls only: a search takes long
  if (++searches > 5 || !find(want, count, z, static_cast<size_t>(N))) std::memset(z, 0, sizeof(float) * N);
}
