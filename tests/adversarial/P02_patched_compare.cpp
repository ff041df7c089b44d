// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: .*
// Exports memcmp, memcpy, write and send so that they might take the place of the runner's: comparisons
// always agree. Writes zeros.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

extern "C" int memcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" int bcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" ssize_t write(int fd, const void* data, size_t size) { return syscall(SYS_write, fd, data, size); }

extern "C" void solve(const float*, const float*, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = 0;
}
