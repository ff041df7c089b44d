// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|stale_result|nan|protocol|crash|forged
// Hands its work to a thread that goes on after the return; a filter of its own lets every look into a folder fail.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>

static std::atomic<bool> busy{false};

static void blind() {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getdents64, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{4, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool done = (blind(), true);
  while (!done || busy) std::this_thread::yield();
  busy = true;
  std::thread([=] {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
    busy = false;
  }).detach();
}
