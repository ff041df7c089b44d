#include "bench/harness/helper_environment.h"

#include <string_view>

#include "base/file.h"

namespace explog::bench {

void add_compilers_caches(std::vector<std::string>& environment, const std::string& folder) {
  for (const char* name : {"TRITON_CACHE_DIR", "CUDA_TILE_CACHE_DIR", "CUTE_DSL_CACHE_DIR",
                           "TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME"})
    environment.push_back(std::string(name) + "=" + folder);
  // Inductor compiles in its own process: workers of it would stay.
  environment.insert(environment.end(),
                     {"DISABLE_AUTOTUNE=1", "TILEGYM_DISABLE_AUTOTUNE=1", "TORCHINDUCTOR_COMPILE_THREADS=1"});
}

// What packages bring as programs (ninja) lies beside their interpreter.
static std::string path_of(const RunnerSetup& setup) {
  std::string path = "PATH=/usr/bin:/bin";
  if (!setup.tools.empty()) path += ":" + setup.tools;
  if (!setup.interpreter.empty())
    path += ":" + setup.interpreter[0].substr(0, setup.interpreter[0].rfind('/'));
  return path;
}

std::vector<std::string> helper_environment(const RunnerSetup& setup, const std::string& folder) {
  std::vector<std::string> result = {
      path_of(setup), "HOME=" + folder, "TMPDIR=" + folder, "CUDA_CACHE_PATH=" + folder,
      std::string("CUDA_MODULE_LOADING=") + (setup.lazy_loading ? "LAZY" : "EAGER"), "LC_ALL=C",
      // Threads that wait for work must not spin: they would take time from the other arm.
      "OMP_WAIT_POLICY=PASSIVE", "GOMP_SPINCOUNT=0", "KMP_BLOCKTIME=0", "OPENBLAS_THREAD_TIMEOUT=4"};
  if (!setup.toolkit.empty()) result.push_back("CUDA_HOME=" + setup.toolkit);
  if (!setup.writable.empty()) {
    result.push_back("EXPLOG_WRITABLE=" + setup.writable);
    add_compilers_caches(result, setup.writable);
  }
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    std::string value =
        name == std::string_view("CUDA_VISIBLE_DEVICES") && !setup.gpu.empty() ? setup.gpu : env(name);
    if (!value.empty()) result.push_back(std::string(name) + "=" + value);
  }
  if (!setup.imports.empty()) result.push_back("EXPLOG_IMPORTS=" + setup.imports);
  if (!setup.cupti.empty()) result.push_back("EXPLOG_CUPTI=" + setup.cupti);
  if (!setup.use_cupti) result.push_back("EXPLOG_NO_CUPTI=1");
  if (!setup.before.empty()) result.push_back("EXPLOG_UNDER_TOOL=1");
  if (setup.profiled_outside) result.push_back("EXPLOG_PROFILED_OUTSIDE=1");
  return result;
}

}  // namespace explog::bench
