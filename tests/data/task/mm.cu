extern "C" void solve(const __half* A, const __half* __restrict__ B, float* C, int M, int N, int K);
