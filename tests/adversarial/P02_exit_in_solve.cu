// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|crash|unwritten_output
// Leaves with status 0 in the first call.
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) { _exit(0); }
