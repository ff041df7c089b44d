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

// What makes a program of the sources: its main(), or what an interpreter calls.
std::string entry_of(Hosted hosted) {
  return harness_folder + (hosted == Hosted::alone ? "runner/main.cpp" : "python/module.cpp");
}

}  // namespace

std::string Builder::runner_of(Hosted hosted) {
  std::vector<std::string> names = shared_headers, sources;
  for (const std::string& name : files_below("runner/")) {
    if (name.ends_with(".h")) names.push_back(name);
  }
  std::vector<std::string> command = {toolchain_.compiler, "-std=c++20", "-O2", in_here("-I", "kernels")};
  add_flags(command, toolchain_.row().runner_flags, toolchain_);
  if (hosted == Hosted::in_python) add_flags(command, toolchain_.row().library_flags, toolchain_);
  std::vector<std::string> wanted = {entry_of(hosted)};
  for (const std::string& name : toolchain_.row().runner_sources)
    wanted.push_back(harness_folder + "runner/" + name);
  for (const std::string& name : wanted) {
    names.push_back(name);
    sources.push_back(in_here("", name));
  }
  sources.emplace_back("-ldl");
  return own_program(hosted == Hosted::alone ? "runner" : "runner.so", names, command, sources);
}

std::string Builder::runner() { return runner_of(Hosted::alone); }
std::string Builder::runner_library() { return runner_of(Hosted::in_python); }

// A program of files of several folders: headers are there for all, of the sources those that `wanted` says.
template <class Wanted>
std::string Builder::gpu_program(const std::string& name, Hosted hosted, Wanted&& wanted) {
  std::vector<std::string> names = files_below(""), sources;
  std::erase_if(
      names, [&](const std::string& n) { return !n.ends_with(".h") && n != entry_of(hosted) && !wanted(n); });
  for (const std::string& n : names) {
    if (!n.ends_with(".h")) sources.push_back(in_here("", n));
  }
  std::vector<std::string> command = {toolchain_.compiler, "-std=c++20", "-O2", in_here("-I", "kernels")};
  add_flags(command, toolchain_.row().runner_flags, toolchain_);
  if (hosted == Hosted::in_python) add_flags(command, toolchain_.row().library_flags, toolchain_);
  sources.insert(sources.end(), {"-ldl", "-lcuda"});
  return own_program(name, names, command, sources);
}

std::string Builder::replay() {
  return gpu_program("replay", Hosted::alone, [](const std::string& n) {
    if (ends_with_any(n, {"/library.cpp", "/device_host.cpp"})) return false;
    return n.find("/runner/") != n.npos || n.find("/replay/") != n.npos || n.ends_with("/capture/hash.cu");
  });
}

std::string Builder::capture_of(Hosted hosted) {
  return gpu_program(hosted == Hosted::alone ? "capture" : "capture.so", hosted, [](const std::string& n) {
    return n.find("/capture/") != n.npos ||
           ends_with_any(n, {"/buffers.cpp", "/library.cpp", "/sandbox.cpp", "/seccomp.cpp",
                             "/runner/activity.cpp", "/device_cuda.cu"});
  });
}

std::string Builder::capture() { return capture_of(Hosted::alone); }
std::string Builder::capture_library() { return capture_of(Hosted::in_python); }

std::string Builder::ceilings() {
  std::string folder = harness_folder + "ceilings/";
  return own_program("ceilings", {folder + "ceilings.cu", folder + "loops.h", folder + "timing.h"},
                     {toolchain_.compiler, "-std=c++20", "-O3", code_for(toolchain_.arch)},
                     {in_here("", folder + "ceilings.cu")});
}

std::string Builder::heuristics() {
  std::string source = harness_folder + "heuristics/ask.cpp";
  return own_program("heuristics", {source}, {toolchain_.host_compiler, "-std=c++20", "-O1"},
                     {in_here("", source), "-ldl"});
}

}  // namespace explog::bench
