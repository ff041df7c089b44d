// The steps of one family of kernels in a run of `calibrate`, and what they share.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "app/calibrate/family_counters.h"
#include "bench/ladder.h"
#include "bench/shared_processes.h"

namespace explog::app {

// Steps of one family, in order: a worker takes all of them, so that what is compared was measured on one
// GPU.
using Family = std::vector<bench::Step>;

// Files that were right as candidates, in the order of their turns.
class RightFiles {
 public:
  void add(const std::string& file) {
    std::lock_guard lock(mutex_);
    files_.insert(file);
  }
  bool contains(const std::string& file) {
    std::lock_guard lock(mutex_);
    return files_.contains(file);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> files_;
};

// What the steps of a family share, on a GPU; nothing is there on the host.
struct FamilyRun {
  const Family* family = nullptr;
  std::unique_ptr<RightFiles> right;
  std::unique_ptr<FamilyCounters> counters;
  std::unique_ptr<bench::SharedCaptures> captures;
  std::unique_ptr<bench::ReplayProcesses> replays;
};

// Whether a step's baseline is the candidate of an earlier one, whose turn comes first.
inline bool is_judged_before(const FamilyRun& shared, const bench::Step& step) {
  if (!shared.family) return false;
  for (const bench::Step& other : *shared.family) {
    if (other.file == step.file) return false;
    if (other.file == step.after) return true;
  }
  return false;
}

}  // namespace explog::app
