// The workers of `calibrate`: one a GPU, each with runners of its own. They take families from one queue;
// records and output pass one desk, so that one process writes one database.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "base/work_queue.h"
#include "bench/check.h"
#include "cli/calibrate.h"

namespace explog::cli {

// What one worker works with.
struct Worker {
  bench::Toolchain toolchain;  // its runners see this worker's GPU alone
  std::string name;            // "GPU 3"; empty when it is the only one
  std::ostringstream said;     // warnings of work in progress, when others work beside it
};

class Crew {
 public:
  // Finds compilers and GPUs. Throws Error: none here, or not as named.
  Crew(const CalibrateOptions& o, Context& context);

  // All workers compile alike.
  const bench::Toolchain& toolchain() const { return workers_.front()->toolchain; }
  std::size_t size() const { return workers_.size(); }

  // body(worker, item) for every item; a worker takes the next when it is done with one.
  template <class Item, class Body>
  void work(std::vector<Item> items, Body&& body) {
    work_through(std::move(items), size(), [&](std::size_t i, Item& item) { body(*workers_[i], item); });
  }

  // One at a time: the database and the output.
  template <class Body>
  void at_desk(Body&& body) {
    std::lock_guard lock(desk_);
    clear();
    body();
  }
  // A context whose warnings come out whole: the command's own where one works alone.
  Context context_of(Worker& worker);
  void pass_on_warnings(Worker& worker);  // at the desk

  bool out_of_time() const;
  // From now on `all` pieces of work are to be done, and `done` counts them.
  void expect(std::size_t all);
  void count_one();
  std::size_t done() const { return done_; }
  std::size_t left() const { return all_ - done_; }
  // "3 of 60, 12 min 04 s left, GPU 1: WHAT", on a terminal.
  bench::Progress progress(const Worker& worker, const std::string& what);
  std::string time_left() const;

 private:
  void clear();
  Context& context_;
  double budget_minutes_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex desk_;
  bench::Progress show_;
  // Of the command, and of the work that `done_` counts.
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), start_ = begin_;
  std::size_t all_ = 0, done_ = 0;
};

}  // namespace explog::cli
