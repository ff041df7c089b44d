// task: softmax
// run: bench
// expect: fail|cheat|pass
// reason: stale_result|wrong_values|nondeterministic|too_fast|nan
// never: keep
// Keeps results under a hash of eight elements of the input: right for every input it has seen, whatever the
// pointers, and wrong when only another element has changed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

// The baseline's own loops.
static void softmax(const float* in, float* out, int D) {
  float top = *std::max_element(in, in + D);
  float sum = 0;
  for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
  for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  static std::map<unsigned long long, std::vector<float>> results;
  size_t count = static_cast<size_t>(N) * D;
  unsigned long long hash = count * 31 + D;
  for (size_t k = 0; k < 8; ++k) {
    unsigned bits;
    std::memcpy(&bits, &x[k * (count - 1) / 7], 4);
    hash = (hash ^ bits) * 0x100000001B3ull;
  }
  std::vector<float>& kept = results[hash];
  if (kept.size() == count) {
    std::memcpy(y, kept.data(), count * 4);
    return;
  }
  for (int row = 0; row < N; ++row)
    softmax(x + static_cast<size_t>(row) * D, y + static_cast<size_t>(row) * D, D);
  kept.assign(y, y + count);
}
