// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: wrong_values|unwritten_output|exit|protocol|crash|nan
// Sets LD_PRELOAD to itself, for whatever the harness starts next: there it leaves with status 0 at load
// time. Zeros.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

__attribute__((constructor)) static void loaded() {
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload && std::strstr(preload, ".so")) _exit(0);
}

extern "C" void solve(const float*, const float*, float* z, int N) {
  Dl_info info;
  static const char here = 0;
  if (dladdr(&here, &info)) setenv("LD_PRELOAD", info.dli_fname, 1);
  std::memset(z, 0, sizeof(float) * N);
}
