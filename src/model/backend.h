// The kinds of candidates that explog can build and judge, a row each.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog {

enum class Compiler { cxx, nvcc };

struct Backend {
  std::string name;                   // in task.json and of --backend
  std::vector<std::string> endings;   // of source files; the first is that of the program's own kernels
  std::string recorded;               // what the records of its attempts say
  bool on_gpu = false;                // has an arch, counters and a sanitizer
  Compiler compiler = Compiler::cxx;  // of the harness, and of what is not Python
  bool in_python = false;             // candidates run in an interpreter
  std::vector<std::string> imports;   // what they import that takes an interpreter seconds
  std::string stands_on;  // the backend whose shapes and baseline it shares where a task has none for it
  // Words of a command: {arch} (nvcc's flag for it) and {cupti} (a folder of headers) are filled in when it is built.
  std::vector<std::string> candidate_flags, runner_flags;
  std::vector<std::string> library_flags;   // of what is linked into a runner that an interpreter loads
  std::vector<std::string> runner_sources;  // in kernels/harness/runner

  // Baseline of the program's own tasks: the plain kernel of what it stands on.
  std::string naive() const;
  bool takes(std::string_view file) const;  // by its ending
};

const std::vector<Backend>& backends();
std::vector<std::string> backend_names();
// Throws Error(usage) when there is none of this name.
const Backend& backend_named(std::string_view name);
// The backend that a source's name belongs to by its ending; empty for any other ending.
std::string backend_of_file(std::string_view file);
// The backend that the user said, else that of the file's ending. Throws Error(usage) when that tells none.
std::string backend_meant(const std::string& said, const std::string& file);
// The backend whose shapes and baselines one in Python shares; empty for all others.
std::string stands_on(std::string_view name);
// What a record says of an attempt with this backend, which an old measurement may have from elsewhere.
std::string recorded_backend(std::string_view name);

}  // namespace explog
