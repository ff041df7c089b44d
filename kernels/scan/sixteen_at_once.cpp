// strategy: increase_ilp
// after: naive.cpp
// predicts: 0-60%: sums within 16 neighbours do not wait for the running sum, but four additions replace one
//
// Sixteen elements are scanned by four steps of doubling distance, which vector units do side by side; the
// running sum is added last and waits once for each sixteen.
namespace {
constexpr int lanes = 16;
}

extern "C" void solve(const int* x, int* y, int* /*work*/, int N) {
  int sum = 0;
  const int whole = N / lanes * lanes;
  for (int i = 0; i < whole; i += lanes) {
    int part[2 * lanes] = {};  // zeros in front, so that every lane does the same
    int* own = part + lanes;
    for (int l = 0; l < lanes; ++l) own[l] = x[i + l];
    for (int distance = 1; distance < lanes; distance *= 2) {
      int next[lanes];
      for (int l = 0; l < lanes; ++l) next[l] = own[l] + own[l - distance];
      for (int l = 0; l < lanes; ++l) own[l] = next[l];
    }
    for (int l = 0; l < lanes; ++l) y[i + l] = sum + own[l];
    sum += own[lanes - 1];
  }
  for (int i = whole; i < N; ++i) y[i] = sum += x[i];
}
