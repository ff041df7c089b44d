#include "bench/harness/compile_slot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"

namespace explog::bench {
namespace {

// By their devices' files: nvidia-smi would be one more process for each product.
std::size_t gpus_of_machine() {
  constexpr int most = 32;
  std::size_t count = 0;
  for (int i = 0; i < most; ++i) count += access(fmt::format("/dev/nvidia{}", i).c_str(), F_OK) == 0 ? 1 : 0;
  return count;
}

}  // namespace

std::size_t compile_slots() {
  std::size_t processors = std::max(1u, std::thread::hardware_concurrency()), gpus = gpus_of_machine();
  return processors > gpus ? processors - gpus : 1;
}

std::string compile_slot_folder() { return fmt::format("/tmp/explog-compilers-{}", getuid()); }

std::unique_ptr<FileLock> take_compile_slot(const std::string& folder, std::size_t slots) {
  constexpr std::chrono::milliseconds pause(20);
  if (!is_own_folder(folder)) return nullptr;
  for (;;) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      try {
        return std::make_unique<FileLock>(fmt::format("{}/{}.lock", folder, slot), 0);
      } catch (const Error& e) {
        if (!e.retryable()) return nullptr;
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace explog::bench
