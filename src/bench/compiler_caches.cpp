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

}  // namespace

CompilerCaches::CompilerCaches(const FoundTask& task, const Toolchain& toolchain)
    : bench_(task, toolchain), folder_(bench_.folder.path() + "/" + std::string(python_cache)) {
  std::filesystem::create_directory(folder_);
}

// A process that a product ended is started again for the next one.
void CompilerCaches::run(std::unique_ptr<Runner>& worker, const std::string& product,
                         std::span<const Case* const> cases) try {
  if (!worker) worker.reset(new Runner(bench_.start_search_runner(folder_)));
  worker->load(RunnerArm::candidate, product);
  for (const Case* c : cases) {
    worker->shape(*c, 1);
    worker->pass(RunnerArm::candidate, 1, untimed_seed);
  }
} catch (const Failed&) {
  worker.reset();
} catch (const Error&) {  // no further process starts here: fewer workers do
  worker.reset();
}

void CompilerCaches::fill(std::span<const std::string> products, std::span<const Case* const> cases,
                          const std::function<bool()>& enough) {
  std::size_t count = workers_for(products.size());
  if (workers_.size() < count) workers_.resize(count);
  std::atomic<std::size_t> next = 0;
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t worker = begin; worker < end; ++worker) {
      for (std::size_t i = next++; i < products.size() && !enough(); i = next++)
        run(workers_[worker], products[i], cases);
    }
  });
}

}  // namespace explog::bench
