// What a gate judges: files of a revision that name a task and a kernel (schema/formats/gate.md).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/git.h"
#include "bench/harness/private_folder.h"

namespace explog::app {

struct GateTask {
  std::string name;    // as it is called in answers
  std::string task;    // a built-in one's name, or a path from the repository's root
  std::string kernel;  // path from the root
  std::string backend;
  std::vector<std::string> flags;
  std::string trouble;  // why it cannot be judged
};

// Reads one file at `path` of a tree that was written to `root`. A task.json stands for its own baseline.
GateTask gate_task_in(const std::string& root, const std::string& path, const std::string& backend);

}  // namespace explog::app
