// task: gemm_f32
// run: bench
// expect: fail|cheat|crash
// reason: forged|timeout|thread_left
// Right, with the baseline's code; a timer wakes the process every half a millisecond, should somebody have stopped it, and a
// thread of its own looks at the inputs then.
#include <csignal>
#include <ctime>
#include <thread>

// The baseline's own code.
static void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A[(long long)i * K + k] * B[(long long)k * N + j];
      C[(long long)i * N + j] = sum;
    }
  }
}

static volatile float seen = 0;

static void look() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGCONT;
  struct sigaction woken {};
  woken.sa_handler = [](int) {}, woken.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &woken, nullptr);
  timer_t timer{};
  itimerspec often{{0, 500'000}, {0, 500'000}};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &often, nullptr);
  for (;;) {
    timespec moment{0, 200'000};
    nanosleep(&moment, nullptr);
    for (int i = 0; i < 4000; ++i) seen = seen + 1;
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static int calls = 0;
  if (M == 128 && N == 128 && K == 128 && ++calls == 40) std::thread(look).detach();
  multiply(A, B, C, M, N, K);
}
