// Hands values from one thread to another; a few may wait.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace explog {

template <typename T>
class Channel {
 public:
  explicit Channel(std::size_t depth) : depth_(depth) {}
  // Waits for room; false when nobody takes any more.
  bool push(T value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < depth_ || closed_; });
    if (closed_) return false;
    waiting_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }
  // Waits for a value; nothing when `patience` has passed, or when it is closed and empty.
  std::optional<T> pop(std::chrono::milliseconds patience = std::chrono::hours(1'000)) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) return std::nullopt;
    T value = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return value;
  }
  // Whether pop() would wait now.
  bool empty() {
    std::lock_guard lock(mutex_);
    return waiting_.empty();
  }
  // Whether pop() has nothing to give any more.
  bool at_end() {
    std::lock_guard lock(mutex_);
    return closed_ && waiting_.empty();
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::size_t depth_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> waiting_;
  bool closed_ = false;
};

}  // namespace explog
