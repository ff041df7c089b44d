#include "app/judge/gpu_lease.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include <unistd.h>

#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/text.h"

namespace explog::app {

static constexpr const char* leased_name = "EXPLOG_GPU_LEASED";

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

// Whether locks can be kept there; where they cannot, nobody should be kept from measuring.
static bool is_lock_folder(const std::string& folder, const Session& session) {
  try {
    if (!is_own_folder(folder)) throw Error(Exit::store, folder + " is not a folder of yours");
    FileLock(folder + "/own.lock", 0);
  } catch (const Error& e) {
    if (e.retryable()) return true;
    session.warn(std::string(e.what()) + "; another explog on this GPU would not be noticed");
    return false;
  }
  return true;
}

std::optional<GpuLease> wait_for_gpu(const std::vector<bench::Gpu>& gpus, const std::string& folder,
                                     int patience_ms, const Session& session) {
  if (gpus.empty() || !is_lock_folder(folder, session)) return std::nullopt;
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  for (;;) {
    if (auto lease = lease_gpu({gpus.front()}, folder)) return lease;
    if (stop_signal() != 0)
      throw Error(exit_of_signal(stop_signal()), "interrupted while waiting for the GPU");
    if (std::chrono::steady_clock::now() >= end)
      throw Error(Exit::unavailable,
                  "another explog is timing on " + gpus.front().name + " " + gpus.front().uuid,
                  "two at once would disturb each other: try again when it has finished");
    session.progress("waiting for another explog that is timing on " + gpus.front().name);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

std::optional<GpuLease> lease_of(const bench::Gpu& gpu, const Session& session) {
  constexpr int patience_ms = 3'600'000;  // a campaign's longest measurement takes less
  if (env(leased_name) == gpu.uuid) return std::nullopt;
  return wait_for_gpu({gpu}, gpu_lock_folder(), patience_ms, session);
}

static std::vector<bench::Gpu> gpus_shown() {
  try {
    return visible_gpus(bench::find_gpus(), env("CUDA_VISIBLE_DEVICES"));
  } catch (const Error&) {
    return {};  // whoever starts a kernel says so in better words
  }
}

std::optional<GpuLease> lease_first(const Session& session) {
  std::vector<bench::Gpu> gpus = gpus_shown();
  return gpus.empty() ? std::nullopt : lease_of(gpus.front(), session);
}

std::optional<GpuLease> lease_for(bench::Toolchain& toolchain, const Session& session) {
  if (!toolchain.row().on_gpu || !toolchain.gpu.empty()) return std::nullopt;
  std::vector<bench::Gpu> gpus = gpus_shown();
  if (gpus.empty()) return std::nullopt;
  std::optional<GpuLease> lease = lease_of(gpus.front(), session);
  if (lease && gpus.size() > 1) toolchain.gpu = lease->gpu.uuid;
  return lease;
}

std::string lease_environment(const GpuLease& lease) {
  return std::string(leased_name) + "=" + lease.gpu.uuid;
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
