// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|crash|nan
// The worker starts in a constructor, before the harness can count threads for the first time, and works
// after return.
#include <atomic>
#include <thread>

static const float *from_x, *from_y;
static float* to;
static int length;
static std::atomic<int> waiting{0};

static void work() {
  for (;;) {
    while (!waiting.load()) std::this_thread::yield();
    for (int i = 0; i < length; ++i) to[i] = from_x[i] + from_y[i];
    waiting = 0;
  }
}
__attribute__((constructor)) static void start() { std::thread(work).detach(); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  while (waiting.load()) std::this_thread::yield();
  from_x = x, from_y = y, to = z, length = N;
  waiting = 1;
}
