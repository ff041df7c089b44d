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

}  // namespace explog::app
