// What a GPU was measured to reach: the body of a `device` event of the log.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explog {

struct DeviceCeilings {
  std::string gpu, arch, driver, toolkit;  // "NVIDIA H200", sm_90, CUDA versions
  int multiprocessors = 0;
  double sm_mhz = 0;  // while the arithmetic ran
  // "dram_bytes_per_s", "fp32_flops", "f16_tensor_flops" ...: the best rate seen, and how it was made.
  std::vector<std::pair<std::string, double>> rates;
  std::vector<std::pair<std::string, std::string>> how;
  double rate(std::string_view name) const;  // 0 when it was not measured
};

// One JSON line and back. Throws JsonError naming the field.
std::string to_json(const DeviceCeilings& c);
DeviceCeilings parse_device_ceilings(std::string_view json);

}  // namespace explog
