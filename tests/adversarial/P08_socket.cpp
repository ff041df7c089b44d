// task: vector_add
// run: check
// expect: pass|fail|cheat|crash
// reason: .*
// leaves: nothing
// Right; opens a listening socket on the loop-back address and leaves a daemon (adv_orphan) behind that
// accepts there.
#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  static int listener = -1;
  if (listener >= 0) return;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  if (listen(listener, 1) != 0) return;
  if (fork() != 0) return;
  setsid();
  prctl(PR_SET_NAME, "adv_orphan");
  alarm(120);
  for (;;) close(accept(listener, nullptr, nullptr));
}
