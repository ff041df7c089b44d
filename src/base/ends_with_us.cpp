#include "base/ends_with_us.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace explog {
namespace {

// What a handler may touch: no lock, no memory of the heap.
constexpr std::size_t most = 512;
std::array<std::atomic<pid_t>, most> leaders;  // 0: free
static_assert(std::atomic<pid_t>::is_always_lock_free);

std::size_t place_for(pid_t leader) {
  for (std::size_t place = 0; place < most; ++place) {
    pid_t free = 0;
    if (leaders[place].compare_exchange_strong(free, leader)) return place;
  }
  return most;
}

void end_groups() {
  for (std::atomic<pid_t>& each : leaders) {
    if (pid_t leader = each.load(); leader > 0) kill(-leader, SIGKILL);
  }
}

}  // namespace

void end_with(int exit_code) {
  end_groups();
  _exit(exit_code);
}

void end_by(int signal) {
  end_groups();
  std::signal(signal, SIG_DFL);
  sigset_t it;
  sigemptyset(&it);
  sigaddset(&it, signal);
  pthread_sigmask(SIG_UNBLOCK, &it, nullptr);  // its own handler holds it back
  raise(signal);
}

void end_groups_with_us() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, end_by) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

EndsWithUs::EndsWithUs(pid_t leader) : place_(place_for(leader)) {}

EndsWithUs::~EndsWithUs() {
  if (place_ < most) leaders[place_].store(0);
}

}  // namespace explog
