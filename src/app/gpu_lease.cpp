#include "app/gpu_lease.h"

#include <fmt/format.h>

#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

namespace explog::app {

std::string gpu_lock_folder() { return fmt::format("/tmp/explog-gpus-{}", getuid()); }

std::optional<GpuLease> lease_gpu(const std::vector<bench::Gpu>& gpus, const std::string& folder) {
  make_directories(folder);
  for (const bench::Gpu& gpu : gpus) {
    try {
      return GpuLease{gpu, std::make_unique<FileLock>(folder + "/" + gpu.uuid + ".lock", 0)};
    } catch (const Error& e) {
      if (!e.retryable()) throw;
    }
  }
  return std::nullopt;
}

std::vector<bench::Gpu> visible_gpus(const std::vector<bench::Gpu>& all, const std::string& visible) {
  if (visible.empty()) return all;
  std::vector<bench::Gpu> chosen;
  for (std::string_view name : split(visible, ',')) {
    for (const bench::Gpu& gpu : all) {
      bool meant = trim(name) == gpu.index || (name.starts_with("GPU-") && gpu.uuid.starts_with(trim(name)));
      if (meant) chosen.push_back(gpu);
    }
  }
  return chosen;
}

}  // namespace explog::app
