// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// Sleeps for an hour on the host.
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  for (unsigned left = 3600; left > 0;) left = sleep(left);
}
