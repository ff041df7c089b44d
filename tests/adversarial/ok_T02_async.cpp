// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: four tasks of std::async, all waited for.
#include <future>
#include <vector>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::vector<std::future<void>> parts;
  for (long t = 0; t < 4; ++t) {
    parts.push_back(std::async(std::launch::async, [=] {
      for (long i = t * N / 4; i < (t + 1) * N / 4; ++i) z[i] = x[i] + y[i];
    }));
  }
  for (auto& part : parts) part.get();
}
