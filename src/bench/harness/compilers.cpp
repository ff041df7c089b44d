#include "bench/harness/compilers.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::bench {

namespace fs = std::filesystem;

std::string version_of(const std::string& compiler) {
  Finished run = run_program({compiler, "--version"}, 20'000);
  if (run.status != 0)
    throw Error(Exit::unavailable, printable(compiler) + " does not run: " + printable(run.output));
  std::string text(trim(run.output));
  // "Cuda compilation tools, release 13.0, V13.0.88"
  constexpr std::string_view before = ", V";
  if (std::size_t at = text.rfind(before); compiler.ends_with("nvcc") && at != std::string::npos) {
    std::string_view rest = std::string_view(text).substr(at + before.size());
    return "CUDA " + std::string(rest.substr(0, rest.find('\n')));
  }
  return text.substr(0, text.find('\n'));
}

std::string find_cxx() {
  std::string chosen = env("CXX");
  for (const std::string& name : {chosen, std::string("c++"), std::string("g++"), std::string("clang++")}) {
    if (name.empty()) continue;
    if (name[0] == '/' && access(name.c_str(), X_OK) == 0) return name;
    if (auto path = find_program(name)) return *path;
  }
  throw Error(Exit::unavailable, "no C++ compiler (c++, g++, clang++) on the PATH",
              "install g++, or name one in $CXX");
}

std::string find_nvcc() {
  std::string chosen = env("EXPLOG_NVCC");
  if (!chosen.empty() && access(chosen.c_str(), X_OK) != 0)
    throw Error(Exit::unavailable, "$EXPLOG_NVCC is " + printable(chosen) + ", which cannot be run");
  if (!chosen.empty()) return chosen;
  if (auto path = find_program("nvcc")) return *path;
  if (access("/usr/local/cuda/bin/nvcc", X_OK) == 0) return "/usr/local/cuda/bin/nvcc";
  throw Error(Exit::unavailable, "no nvcc on the PATH nor in /usr/local/cuda/bin",
              "install the CUDA Toolkit, set $EXPLOG_NVCC, or use --backend host");
}

static fs::path toolkit_root(const std::string& nvcc) {
  std::error_code ignored;
  return fs::canonical(nvcc, ignored).parent_path().parent_path();
}

std::string cupti_headers(const std::string& nvcc) {
  return (toolkit_root(nvcc) / "extras/CUPTI/include").string();
}

std::string find_cupti(const std::string& nvcc) {
  std::error_code ignored;
  fs::path root = toolkit_root(nvcc);
  for (const char* place : {"extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so", "lib/libcupti.so",
                            "targets/x86_64-linux/lib/libcupti.so"}) {
    if (fs::exists(root / place, ignored)) return (root / place).string();
  }
  return "";
}

std::string find_cuobjdump(const std::string& nvcc) {
  std::error_code ignored;
  fs::path tool = toolkit_root(nvcc) / "bin/cuobjdump";
  return fs::exists(tool, ignored) ? tool.string() : find_program("cuobjdump").value_or("");
}

}  // namespace explog::bench
