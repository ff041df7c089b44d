// Builds of runners, candidates and references, each kept under the hash of everything it was made from.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace explog::bench {

// A compiler and how it is called for one backend.
struct Toolchain {
  std::string backend;             // cuda, host
  std::string compiler;            // path of nvcc or the C++ compiler
  std::string version;             // "CUDA 13.0.88", or the first line of --version
  std::string arch;                // sm_90a; empty for host
  std::string host_compiler;       // path of the C++ compiler
  std::vector<std::string> flags;  // the user's own, behind ours
  std::string cupti;               // path of libcupti.so, or empty
  std::string gpu;                 // UUID of the GPU that runners see; empty: what CUDA calls the first
};

// Finds the compilers: $EXPLOG_NVCC, nvcc on the PATH, /usr/local/cuda/bin/nvcc; $CXX, c++, g++ or clang++ on
// the PATH. `arch` empty asks nvidia-smi. Throws Error(unavailable) when one is missing.
Toolchain find_toolchain(const std::string& backend, const std::string& arch, std::vector<std::string> flags);

struct Built {
  bool ok = false;
  std::string path;  // of the product
  std::string log;   // what the compiler said
  bool cached = false;
};

// A file of a task, by content: from disk or from the program itself.
struct SourceFile {
  std::string name;    // base name
  std::string folder;  // where it lies, for its own #include "..."; empty for an embedded file
  std::string text;
};
// Throws Error(usage) when it cannot be read.
SourceFile read_source(const std::string& path);

// Products live in $XDG_CACHE_HOME/explog (else ~/.cache/explog); those used least recently go when all
// together exceed 1 GiB. Two processes that need the same product build it once.
class Builder {
 public:
  explicit Builder(Toolchain toolchain);
  const Toolchain& toolchain() const { return toolchain_; }

  std::string
  runner();  // path of the runner of this backend; throws Error(unavailable) with the compiler's words
  // Path of the program that measures what the GPU can reach; throws like runner().
  std::string ceilings();
  // Shared object with the candidate's solve() behind the task's calling convention.
  Built candidate(const Task& task, const SourceFile& source);
  // Program that computes what is expected, with `real` the given C++ type; `reversed`: sums in the other
  // order.
  Built reference(const SourceFile& source, const std::string& real = "double", bool reversed = false);

  // BLAKE2b-128 over a source and the files it includes by "name".
  static std::string hash(const SourceFile& source);
  static std::string digest_of(std::string_view text);  // BLAKE2b-128 in hex

 private:
  std::string own_program(const std::string& name, const std::vector<std::string>& sources,
                          const std::vector<std::string>& command);
  Built build(const std::string& key, const std::string& suffix, const SourceFile& source,
              const std::vector<std::string>& embedded, const std::string& call,
              const std::vector<std::string>& command);
  Toolchain toolchain_;
  std::string folder_;
};

// cuda or host, by the ending of a source's name; empty for any other ending.
std::string backend_of_file(std::string_view name);

// The line of a compiler's output that says what is wrong.
std::string first_error(const std::string& log);

// C++ source of the function that calls solve() with the task's arguments.
std::string calling_convention(const Task& task);
// The files a source includes by "name", found beside it, each with its text, in order of first use.
std::vector<std::pair<std::string, std::string>> own_includes(const SourceFile& source);
// Hash of the runner's and reference's own sources: a measurement belongs to one version of the harness.
std::string harness_hash();

}  // namespace explog::bench
