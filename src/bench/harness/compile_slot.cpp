#include "bench/harness/compile_slot.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/error.h"

namespace explog::bench {
namespace {

// /dev/nvidia0, /dev/nvidia1, ...
std::size_t gpus_of_machine() {
  constexpr std::string_view name = "nvidia";
  std::size_t count = 0;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", failed)) {
    std::string file = entry.path().filename().string();
    bool numbered = file.size() > name.size() && file.starts_with(name) &&
                    std::all_of(file.begin() + name.size(), file.end(),
                                [](unsigned char c) { return std::isdigit(c) != 0; });
    if (numbered) ++count;
  }
  return count;
}

// Nobody else may hold its locks for ever.
bool is_own(const std::string& folder) {
  struct stat info {};
  mkdir(folder.c_str(), 0700);
  return lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid();
}

}  // namespace

std::size_t compile_slots() {
  std::size_t processors = std::max(1u, std::thread::hardware_concurrency()), gpus = gpus_of_machine();
  return processors > gpus ? processors - gpus : 1;
}

std::string compile_slot_folder() { return fmt::format("/tmp/explog-compilers-{}", getuid()); }

std::unique_ptr<FileLock> take_compile_slot(const std::string& folder, std::size_t slots) {
  constexpr std::chrono::milliseconds pause(20);
  if (!is_own(folder)) return nullptr;
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
