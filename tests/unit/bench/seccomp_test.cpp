#include "harness/runner/seccomp.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
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
    int can = refuse_system_calls(true) ? 0 : has_no_filter;
    if (can_place(0) && can_place(getpid())) can |= places_itself;
    if (can_place_own_thread()) can |= places_its_threads;
    if (can_place(getppid())) can |= places_its_parent;
    _exit(can);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("beside a driver a candidate may place its own threads, and not the supervisor") {
  int can = abilities();
  if ((can & has_no_filter) != 0) return;  // a kernel without seccomp
  CHECK(can == (places_itself | places_its_threads));
  std::ofstream("/proc/sys/kernel/ns_last_pid") << largest_number() - 1;  // which root may: they begin again
  for (int child = 0; child < 2; ++child) CHECK(abilities() == (places_itself | places_its_threads));
}
