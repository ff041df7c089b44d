#include "app/launch/plan_heart.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/hash.h"

namespace explog::app {

PlanHeart::PlanHeart(const PlanFolder& folder, std::string worker)
    : folder_(folder), worker_(std::move(worker)), run_id_(hex(random_bytes16()).substr(0, 8)) {
  folder_.beat(worker_, run_id_ + " 0\n");  // a worker that cannot even begin says so
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

PlanHeart::~PlanHeart() {
  thread_.request_stop();
  wake_.notify_all();
}

void PlanHeart::begin(const launch::Item& item, int attempt, std::function<void()> keep) {
  std::lock_guard lock(mutex_);
  item_ = &item, attempt_ = attempt, keep_ = std::move(keep);
  lost_ = false;
}

void PlanHeart::end() {
  std::lock_guard lock(mutex_);
  item_ = nullptr;
}

void PlanHeart::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    beat();
    wake_.wait_for(lock, stop, std::chrono::duration<double>(folder_.plan().beat_s), [] { return false; });
  }
}

// A folder that is out of reach is out of reach for everybody: the next beat may find it again.
void PlanHeart::beat() {
  try {
    folder_.beat(worker_, fmt::format("{} {}\n", run_id_, ++count_));
    if (item_ == nullptr) return;
    if (folder_.has_claim(*item_, attempt_ + 1) || folder_.is_done(*item_)) lost_ = true;
    if (!lost_) keep_();
  } catch (const std::exception&) {
  }
}

}  // namespace explog::app
