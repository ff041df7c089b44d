// The Python program that finds shapes and types of problems that are written in Python. It runs the problem's own
// code on tensors of PyTorch's meta device, which have no memory; it does so with the user's rights, as running the
// benchmark itself would.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/child.h"

namespace explog::bench {

enum class Problem { kernel_bench, gpu_mode, skill };

// PyTorch takes seconds to load: the problems of a folder share one interpreter, and each runs in a copy of it. One that
// ends the interpreter itself is refused, and the next gets a new one.
class ProblemProbe {
 public:
  // What the program says, as JSON (foreign_probe.cpp reads it): {"dims": [NAME...], "inputs": [...], "outputs": [...], "timed":
  // [{NAME: size}...], "reference": text, ...} or {"error": text}. `path`: a problem's file, or a folder with task.yml or ref.py;
  // of the last `sizes` are other than its own, NAME=NUMBER. Throws Error(unavailable) where there is no Python with PyTorch,
  // Error(usage) where the problem's code ends the interpreter or never ends.
  std::string ask(Problem kind, const std::string& path, const std::vector<std::string>& sizes = {});

 private:
  std::string listen(const std::string& path);
  std::unique_ptr<Child> python_;
};

}  // namespace explog::bench
