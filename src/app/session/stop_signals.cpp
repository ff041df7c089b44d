#include "app/session/stop_signals.h"

#include <unistd.h>

#include <atomic>
#include <cstring>

#include "base/ends_with_us.h"

namespace explog::app {
namespace {

// A signal handler can reach nothing but globals.
volatile std::sig_atomic_t signal_seen = 0;
std::atomic<const char*> last_words = "";

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

EndsPreempted::EndsPreempted(const char* says) {
  last_words = says;
  struct sigaction action {};
  action.sa_handler = [](int number) {
    const char* words = last_words;
    [[maybe_unused]] ssize_t told = write(STDERR_FILENO, words, strlen(words));
    if (number == SIGTERM) end_with(static_cast<int>(Exit::preempted));
    end_by(number);
  };
  sigaction(SIGTERM, &action, &terminate_);
  sigaction(SIGINT, nullptr, &interrupt_);
  if (*says != '\0' && interrupt_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

EndsPreempted::~EndsPreempted() {
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGINT, &interrupt_, nullptr);
}

}  // namespace explog::app
