// Tasks by name: those that are part of the program, and folders and files of the user's own.
#pragma once
#include <string>
#include <vector>

#include "model/task.h"

namespace explog::bench {

// A task found by the name of an embedded one, by its folder or its file.
struct FoundTask {
  Task task;
  std::string folder;  // empty: the task is part of the program
  std::string hash;    // of task.json, the reference and files of inputs
};
FoundTask find_task(const std::string& name, const std::string& data_dir);
std::vector<std::string> embedded_task_names();
// One of those.
FoundTask embedded_task(const std::string& name);
// Whether the program's own task of that name has that hash.
bool is_built_in(const std::string& name, const std::string& hash);

}  // namespace explog::bench
