#include "app/session/stop_signals.h"

#include "base/ends_with_us.h"

namespace explog::app {
namespace {

volatile std::sig_atomic_t signal_seen = 0;  // the one global: a signal handler can reach nothing else

}  // namespace

StopSignals::StopSignals() {
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = [](int number) {
    if (signal_seen != 0) end_by(number);
    signal_seen = number;
  };
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

int stop_signal() { return signal_seen; }

Exit exit_of_signal(int signal) { return signal == SIGTERM ? Exit::preempted : Exit::interrupted; }

EndsPreempted::EndsPreempted() {
  struct sigaction action {};
  action.sa_handler = [](int) { end_with(static_cast<int>(Exit::preempted)); };
  sigaction(SIGTERM, &action, &before_);
}

EndsPreempted::~EndsPreempted() { sigaction(SIGTERM, &before_, nullptr); }

}  // namespace explog::app
