// Who times on which GPU of this host: one worker of ours at a time, by a lock under the GPU's UUID.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "bench/harness/gpus.h"

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

// Those of `all` that a value of $CUDA_VISIBLE_DEVICES names by index or UUID; all where it is empty. Parts of a GPU are
// none of them.
std::vector<bench::Gpu> visible_gpus(const std::vector<bench::Gpu>& all, const std::string& visible);

}  // namespace explog::app
