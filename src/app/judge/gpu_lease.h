// Who times on which GPU of this host: one process of ours at a time, by a lock under the GPU's UUID.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "base/file.h"
#include "bench/harness/gpus.h"
#include "bench/harness/toolchain.h"

namespace explog::app {

// Held while the object lives; the system lets go of it when the process ends, however that happens.
struct GpuLease {
  bench::Gpu gpu;
  std::unique_ptr<FileLock> lock;
};

// The first of these that nobody has; nothing when all are taken. `folder` holds the locks' files.
std::optional<GpuLease> lease_gpu(const std::vector<bench::Gpu>& gpus, const std::string& folder);
// A local folder of this user's.
std::string gpu_lock_folder();

// For one measurement of ours: the first of `gpus`, which is waited for, with a word about that. Nothing where there is
// none, or, with a warning, where locks cannot be kept. Throws Error(unavailable) after `patience_ms`, Error(interrupted) after a signal.
std::optional<GpuLease> wait_for_gpu(const std::vector<bench::Gpu>& gpus, const std::string& folder,
                                     int patience_ms, const Session& session);
// This GPU, for as long as a measurement takes; nothing where who started us has leased it for us ($EXPLOG_GPU_LEASED
// names it).
std::optional<GpuLease> lease_of(const bench::Gpu& gpu, const Session& session);
// The first of those that CUDA shows us.
std::optional<GpuLease> lease_first(const Session& session);
// That of a toolchain, which is told which it is where there are several.
std::optional<GpuLease> lease_for(bench::Toolchain& toolchain, const Session& session);
// What a process is told that times on a GPU that we have leased.
std::string lease_environment(const GpuLease& lease);

// Those of `all` that a value of $CUDA_VISIBLE_DEVICES names by index or UUID; all where it is empty. Parts of a GPU are
// none of them.
std::vector<bench::Gpu> visible_gpus(const std::vector<bench::Gpu>& all, const std::string& visible);

}  // namespace explog::app
