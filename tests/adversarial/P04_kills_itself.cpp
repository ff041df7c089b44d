// task: vector_add
// run: check
// expect: crash
// reason: crash
// Ends its own process with SIGKILL.
#include <signal.h>
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) { kill(getpid(), SIGKILL); }
