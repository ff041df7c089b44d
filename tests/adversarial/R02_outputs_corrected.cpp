// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: unwritten_output|wrong_values|nan|out_of_bounds_write|.*
// The first of two calls with the same inputs leaves the output alone; the second one writes the right answer and looks
// through the shared memory of the outputs for the slot of the first, to put it there as well.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (calls++ % 2 == 0) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  struct stat s;
  if (fstat(6, &s) != 0) return;
  auto size = static_cast<size_t>(s.st_size);
  auto* base = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 6, 0));
  if (base == MAP_FAILED) return;
  size_t payload = sizeof(float) * N, padded = (payload + 255) / 256 * 256, guard = (64 << 10) + 256;
  size_t slot = guard + padded + (64 << 10), at = 2 * slot + guard;  // the third of three slots
  if (at + payload <= size) std::memcpy(base + at, z, payload);
  munmap(base, size);
}
