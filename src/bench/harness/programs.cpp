// The programs of the harness itself, and how they are built.
#include <algorithm>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "bench/harness/recipe_words.h"
#include "bench/harness/toolchain.h"

namespace explog::bench {
namespace {

bool ends_with_any(const std::string& name, const std::vector<std::string_view>& endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); });
}

// All of them for each program, so that programs share what a source is compiled to.
std::vector<std::string> headers() {
  std::vector<std::string> names = files_below("");
  std::erase_if(names, [](const std::string& n) { return !n.ends_with(".h"); });
  return names;
}

// What makes a program of the sources: its main(), or what an interpreter calls.
std::string entry_of(Hosted hosted) {
  return harness_folder + (hosted == Hosted::alone ? "runner/main.cpp" : "python/module.cpp");
}

}  // namespace

std::string Builder::hosted_program(const std::string& name, Hosted hosted,
                                    const std::vector<std::string>& sources,
                                    std::vector<std::string> libraries) {
  std::vector<std::string> command = {toolchain_.compiler, "-std=c++20", "-O2", in_here("-I", "kernels")};
  add_flags(command, toolchain_.row().runner_flags, toolchain_);
  if (hosted == Hosted::in_python) {
    add_flags(command, toolchain_.row().library_flags, toolchain_);
    libraries.emplace_back("-shared");
  }
  return own_program(name + (hosted == Hosted::in_python ? ".so" : ""), headers(), command, sources,
                     libraries);
}

std::string Builder::runner_of(Hosted hosted) {
  std::vector<std::string> sources = {entry_of(hosted)};
  for (const std::string& name : toolchain_.row().runner_sources)
    sources.push_back(harness_folder + "runner/" + name);
  return hosted_program("runner", hosted, sources, {"-ldl"});
}

std::string Builder::runner() { return runner_of(Hosted::alone); }
std::string Builder::runner_library() { return runner_of(Hosted::in_python); }

// A program of those sources of several folders that `wanted` says.
template <class Wanted>
std::string Builder::gpu_program(const std::string& name, Hosted hosted, Wanted&& wanted) {
  std::vector<std::string> sources = files_below("");
  std::erase_if(sources, [&](const std::string& n) {
    return n.ends_with(".h") || (n != entry_of(hosted) && !wanted(n));
  });
  return hosted_program(name, hosted, sources, {"-ldl", "-lcuda"});
}

std::string Builder::replay() {
  return gpu_program("replay", Hosted::alone, [](const std::string& n) {
    if (ends_with_any(n, {"/library.cpp", "/device_host.cpp"})) return false;
    return n.find("/runner/") != n.npos || n.find("/replay/") != n.npos || n.ends_with("/capture/hash.cu");
  });
}

std::string Builder::capture_of(Hosted hosted) {
  return gpu_program("capture", hosted, [](const std::string& n) {
    return n.find("/capture/") != n.npos ||
           ends_with_any(n, {"/buffers.cpp", "/library.cpp", "/sandbox.cpp", "/seccomp.cpp",
                             "/runner/activity.cpp", "/device_cuda.cpp", "/device_kernels.cu"});
  });
}

std::string Builder::capture() { return capture_of(Hosted::alone); }
std::string Builder::capture_library() { return capture_of(Hosted::in_python); }

std::string Builder::ceilings() {
  std::string folder = harness_folder + "ceilings/";
  return own_program("ceilings", {folder + "loops.h", folder + "timing.h"},
                     {toolchain_.compiler, "-std=c++20", "-O3", code_for(toolchain_.arch)},
                     {folder + "ceilings.cu"}, {});
}

std::string Builder::heuristics() {
  std::string source = harness_folder + "heuristics/ask.cpp";
  return own_program("heuristics", {}, {toolchain_.host_compiler, "-std=c++20", "-O1"}, {source}, {"-ldl"});
}

}  // namespace explog::bench
