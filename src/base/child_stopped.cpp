// A child that is stopped: nothing of it runs, and its memory holds still.
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>
#include <utility>

#include "base/child.h"

namespace explog {
namespace {

using Steady = std::chrono::steady_clock;
using Move = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

// Long moves come in parts.
bool move_all(Move move, pid_t process, char* here, std::uint64_t there, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    iovec mine{here + done, bytes - done}, theirs{reinterpret_cast<void*>(there + done), bytes - done};
    ssize_t moved = move(process, &mine, 1, &theirs, 1, 0);
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

// Looked for again and again, because the wait of the system knows no time limit and a time that is measured may end here.
bool Child::stop() {
  constexpr std::chrono::milliseconds soon(2), late(10'000);
  if (stopped_ || pid_ <= 0) return true;
  kill(pid_, SIGSTOP);
  for (auto start = Steady::now(); Steady::now() - start < late;) {
    siginfo_t seen{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) != 0 ||
        seen.si_pid != 0)
      return stopped_ = true;
    if (Steady::now() - start < soon)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return false;
}

void Child::resume() {
  if (std::exchange(stopped_, false) && pid_ > 0) kill(pid_, SIGCONT);
}

// Asked of the system itself: a library that moves the time of day for a process (libfaketime) moves this clock as well.
double Child::cpu_ms() const {
  clockid_t clock = 0;
  timespec t{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || syscall(SYS_clock_gettime, clock, &t) != 0)
    return 0;  // it has ended
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

bool Child::read_memory(std::uint64_t from, char* to, std::size_t bytes) const {
  return move_all(process_vm_readv, pid_, to, from, bytes);
}

bool Child::write_memory(std::uint64_t to, const char* from, std::size_t bytes) const {
  return move_all(process_vm_writev, pid_, const_cast<char*>(from), to, bytes);
}

}  // namespace explog
