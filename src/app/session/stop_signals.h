// Work that ends in good order when it is asked to.
#pragma once
#include <csignal>

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

}  // namespace explog::app
