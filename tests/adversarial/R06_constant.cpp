// task: reduction
// run: check
// expect: fail
// reason: wrong_values|signature|nan
// Answers 0, what the sum of symmetric inputs is near to.
extern "C" void solve(const float*, float* y, float*, int) { *y = 0; }
