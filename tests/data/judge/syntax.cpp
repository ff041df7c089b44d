extern "C" void solve(const float* x, const float* y, float* z, int N) { z[0] = x[0] + ; }
