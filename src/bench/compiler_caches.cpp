#include "bench/compiler_caches.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/parallel.h"
#include "bench/harness/python_candidate.h"

namespace explog::bench {
namespace {

constexpr std::uint64_t untimed_seed = 0x5eed;
// Each has an interpreter with PyTorch and a context on the GPU: half a GiB of the card.
constexpr std::size_t most_workers = 12;

std::size_t workers_for(std::size_t products) {
  std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  return std::min({products, processors, most_workers});
}

bool still_works(Runner& worker, const Case& c) try {
  worker.shape(c, 1);
  return true;
} catch (const Failed&) {
  return false;
}

// False where the product ended its process.
bool run(Runner& worker, const std::string& product, std::span<const Case* const> cases) try {
  worker.load(RunnerArm::candidate, product);
  for (const Case* c : cases) {
    worker.shape(*c, 1);
    worker.pass(RunnerArm::candidate, 1, untimed_seed);
  }
  return true;
} catch (const Failed&) {
  return still_works(worker, *cases.front());
}

}  // namespace

CompilerCaches::CompilerCaches(const FoundTask& task, const Toolchain& toolchain)
    : bench_(task, toolchain), folder_(bench_.folder.path() + "/" + std::string(python_cache)) {
  std::filesystem::create_directory(folder_);
}

// A process lives as long as the thread that makes it: none is made by those that wait for them.
void CompilerCaches::start(std::size_t products) {
  workers_.resize(std::max(workers_.size(), workers_for(products)));
  std::vector<std::unique_ptr<Runner>*> begun;
  for (std::unique_ptr<Runner>& worker : workers_) {
    if (worker) continue;
    worker.reset(new Runner(bench_.start_search_runner(folder_)));
    begun.push_back(&worker);
  }
  parallel_for(begun.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        (*begun[i])->hello();
      } catch (const Failed&) {  // fewer workers, then
        begun[i]->reset();
      }
    }
  });
}

void CompilerCaches::fill(std::span<const std::string> products, std::span<const Case* const> cases,
                          const std::function<bool()>& enough) {
  start(products.size());
  std::atomic<std::size_t> next = 0;
  parallel_for(workers_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      for (std::size_t i; workers_[w] && !enough() && (i = next++) < products.size();) {
        if (!run(*workers_[w], products[i], cases)) workers_[w].reset();
      }
    }
  });
}

}  // namespace explog::bench
