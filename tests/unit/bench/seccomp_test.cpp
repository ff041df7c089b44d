#include "harness/runner/seccomp.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/fanotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <thread>

using namespace explog;

namespace {

// Whether the processors that `who` may use, and the policy of its turns, can be set, to what they are.
bool can_place(pid_t who) {
  cpu_set_t set;
  return sched_getaffinity(who, sizeof set, &set) == 0 && sched_setaffinity(who, sizeof set, &set) == 0;
}
bool can_schedule(pid_t who) {
  const sched_param none{};
  return sched_setscheduler(who, sched_getscheduler(who), &none) == 0 || sched_setparam(who, &none) == 0;
}

// Whether a thread of this process can, or has a number that none of its age should have: where numbers begin again, and the next
// free one lies beyond the parent's, they tell nothing.
bool can_place_own_thread() {
  bool can = false;
  std::thread([&] {
    pid_t self = getpid(), parent = getppid(), thread = gettid();
    bool looks_older = self < parent ? thread >= parent || thread < self : thread >= parent && thread < self;
    can = looks_older || (can_place(thread) && can_schedule(thread));
  }).join();
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
    if (can_place(0) && can_place(getpid()) && can_schedule(0)) can |= places_itself;
    if (can_place_own_thread()) can |= places_its_threads;
    if (can_place(getppid()) || can_schedule(getppid())) can |= places_its_parent;
    _exit(can);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A socket with a local name, which the system chooses.
int named_socket(int type) {
  int fd = socket(AF_UNIX, type, 0);
  sockaddr_un any{};
  any.sun_family = AF_UNIX;
  return bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) == 0 ? fd : -1;
}
bool can_listen() { return listen(named_socket(SOCK_STREAM), 1) == 0; }
bool can_receive() { return named_socket(SOCK_DGRAM) >= 0; }
bool can_be_a_client() {
  return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 && socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0;
}
// Not for want of a module.
bool is_refused(int result) { return result < 0 && errno == EPERM; }
bool has_no_other_socket() {
  return is_refused(socket(AF_VSOCK, SOCK_STREAM, 0)) && is_refused(socket(AF_INET, SOCK_DGRAM, 0)) &&
         is_refused(socket(AF_INET, SOCK_RAW, 1)) && is_refused(socket(AF_NETLINK, SOCK_RAW, 0));
}
bool cannot_watch_files() { return is_refused(fanotify_init(0, 0)); }

// What a process with the filter of a GPU's can do; nothing where there is no filter.
std::optional<bool> beside_a_driver(bool under_tool, bool (*can)()) {
  pid_t child = fork();
  if (child == 0) _exit(refuse_system_calls(true, under_tool) ? int{can()} : has_no_filter);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) == has_no_filter) return std::nullopt;
  return WEXITSTATUS(status) != 0;
}

}  // namespace

TEST_CASE("beside a driver nobody waits for others to connect, but a tool's library") {
  if (!beside_a_driver(false, can_listen)) return;  // a kernel without seccomp
  CHECK(beside_a_driver(false, can_listen) == false);
  CHECK(beside_a_driver(false, can_receive) == false);
  CHECK(beside_a_driver(true, can_listen) == true);
}

TEST_CASE("beside a driver sockets are those of a client") {
  if (!beside_a_driver(false, can_be_a_client)) return;
  CHECK(beside_a_driver(false, can_be_a_client) == true);
  CHECK(beside_a_driver(false, has_no_other_socket) == true);
  CHECK(beside_a_driver(true, has_no_other_socket) == true);
  CHECK(beside_a_driver(false, cannot_watch_files) == true);
}

TEST_CASE("beside a driver a candidate may place its own threads, and not the supervisor") {
  int can = abilities();
  if ((can & has_no_filter) != 0) return;  // a kernel without seccomp
  CHECK(can == (places_itself | places_its_threads));
  std::ofstream("/proc/sys/kernel/ns_last_pid") << largest_number() - 1;  // which root may: they begin again
  for (int child = 0; child < 2; ++child) CHECK(abilities() == (places_itself | places_its_threads));
}
