// The GPUs of this machine, as nvidia-smi names them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

struct Gpu {
  std::string index, uuid, name, arch;  // "0", "GPU-5c8f...", "NVIDIA H200", sm_90a
};

// sm_90a of compute capability "9.0": features of one generation need the suffix, from Hopper on. Empty for
// anything else.
std::string arch_of_capability(std::string_view capability);

// Lines "0, GPU-5c8f..., NVIDIA H200, 9.0"; others are left out.
std::vector<Gpu> parse_gpus(std::string_view csv);

// All GPUs of the machine. Throws Error(unavailable) when there is none.
std::vector<Gpu> find_gpus();

// Those named by index or by the start of a UUID, all when none is named. Throws Error(usage) for a name that
// is not there or is given twice, and for GPUs of different models: times of two models do not belong into
// one table.
std::vector<Gpu> choose_gpus(const std::vector<Gpu>& all, const std::vector<std::string>& wanted);

}  // namespace explog::bench
