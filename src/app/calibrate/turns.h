// Pieces of work that get ready beside each other and then have the device one after the other.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace explog::app {

class Turns {
 public:
  explicit Turns(std::size_t all) : states_(all, State::busy) {}
  std::size_t size() const { return states_.size(); }

  // Returns when nobody is busy any more and all with a lower number have ended; at once where that was so before.
  void wait(std::size_t number) {
    std::unique_lock lock(mutex_);
    states_[number] = State::ready;
    changed_.notify_all();
    changed_.wait(lock, [&] {
      auto own = states_.begin() + static_cast<std::ptrdiff_t>(number);
      return std::find(states_.begin(), states_.end(), State::busy) == states_.end() &&
             std::find(states_.begin(), own, State::ready) == own;
    });
  }
  // Returns when nobody needs the device any more.
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return std::all_of(states_.begin(), states_.end(), [](State s) { return s == State::ended; });
    });
  }
  // Needs the device no more, if it ever did.
  void end(std::size_t number) {
    std::lock_guard lock(mutex_);
    states_[number] = State::ended;
    changed_.notify_all();
  }

 private:
  enum class State { busy, ready, ended };
  std::vector<State> states_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

// Ends a turn however its work ends, where that was not done before.
class Turn {
 public:
  Turn(Turns& turns, std::size_t number) : turns_(turns), number_(number) {}
  ~Turn() { turns_.end(number_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  void wait() { turns_.wait(number_); }
  void end() { turns_.end(number_); }
  bool alone() const { return turns_.size() == 1; }

 private:
  Turns& turns_;
  std::size_t number_;
};

}  // namespace explog::app
