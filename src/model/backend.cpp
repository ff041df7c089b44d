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

Backend compiled_for_gpu() {
  Backend b;
  b.name = b.recorded = "cuda";
  b.endings = {".cu"};
  b.on_gpu = true;
  b.compiler = Compiler::nvcc;
  b.candidate_flags = {"{arch}", "-lineinfo", "-DEXPLOG_CUDA", "-Xcompiler=-fPIC,-fno-gnu-unique",
                       "-Xlinker=-Bsymbolic,-z,defs"};
  b.runner_flags = {"{arch}", "-I{cupti}"};
  b.library_flags = {"-Xcompiler=-fPIC"};
  b.runner_sources = {"runner.cpp",   "library.cpp",      "buffers.cpp",     "sandbox.cpp",
                      "seccomp.cpp",  "threads.cpp",      "activity.cpp",    "profiler.cpp",
                      "launches.cpp", "profile_cuda.cpp", "device_cuda.cpp", "device_kernels.cu"};
  return b;
}

Backend compiled_for_host() {
  Backend b;
  b.name = "host";
  b.endings = {".cpp", ".cc", ".cxx", ".c"};
  b.recorded = "other";
  b.candidate_flags = {"-march=native", "-fPIC", "-fno-gnu-unique", "-Wl,-Bsymbolic,-z,defs", "-pthread"};
  b.library_flags = {"-fPIC"};
  b.runner_sources = {"runner.cpp",  "library.cpp", "buffers.cpp",    "sandbox.cpp",
                      "seccomp.cpp", "threads.cpp", "device_host.cpp"};
  return b;
}

// Candidates in Python beside a baseline of the backend they stand on.
Backend in_python(Backend b, const std::string& name, const std::string& recorded,
                  std::vector<std::string> imports) {
  b.stands_on = b.name;
  b.name = name;
  b.recorded = recorded;
  b.endings = {".py"};
  b.in_python = true;
  b.imports = std::move(imports);
  return b;
}

}  // namespace

const std::vector<Backend>& backends() {
  static const std::vector<Backend> rows = {
      compiled_for_gpu(),
      compiled_for_host(),
      // Anything else that launches kernels comes first: it is what the ending alone tells.
      in_python(compiled_for_gpu(), "python", "other", {"torch"}),
      in_python(compiled_for_gpu(), "triton", "triton", {"torch", "triton"}),
      in_python(compiled_for_gpu(), "cutile", "cutile", {"torch", "cuda.tile"}),
      in_python(compiled_for_gpu(), "cutedsl", "cutedsl", {"torch", "cutlass.cute"}),
      in_python(compiled_for_host(), "numpy", "other", {"numpy"}),
  };
  return rows;
}

std::string Backend::naive() const {
  return "naive" + (stands_on.empty() ? *this : backend_named(stands_on)).endings.front();
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
  throw Error(Exit::usage, file + ": neither .cu, .cpp nor .py",
              "say --backend " + join(backend_names(), " or --backend "));
}

std::string stands_on(std::string_view name) {
  const Backend* found = find_backend(name);
  return found ? found->stands_on : "";
}

std::string recorded_backend(std::string_view name) {
  const Backend* found = find_backend(name);
  return found ? found->recorded : "other";
}

}  // namespace explog
