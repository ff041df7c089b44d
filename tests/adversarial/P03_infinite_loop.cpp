// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// Never returns.
extern "C" void solve(const float*, const float*, float*, int) {
  for (volatile int i = 0;; ++i) {
  }
}
