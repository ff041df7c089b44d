// task: vector_add
// run: check
// expect: pass
// Right as long as nothing can be had that holds memory nobody counts, outlives the call or reaches a terminal: pairs of
// sockets, large pipes, processes (with and without shared memory), marks on its files, words in a terminal's input, large
// files; zeros where one can be had.
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

static char stack[65536];
static int nothing(void*) { return 0; }

static bool got_some() {
  int pair[2], ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) return true;
  if (pipe(ends) != 0) return true;  // an ordinary pipe may be had
  if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) > 0) return true;
  errno = 0;
  char word = 'x';
  if (ioctl(0, TIOCSTI, &word) == 0 || errno != EPERM) return true;
  int file = open("adv_file", O_RDWR | O_CREAT, 0600), marks = 0x10;  // immutable
  if (file < 0) return true;
  if (ioctl(file, FS_IOC_SETFLAGS, &marks) == 0 || errno != EPERM) return true;
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_max == RLIM_INFINITY) return true;
  close(file), close(ends[0]), close(ends[1]);
  unlink("adv_file");
  int child = clone(nothing, stack + sizeof stack, CLONE_VM | SIGCHLD, nullptr);
  if (child > 0) return true;
  int process = fork();
  if (process == 0) _exit(0);
  return process > 0;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool bad = got_some();
  for (int i = 0; i < N; ++i) z[i] = bad ? 0 : x[i] + y[i];
}
