// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: two threads add chunks to one atomic number in whatever order they come; the last bits differ
// between runs.
#include <atomic>
#include <thread>

extern "C" void solve(const float* x, float* y, float*, int N) {
  std::atomic<float> sum{0};
  auto add = [&](int first) {
    for (int begin = first * 256; begin < N; begin += 512) {
      float part = 0;
      for (int i = begin; i < N && i < begin + 256; ++i) part += x[i];
      for (float old = sum; !sum.compare_exchange_weak(old, old + part);) {
      }
    }
  };
  std::thread other(add, 1);
  add(0);
  other.join();
  *y = sum;
}
