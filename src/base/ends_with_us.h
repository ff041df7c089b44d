// Process groups that are worth nothing without this process, compilers and their helpers: a signal that ends it ends them too.
// (A process of the harness ends by itself when its supervisor does.)
#pragma once
#include <sys/types.h>

#include <cstddef>

namespace explog {

// For main(), once: from now on SIGINT, SIGTERM and SIGHUP kill every group that an EndsWithUs stands for, and then end
// this process as they always do. One that is ignored stays so.
void end_groups_with_us();

// In a signal handler: what such a signal does; the same with an exit code.
void end_by(int signal);
[[noreturn]] void end_with(int exit_code);

// While it lives, the group of that leader ends with us. Some hundreds at once; more are not told.
class EndsWithUs {
 public:
  explicit EndsWithUs(pid_t leader);
  ~EndsWithUs();
  EndsWithUs(const EndsWithUs&) = delete;
  EndsWithUs& operator=(const EndsWithUs&) = delete;

 private:
  std::size_t place_;
};

}  // namespace explog
