// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|stale_result|nan|forged
// The pool gets no more than it does in a tenth of a millisecond after the return, less than threads that fall asleep may take.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static const float *a, *b;
static float* c;
static int from = 0, count = 0;
static bool waiting = false;

static void work() {
  for (;;) {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return waiting; });
    for (int i = from; i < count; ++i) c[i] = a[i] + b[i];
    waiting = false;
    changed.notify_all();
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::thread* pool = new std::thread(work);
  (void)pool;
  int mine = N > 60000 ? N - 60000 : 0;
  for (int i = 0; i < mine; ++i) z[i] = x[i] + y[i];
  {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return !waiting; });
    a = x, b = y, c = z, from = mine, count = N, waiting = true;
  }
  changed.notify_all();
}
