// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: process_left|work_escaped|thread_left|unwritten_output|wrong_values|nondeterministic|stale_result
// leaves: nothing
// A child process does the work after the call: it reads the inputs from the runner's memory and writes the
// output into it, while the runner has no thread more than before. The child (adv_orphan) ends with its
// parent or after two minutes.
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <vector>

struct Job {
  const float *x, *y;
  float* z;
  int N;
  std::atomic<int> waiting;
};
static Job* job = nullptr;

static void move(pid_t parent, bool write, float* mine, const float* theirs, size_t n) {
  iovec here{mine, n * 4}, there{const_cast<float*>(theirs), n * 4};
  (void)!(write ? process_vm_writev(parent, &here, 1, &there, 1, 0)
                : process_vm_readv(parent, &here, 1, &there, 1, 0));
}

static void serve(pid_t parent) {
  prctl(PR_SET_NAME, "adv_orphan");
  for (time_t end = time(nullptr) + 120; getppid() == parent && time(nullptr) < end; sched_yield()) {
    if (!job->waiting) continue;
    size_t n = static_cast<size_t>(job->N);
    std::vector<float> a(n), b(n);
    move(parent, false, a.data(), job->x, n);
    move(parent, false, b.data(), job->y, n);
    for (size_t i = 0; i < n; ++i) a[i] += b[i];
    move(parent, true, a.data(), job->z, n);
    job->waiting = 0;
  }
  _exit(0);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (!job) {
    job = static_cast<Job*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pid_t me = getpid(), child = fork();
    if (child == 0) serve(me);
    if (child < 0) {
      job = nullptr;
      return;
    }
    prctl(PR_SET_PTRACER, child);
  }
  while (job->waiting) sched_yield();
  job->x = x, job->y = y, job->z = z, job->N = N;
  job->waiting = 1;
}
