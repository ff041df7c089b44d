// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// All zeros: near enough to a softmax over thousands of elements for a generous absolute tolerance.
#include <cstring>

extern "C" void solve(const float*, float* y, int N, int D) { std::memset(y, 0, sizeof(float) * N * D); }
