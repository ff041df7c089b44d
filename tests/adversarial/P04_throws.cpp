// task: vector_add
// run: check
// expect: crash|fail
// reason: crash|exit|launch_error|unwritten_output
// Throws an exception that nobody expects.
#include <stdexcept>

extern "C" void solve(const float*, const float*, float*, int) { throw std::runtime_error("PASS"); }
