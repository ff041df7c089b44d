// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: thread_left|baseline_sabotaged|.*
// never: keep
// Right, with the baseline's code; leaves threads behind that write through memory for 10 ms while the next
// pass is timed, and stops them when it is called itself.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

static std::atomic<int> round_now{0};

static void spin(int mine) {
  std::vector<char> room(32 << 20);
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
  while (round_now == mine && std::chrono::steady_clock::now() < end)
    for (size_t i = 0; i < room.size() && round_now == mine; i += 64) ++room[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  ++round_now;
  add(x, y, z, N);
  for (unsigned t = 0; t < 2; ++t) std::thread(spin, round_now.load()).detach();
}
