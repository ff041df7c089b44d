// Says that a worker lives, in a thread of its own, and notices what others did with its item meanwhile.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/launch/plan_folder.h"

namespace explog::app {

class PlanHeart {
 public:
  PlanHeart(const PlanFolder& folder, std::string worker);
  ~PlanHeart();
  PlanHeart(const PlanHeart&) = delete;
  PlanHeart& operator=(const PlanHeart&) = delete;

  // From now on every beat also calls `keep`, which may fail, and looks whether the attempt is still the last one.
  void begin(const launch::Item& item, int attempt, std::function<void()> keep);
  void end();
  bool lost() const { return lost_; }  // somebody took the item over, or it is done

 private:
  void run(const std::stop_token& stop);
  void beat();
  const PlanFolder& folder_;
  std::string worker_, run_id_;
  std::uint64_t count_ = 0;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  const launch::Item* item_ = nullptr;
  int attempt_ = 0;
  std::function<void()> keep_;
  std::atomic<bool> lost_ = false;
  std::jthread thread_;
};

}  // namespace explog::app
