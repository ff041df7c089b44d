#include "app/judge/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "app/judge/gpu_lease.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness/compile_slot.h"

namespace explog::app {
namespace {

bool is_held(const std::string& lock) try {
  const FileLock taken(lock, 0);
  return false;
} catch (const Error& e) {
  return e.retryable();
}

std::size_t held_locks(const std::string& folder) {
  std::size_t count = 0;
  if (!std::filesystem::is_directory(folder)) return count;
  for (const std::string& file : files_in(folder)) count += file.ends_with(".lock") && is_held(file) ? 1 : 0;
  return count;
}

std::string count_of(std::size_t n, const std::string& thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

}  // namespace

Neighbours neighbours_now(const std::string& gpu_locks, const std::string& compiler_locks) {
  const std::size_t leased = held_locks(gpu_locks);
  return {leased - std::min<std::size_t>(leased, 1), held_locks(compiler_locks)};
}

Listener NeighbourWatch::listener(const Listener& progress) {
  using Clock = std::chrono::steady_clock;
  return [this, progress, next = Clock::time_point::min()](const std::string& words) mutable {
    if (words.starts_with("timing ") && Clock::now() >= next) {
      const Neighbours now = neighbours_now(gpu_lock_folder(), bench::compile_slot_folder());
      most_ = {std::max(most_.gpus, now.gpus), std::max(most_.compilers, now.compilers)};
      next = Clock::now() + std::chrono::seconds(1);
    }
    progress(words);
  };
}

std::string disturbance(const Neighbours& seen, double noise) {
  constexpr double little = 0.02;  // a gain that small is none
  if (noise <= little || seen.gpus + seen.compilers == 0) return "";
  std::vector<std::string> who;
  if (seen.gpus > 0) who.push_back(count_of(seen.gpus, "other GPU") + " timed on");
  if (seen.compilers > 0) who.push_back(count_of(seen.compilers, "compiler") + " running");
  return fmt::format("explog had {} meanwhile: the noise of {:.1f}% may come from there", join(who, " and "),
                     100 * noise);
}

}  // namespace explog::app
