// One parameter too few.
extern "C" void solve(const float* x, float* z, int N) { z[N - 1] = x[0]; }
