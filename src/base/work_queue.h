// Work that several threads take from one queue.
#pragma once
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace explog {

// Items in order, each taken once.
template <class Item>
class WorkQueue {
 public:
  explicit WorkQueue(std::vector<Item> items)
      : items_(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end())) {}

  // Nothing when all are taken.
  std::optional<Item> take() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }
  // What nobody has taken yet is left out.
  void stop() {
    std::lock_guard lock(mutex_);
    items_.clear();
  }

 private:
  std::mutex mutex_;
  std::deque<Item> items_;
};

// Calls body(worker, item) for every item, `workers` at a time and each worker (0, 1, ...) on a thread of its
// own; the first alone runs on the caller's. After an exception no further item is begun; when all have ended
// the first one is thrown again.
template <class Item, class Body>
void work_through(std::vector<Item> items, std::size_t workers, Body&& body) {
  WorkQueue<Item> queue(std::move(items));
  std::exception_ptr failure;
  std::mutex guard;
  auto run = [&](std::size_t worker) {
    try {
      while (auto item = queue.take()) body(worker, *item);
    } catch (...) {
      queue.stop();
      std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 1; worker < workers; ++worker) threads.emplace_back(run, worker);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace explog
