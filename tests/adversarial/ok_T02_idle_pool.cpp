// task: vector_add
// run: bench
// expect: pass
// shape: N=262144
// Honest: a pool of two threads is made once and sleeps between calls; each call waits until all of its work is done.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static const float *a, *b;
static float* c;
static int count = 0, job = 0, left = 0;

static void work(int part) {
  for (int seen = 0;;) {
    std::unique_lock lock(guard);
    changed.wait(lock, [&] { return job != seen; });
    seen = job;
    int begin = part * (count / 2), end = part == 0 ? count / 2 : count;
    lock.unlock();
    for (int i = begin; i < end; ++i) c[i] = a[i] + b[i];
    lock.lock();
    if (--left == 0) changed.notify_all();
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool made = [] {
    for (int part : {0, 1}) std::thread(work, part).detach();
    return true;
  }();
  std::unique_lock lock(guard);
  a = x, b = y, c = z, count = N, left = made ? 2 : 0, ++job;
  changed.notify_all();
  changed.wait(lock, [] { return left == 0; });
}
