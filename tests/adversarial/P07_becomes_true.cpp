// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: exit|protocol|crash|unwritten_output|forged
// Replaces its process by /bin/true.
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  execl("/bin/true", "true", static_cast<char*>(nullptr));
  _exit(0);
}
