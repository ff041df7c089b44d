// What a Python interpreter has for kernels: asked once, and again when the interpreter or its packages change.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace explog::bench {

struct PythonProbe {
  std::string path;   // of the interpreter
  std::string error;  // one line where it could not be asked; all else is empty then
  std::string python, torch, torch_cuda, triton, cutile, tileiras, cutedsl, numpy,
      cupti;                                // versions; empty: not there
  std::vector<std::string> tileiras_archs;  // sm_80, ...
  std::string tileiras_path;
  std::string tools() const;      // its folder, for a PATH; or empty
  std::string cupti_path;         // of the CUPTI among its packages
  std::string matmul_heuristics;  // path of libnvMatmulHeuristics among them
  std::string compiler;           // a C compiler, which Triton builds its launchers with
  bool headers = false;           // Python.h, which it needs for them
  bool managed = false;  // its packages belong to the system: pip installs into a virtual environment only
};

// Runs the interpreter for at most `timeout_ms`; what it said last is kept in the cache folder.
PythonProbe probe_python(const std::string& path, int timeout_ms = 20000);

// Of the line that the probe prints, wherever it is in `output`; an error where there is none or it is broken.
PythonProbe read_probe(const std::string& path, const std::string& output);

// "triton 3.6.0, torch 2.11.0": versions of what runs a candidate of `backend`, as records say them.
std::string packages_text(const PythonProbe& probe, const std::string& backend);

// A thing that kernels of a backend need and the interpreter lacks, and the command that installs it.
struct PythonLack {
  std::string what;     // "triton", "a C compiler"
  std::string install;  // a line for a shell, or empty
};

// The library whose arrays candidates of `backend` are given (numpy: NumPy, else PyTorch), where it is not there.
std::optional<PythonLack> lacks_arrays(const PythonProbe& probe, const std::string& backend);

// The compiler of `backend` where it is there and older than what the harness can talk to.
std::optional<PythonLack> too_old(const PythonProbe& probe, const std::string& backend);

// What `backend` (triton, cutile, cutedsl, python, numpy) lacks to run here; to be compiled only, it needs no PyTorch.
std::vector<PythonLack> missing_for(const PythonProbe& probe, const std::string& backend,
                                    bool compile_only = false);

}  // namespace explog::bench
