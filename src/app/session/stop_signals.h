// Work that ends in good order when it is asked to.
#pragma once
#include <csignal>

#include "base/error.h"

namespace explog::app {

// Turns SIGINT and SIGTERM into a request to stop, while it lives; a second one kills as usual.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

// SIGINT or SIGTERM once it came, 0 before.
int stop_signal();
// With what a command ends that one of them stopped.
Exit exit_of_signal(int signal);

// While it lives, SIGTERM ends this process and those that end with it at once, with the exit code for "told to end". For
// work that is on disk, step by step. `says`, a line that outlives it, is told the user then, and at SIGINT, which ends all
// as it always does.
class EndsPreempted {
 public:
  explicit EndsPreempted(const char* says = "");
  ~EndsPreempted();
  EndsPreempted(const EndsPreempted&) = delete;
  EndsPreempted& operator=(const EndsPreempted&) = delete;

 private:
  struct sigaction terminate_ {
  }, interrupt_{};
};

}  // namespace explog::app
