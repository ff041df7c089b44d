// Running a child program.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace explog {

// Full path of a program on $PATH, or nothing.
std::optional<std::string> find_program(const std::string& name);

// One word of a command for /bin/sh.
std::string shell_quoted(const std::string& text);

struct Finished {
  int status = 0;      // exit status; 128 + signal when a signal ended it
  std::string output;  // standard output and error, at most 1 MiB
  bool timed_out = false;
};

// Runs argv[0] (a path) without a shell, in a process group of its own that is killed at the time limit, and with us (base/ends_with_us.h).
// `memory` bounds the address space of each of its processes, in bytes; 0: none. Throws Error(unavailable) when it
// cannot be started.
Finished run_program(const std::vector<std::string>& argv, int timeout_ms, std::size_t memory = 0);

}  // namespace explog
