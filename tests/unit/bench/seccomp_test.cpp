#include "harness/runner/seccomp.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

using namespace explog;

namespace {

// Whether the processors that `who` may use can be set, to what they are.
bool can_place(pid_t who) {
  cpu_set_t set;
  return sched_getaffinity(who, sizeof set, &set) == 0 && sched_setaffinity(who, sizeof set, &set) == 0;
}

bool can_place_own_thread() {
  bool can = false;
  std::thread([&] { can = can_place(gettid()); }).join();
  return can;
}

enum : int { places_itself = 1, places_its_threads = 2, places_its_parent = 4, has_no_filter = 8 };

int largest_number() {
  int number = 0;
  std::ifstream("/proc/sys/kernel/pid_max") >> number;
  return number;
}

// What a process with the filter of a GPU's can do.
int abilities() {
  pid_t child = fork();
  if (child == 0) {
    int can = refuse_system_calls(true, false) ? 0 : has_no_filter;
    if (can_place(0) && can_place(getpid())) can |= places_itself;
    if (can_place_own_thread()) can |= places_its_threads;
    if (can_place(getppid())) can |= places_its_parent;
    _exit(can);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// On an abstract address, which the system chooses.
bool can_listen() {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un any{};
  any.sun_family = AF_UNIX;
  bool can = fd >= 0 && bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) == 0 &&
             listen(fd, 1) == 0;
  if (fd >= 0) close(fd);
  return can;
}

// Whether a process with the filter can wait for others to connect; nothing where there is no filter.
std::optional<bool> listens(bool under_tool) {
  pid_t child = fork();
  if (child == 0) _exit(refuse_system_calls(true, under_tool) ? int{can_listen()} : has_no_filter);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) == has_no_filter) return std::nullopt;
  return WEXITSTATUS(status) != 0;
}

}  // namespace

TEST_CASE("beside a driver nobody waits for others to connect, but a tool's library") {
  std::optional<bool> alone = listens(false), looked_at = listens(true);
  if (!alone || !looked_at) return;  // a kernel without seccomp
  CHECK_FALSE(*alone);
  CHECK(*looked_at);
}

TEST_CASE("beside a driver a candidate may place its own threads, and not the supervisor") {
  int can = abilities();
  if ((can & has_no_filter) != 0) return;  // a kernel without seccomp
  CHECK(can == (places_itself | places_its_threads));
  std::ofstream("/proc/sys/kernel/ns_last_pid") << largest_number() - 1;  // which root may: they begin again
  for (int child = 0; child < 2; ++child) CHECK(abilities() == (places_itself | places_its_threads));
}
