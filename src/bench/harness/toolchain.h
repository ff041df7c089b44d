// Builds of runners, candidates and references, each kept under the hash of everything it was made from.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/harness/source_file.h"
#include "model/backend.h"
#include "model/json.h"
#include "model/task.h"

namespace explog::bench {

// A compiler and how it is called for one backend.
struct Toolchain {
  std::string backend;             // name of a row of model/backend.h
  std::string compiler;            // path of nvcc or the C++ compiler
  std::string version;             // "CUDA 13.0.88", or the first line of --version
  std::string arch;                // sm_90a; empty for host
  std::string host_compiler;       // path of the C++ compiler
  std::vector<std::string> flags;  // the user's own, behind ours
  std::string cupti;               // path of libcupti.so, or empty
  std::string gpu_model;           // the first GPU's, where it was asked for its arch
  std::string gpu;                 // UUID of the GPU that runners see; empty: what CUDA calls the first
  std::string python;              // path of the interpreter, where a candidate or a baseline is in Python
  std::string tools;               // folder of a compiler that its packages call: tileiras; or empty
  std::string packages;            // of that interpreter: "triton 3.6.0, torch 2.11.0"
  std::string torch;               // the version of its PyTorch

  const Backend& row() const { return backend_named(backend); }
  // What candidates are made with, as records say it.
  const std::string& toolkit() const { return row().in_python ? packages : version; }
};

// Finds the compilers: $EXPLOG_NVCC, nvcc on the PATH, /usr/local/cuda/bin/nvcc; $CXX, c++, g++ or clang++ on
// the PATH; for a backend in Python, or `beside` one where a baseline is in Python, the interpreter (python.h). `arch` empty
// asks nvidia-smi. Throws Error(unavailable) when one is missing.
enum class Interpreter { by_backend, beside };
Toolchain find_toolchain(const std::string& backend, const std::string& arch, std::vector<std::string> flags,
                         const std::string& python = "", Interpreter wanted = Interpreter::by_backend);

// Whether a product of Builder::candidate() is one in Python.
inline bool is_module(std::string_view product) { return product.ends_with(".python"); }

// A program of ours by itself, or as a library in an interpreter.
enum class Hosted { alone, in_python };

struct Built {
  bool ok = false;
  std::string path;  // of the product
  std::string log;   // what the compiler said
  bool cached = false;
};

// Binaries live in $XDG_CACHE_HOME/explog (else ~/.cache/explog); those used least recently go when all
// together exceed 1 GiB. Two processes that need the same product build it once.
class Builder {
 public:
  explicit Builder(Toolchain toolchain);
  const Toolchain& toolchain() const { return toolchain_; }

  // Path of the runner that loads compiled candidates. Throws Error(unavailable) with the compiler's words.
  std::string runner();
  // Of a GPU backend: paths of the process that takes a candidate's plan down, and of the runner that replays plans.
  // Throw like runner().
  std::string capture();
  std::string replay();
  // Path of the program that measures what the GPU can reach; throws like runner().
  std::string ceilings();
  // Path of the program that asks nvMatmulHeuristics (matmul_heuristics.h); throws like runner().
  std::string heuristics();
  // The file of ours that an interpreter begins with, and the runner and the capture as libraries for it. Throw like
  // runner().
  std::string python_runner();
  std::string runner_library();
  std::string capture_library();
  // Shared object with the candidate's solve() behind the task's calling convention; of one in Python a folder with
  // its source, the local modules that it imports, and what the task calls its arguments (python_candidate.h).
  Built candidate(const Task& task, const SourceFile& source);
  // Program that computes what is expected, with `real` the given C++ type; `reversed`: sums in the other
  // order. Of a .py file: what an interpreter is started with.
  Built reference(const SourceFile& source, const std::string& real = "double", bool reversed = false);

 private:
  struct Recipe;
  struct Work;
  Built object_of(const std::string& source, std::vector<std::string> embedded,
                  const std::vector<std::string>& compile);
  bool objects_of(const Recipe& recipe, std::vector<std::string>& objects, std::string& log);
  // Of embedded files.
  std::string own_program(const std::string& name, const std::vector<std::string>& headers,
                          const std::vector<std::string>& compile, const std::vector<std::string>& sources,
                          const std::vector<std::string>& libraries);
  std::string hosted_program(const std::string& name, Hosted hosted, const std::vector<std::string>& sources,
                             std::vector<std::string> libraries);
  template <class Wanted>
  std::string gpu_program(const std::string& name, Hosted hosted, Wanted&& wanted);
  std::string runner_of(Hosted hosted);
  std::string capture_of(Hosted hosted);
  Built in_python(const Task& task, const SourceFile& source);
  Built python_reference(const SourceFile& source, const std::string& real, bool reversed);
  Built written(const std::string& suffix, const std::string& text);  // a file of this text
  Built build(const Recipe& recipe);
  // The cached product of a key, or what `make` puts in its place.
  template <class Make>
  Built kept(const std::string& key, const std::string& suffix, Make&& make);
  Toolchain toolchain_;
  std::string folder_;
};

// The compiler and the flags that candidates are compiled with.
std::vector<std::string> candidate_command(const Toolchain& toolchain, const SourceFile& source);

// What an interpreter is started with to run a reference in Python: the harness's Python and the reference, as an object.
// Throws Error(usage) when it is not UTF-8.
Json python_program(const SourceFile& source, const std::string& real, bool reversed);

// The line of a compiler's output that says what is wrong.
std::string first_error(const std::string& log);

// Source, C++ and C, of the function that calls solve() with the task's arguments; `order` holds for each parameter of
// solve() the argument it takes.
std::string calling_convention(const Task& task, const std::vector<std::size_t>& order);
// Hash of the runner's and reference's own sources: a measurement belongs to one version of the harness.
std::string harness_hash();

}  // namespace explog::bench
