// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|stale_result|nan|protocol|crash|forged
// Hands its work to a thread that goes on after the return, and takes the process the right to open anything, so that
// nobody in it can look its threads up.
#include <sys/resource.h>

#include <atomic>
#include <thread>

static std::atomic<bool> busy{false};

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  rlimit none{0, 0};
  setrlimit(RLIMIT_NOFILE, &none);
  while (busy) std::this_thread::yield();
  busy = true;
  std::thread([=] {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
    busy = false;
  }).detach();
}
