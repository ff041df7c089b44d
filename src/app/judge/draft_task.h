// Tasks: those there are, and a first draft of one from a kernel's source.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/task.h"

namespace explog::app {

std::vector<Task> known_tasks(const Session& session);
Task task_named(const std::string& name, const Session& session);

struct DraftOptions {
  std::string source, out, name;       // the kernel's file; folder and name of the task, or empty
  std::vector<std::string> dims;       // "N=4096,D=64"
  std::vector<std::string> dim_flags;  // "--N=4096": a parameter of solve() by name
  std::string reference;               // a reference in Python: its file, or empty
  bool force = false;                  // write over files that exist
};

struct DraftedTask {
  std::string folder, source;          // of the task; base name of the kernel's file in it
  std::string reference;               // base name; it is there to be finished where it is reference.cpp
  std::vector<std::string> files;      // base names
  std::vector<std::string> to_finish;  // what was guessed or could not be known, a line each
};
// Writes task.json, the reference and a copy of the source into a folder. Throws Error(usage) when the source
// cannot be drafted from, or a file is there already.
DraftedTask draft_task(const DraftOptions& options);

}  // namespace explog::app
