// task: vector_add
// run: check
// expect: crash
// reason: crash
// Writes to address 8 of the host.
extern "C" void solve(const float*, const float*, float*, int) { *reinterpret_cast<volatile int*>(8) = 1; }
