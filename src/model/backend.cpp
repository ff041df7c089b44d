#include "model/backend.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace explog {
namespace {

const Backend* find_backend(std::string_view name) {
  const auto& all = backends();
  auto row = std::find_if(all.begin(), all.end(), [&](const Backend& b) { return b.name == name; });
  return row != all.end() ? &*row : nullptr;
}

}  // namespace

const std::vector<Backend>& backends() {
  static const std::vector<Backend> rows = {
      {"cuda",
       {".cu"},
       "cuda",
       true,
       Compiler::nvcc,
       {"-arch={arch}", "-lineinfo", "-DEXPLOG_CUDA", "-Xcompiler=-fPIC,-fno-gnu-unique",
        "-Xlinker=-Bsymbolic,-z,defs"},
       {"-arch={arch}", "-I{cupti}"},
       {"runner.cpp",     "library.cpp",    "buffers.cpp",      "sandbox.cpp",  "seccomp.cpp",
        "threads.cpp",    "activity.cpp",   "profile_cuda.cpp", "profiler.cpp", "launches.cpp",
        "device_cuda.cu", "buffers.h",      "device.h",         "activity.h",   "cupti_calls.h",
        "launches.h",     "loaded.h",       "profiler.h",       "sandbox.h",    "seccomp.h",
        "threads.h",      "cupti_session.h"}},
      {"host",
       {".cpp", ".cc", ".cxx", ".c"},
       "other",
       false,
       Compiler::cxx,
       {"-march=native", "-fPIC", "-fno-gnu-unique", "-Wl,-Bsymbolic,-z,defs", "-pthread"},
       {},
       {"runner.cpp", "library.cpp", "buffers.cpp", "sandbox.cpp", "seccomp.cpp", "threads.cpp",
        "device_host.cpp", "loaded.h", "buffers.h", "device.h", "sandbox.h", "seccomp.h", "threads.h"}},
  };
  return rows;
}

bool Backend::takes(std::string_view file) const {
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return file.ends_with(e); });
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Backend& b : backends()) names.push_back(b.name);
  return names;
}

const Backend& backend_named(std::string_view name) {
  if (const Backend* found = find_backend(name)) return *found;
  throw Error(Exit::usage, "no backend '" + std::string(name) + "'",
              "one of: " + join(backend_names(), ", "));
}

std::string backend_of_file(std::string_view file) {
  for (const Backend& b : backends()) {
    if (b.takes(file)) return b.name;
  }
  return "";
}

std::string backend_meant(const std::string& said, const std::string& file) {
  std::string backend = said.empty() ? backend_of_file(file) : said;
  if (!backend.empty()) return backend;
  throw Error(Exit::usage, file + ": neither .cu nor .cpp",
              "say --backend " + join(backend_names(), " or --backend "));
}

std::string recorded_backend(std::string_view name) {
  const Backend* found = find_backend(name);
  return found ? found->recorded : "other";
}

}  // namespace explog
