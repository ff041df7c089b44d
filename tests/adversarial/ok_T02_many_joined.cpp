// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: many short threads, all joined before the call returns; some are still on their way out of /proc
// then.
#include <thread>
#include <vector>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  constexpr int parts = 48;
  std::vector<std::thread> threads;
  for (int part = 0; part < parts; ++part) {
    threads.emplace_back([=] {
      for (long i = static_cast<long>(N) * part / parts; i < static_cast<long>(N) * (part + 1) / parts; ++i)
        z[i] = x[i] + y[i];
    });
  }
  for (std::thread& thread : threads) thread.join();
}
