// task: vector_add
// run: check
// expect: crash
// reason: crash
// Writes to address 8.
extern "C" void solve(const float*, const float*, float*, int) { *reinterpret_cast<volatile int*>(8) = 1; }
