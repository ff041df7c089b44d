// task: vector_add
// run: check
// expect: crash
// reason: crash
// Executes an illegal instruction.
extern "C" void solve(const float*, const float*, float*, int) { __builtin_trap(); }
