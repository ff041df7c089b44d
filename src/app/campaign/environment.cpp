#include "app/campaign/environment.h"

#include <algorithm>

#include "app/judge/doctor.h"
#include "base/file.h"
#include "model/backend.h"

namespace explog::app {

std::vector<campaign::Found> environment_for(const campaign::Contract& contract) {
  const bool kernel = !contract.external.given();
  const bool python = kernel && backend_named(contract.backend).in_python;
  const bool gpu = kernel && backend_named(contract.backend).on_gpu;
  auto is_needed = [&](const std::string& tool) {
    if (tool == "nvidia-smi") return gpu;
    if (tool == "nvcc") return gpu && !python;
    return python && (tool == "python" || tool == contract.backend);
  };
  std::vector<campaign::Found> found = {{"explog", contract.explog, true, true}};
  for (const store::HealthCheck& check : tools_here(python))
    found.push_back({check.name, check.detail, is_needed(check.name), !check.absent});
  if (!python)
    found.push_back({"python", "not looked for: " + contract.backend + " needs none", false, false});
  for (const char* name :
       {"CUDA_VISIBLE_DEVICES", "CXX", "EXPLOG_NVCC", "EXPLOG_PYTHON", "DISABLE_AUTOTUNE"}) {
    if (std::string value = env(name); !value.empty())
      found.push_back({std::string("$") + name, value, false, true});
  }
  return found;
}

}  // namespace explog::app
