#include "bench/shared_processes.h"

#include <utility>

namespace explog::bench {

static constexpr std::size_t in_turn = 2;  // a gain must show in another process than the one that saw it

SharedCaptures::Made SharedCaptures::of(const std::string& library,
                                        const std::function<std::vector<Captured>()>& make) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] = made_.try_emplace(library);
  if (is_new) entry->second = std::async(std::launch::async, make);
  return entry->second;
}

ReplayProcesses::ReplayProcesses(const FoundTask& found, const Toolchain& toolchain, bool use_cupti)
    : bench_(found, toolchain) {
  while (idle_.size() < in_turn)
    idle_.push_back(std::unique_ptr<Runner>(new Runner(bench_.begin_replay(use_cupti))));
}

ReplayProcesses::~ReplayProcesses() {
  for (auto& process : idle_) process->abandon();
}

void ReplayProcesses::wait() {
  std::erase_if(idle_, [](const std::unique_ptr<Runner>& process) { return !process->has_begun(); });
}

std::unique_ptr<Runner> ReplayProcesses::take() {
  if (idle_.size() < in_turn) return nullptr;
  std::unique_ptr<Runner> process = std::move(idle_.front());
  idle_.pop_front();
  return process;
}

void ReplayProcesses::give_back(std::unique_ptr<Runner> process) { idle_.push_back(std::move(process)); }

}  // namespace explog::bench
