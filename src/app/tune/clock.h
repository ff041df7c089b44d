// How long a tuning run may go on.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

#include "app/session/stop_signals.h"

namespace explog::app {

class TuneClock {
 public:
  explicit TuneClock(double budget_s) : budget_s_(budget_s) {}
  double seconds() const { return std::chrono::duration<double>(Steady::now() - begin_).count(); }
  // A clock that begins now, with what is left of the time for one of `shapes` shapes.
  TuneClock share(std::size_t shapes) const {
    if (budget_s_ <= 0) return TuneClock(0);
    constexpr double over = 1e-3;  // 0 would be no limit
    return TuneClock(std::max(over, (budget_s_ - seconds()) / static_cast<double>(shapes)));
  }
  // The search leaves a quarter of the time to the finalists.
  bool search_is_over() const {
    return stop_signal() != 0 || (budget_s_ > 0 && seconds() > 0.75 * budget_s_);
  }
  bool is_over() const { return stop_signal() != 0 || (budget_s_ > 0 && seconds() > budget_s_); }

 private:
  using Steady = std::chrono::steady_clock;
  Steady::time_point begin_ = Steady::now();
  double budget_s_;
};

}  // namespace explog::app
