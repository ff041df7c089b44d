// task: vector_add
// run: check
// expect: pass|crash
// reason: .*
// keeps: files
// Right; appends to its own shared object, found with dladdr.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  Dl_info info;
  static const char here = 0;
  if (!dladdr(&here, &info)) return;
  int fd = open(info.dli_fname, O_WRONLY | O_APPEND);
  if (fd >= 0 && write(fd, "changed", 7) == 7) fsync(fd);
  if (fd >= 0) close(fd);
}
