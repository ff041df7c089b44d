#include "bench/compiler_caches.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/parallel.h"
#include "bench/harness/compile_slot.h"
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

bool still_works(Runner& runner, const Case& c) try {
  runner.shape(c, 1);
  return true;
} catch (const Failed&) {
  return false;
}

}  // namespace

CompilerCaches::CompilerCaches(const FoundTask& task, const Toolchain& toolchain)
    : bench_(task, toolchain), folder_(bench_.folder.path() + "/" + std::string(python_cache)) {
  std::filesystem::create_directory(folder_);
}

CompilerCaches::~CompilerCaches() {
  for (const Worker& worker : workers_) {
    if (worker.runner) worker.runner->abandon();
  }
}

// A process lives as long as the thread that makes it: none is made by those that wait for them.
void CompilerCaches::start(std::size_t products) {
  workers_.resize(std::max(workers_.size(), workers_for(products)));
  for (Worker& worker : workers_) {
    if (worker.runner) continue;
    worker.runner.reset(new Runner(bench_.start_search_runner(folder_)));
    worker.greeted = false;
  }
}

// A product that ends its process costs the worker.
void CompilerCaches::work(Worker& worker, const std::string& product, const Case& c) try {
  if (!worker.greeted) worker.runner->hello();
  worker.greeted = true;
  auto slot = take_compile_slot();
  worker.runner->load(RunnerArm::candidate, product);
  worker.runner->shape(c, 1);
  worker.runner->pass(RunnerArm::candidate, 1, untimed_seed);
} catch (const Failed&) {
  if (!worker.greeted || !still_works(*worker.runner, c)) worker.runner.reset();
}

void CompilerCaches::fill(std::span<const std::string> products, const Case& c,
                          const std::function<bool()>& enough) {
  start(products.size());
  std::atomic<std::size_t> next = 0;
  parallel_for(workers_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      for (std::size_t i; workers_[w].runner && !enough() && (i = next++) < products.size();)
        work(workers_[w], products[i], c);
    }
  });
}

}  // namespace explog::bench
