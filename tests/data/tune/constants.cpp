// Adds two vectors a chunk at a time; nobody declared the size of a chunk.
constexpr int CHUNK = 64;

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int at = 0; at < N; at += CHUNK)
    for (int i = at; i < N && i < at + CHUNK; ++i) z[i] = x[i] + y[i];
}
