// task: vector_add
// run: check
// expect: crash|fail|pass
// reason: crash|timeout|out_of_memory|exit|unwritten_output
// Asks for 64 GiB of address space in 1 GiB blocks and touches one page in a thousand; a limit may refuse it.
#include <cstdlib>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool done = false;
  for (int block = 0; !done && block < 64; ++block) {
    auto* room = static_cast<volatile char*>(std::malloc(size_t{1} << 30));
    for (size_t i = 0; room && i < size_t{1} << 30; i += size_t{4096} * 1000) room[i] = 1;
  }
  done = true;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
