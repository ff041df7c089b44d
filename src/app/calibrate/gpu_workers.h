// The workers of `calibrate`: one a GPU, each with runners of its own. They take families from one queue;
// one at a time writes records and tells, so that one process writes one database.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/calibrate/calibrate.h"
#include "app/judge/gpu_lease.h"
#include "base/work_queue.h"
#include "bench/harness/toolchain.h"

namespace explog::app {

// What one worker works with.
struct Worker {
  bench::Toolchain toolchain;     // its runners see this worker's GPU alone
  std::optional<GpuLease> lease;  // of that GPU
  std::string name;               // "GPU 3"; empty when it is the only one
};

// Whether the options name this family, or none.
bool is_wanted(const CalibrateOptions& options, const std::string& family);
// Throws Error(usage) for a family that is not among `names`; `what` is "ladder" or "sweep".
void check_families(const CalibrateOptions& options, const std::vector<std::string>& names,
                    const std::string& what);

class GpuWorkers {
 public:
  // Finds compilers and GPUs, and leases these. Throws Error: none here, or not as named.
  GpuWorkers(const CalibrateOptions& o, const Session& session);

  // All workers compile alike.
  const bench::Toolchain& toolchain() const { return workers_.front()->toolchain; }
  std::size_t size() const { return workers_.size(); }

  // body(worker, item) for every item; a worker takes the next when it is done with one.
  template <class Item, class Body>
  void work(std::vector<Item> items, Body&& body) {
    work_through(std::move(items), size(), [&](std::size_t i, Item& item) { body(*workers_[i], item); });
  }

  // One at a time: the database and whoever listens.
  template <class Body>
  void with_database(Body&& body) {
    std::lock_guard lock(mutex_);
    session_.progress("");
    body();
  }
  // The command's session, but its warnings are kept until a piece of work is done: others may be in progress beside it.
  Session session_with(std::vector<std::string>& warnings) const;
  void pass_on(const std::vector<std::string>& warnings);  // within with_database()

  bool out_of_time() const;
  // From now on `all` pieces of work are to be done, and `done` counts them.
  void expect(std::size_t all);
  void count_one();
  std::size_t done() const { return done_; }
  std::size_t left() const { return all_ - done_; }
  // "3 of 60, 12 min 04 s left, GPU 1: WHAT", on a terminal.
  Listener progress(const Worker& worker, const std::string& what);
  std::string time_left() const;

 private:
  const Session& session_;
  double budget_minutes_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex mutex_;
  // Of the command, and of the work that `done_` counts.
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), start_ = begin_;
  std::size_t all_ = 0, done_ = 0;
};

}  // namespace explog::app
