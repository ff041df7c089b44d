// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|stale_result|nan|forged
// A pool that sleeps between calls, as honest ones do; but a call returns when half of its work is done, and the pool
// does the rest after it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static const float *a, *b;
static float* c;
static int count = 0;
static bool waiting = false;

static void work() {
  for (;;) {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return waiting; });
    for (int i = count / 2; i < count; ++i) c[i] = a[i] + b[i];
    waiting = false;
    changed.notify_all();
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::thread* pool = new std::thread(work);
  (void)pool;
  {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return !waiting; });
    a = x, b = y, c = z, count = N, waiting = true;
  }
  changed.notify_all();
  for (int i = 0; i < N / 2; ++i) z[i] = x[i] + y[i];
}
