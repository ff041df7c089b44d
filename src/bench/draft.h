// A first task.json and reference.cpp, made from the signature of a kernel's solve() for the user to finish.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/judge/signature.h"
#include "model/task.h"

namespace explog::bench {

struct DraftOrder {
  std::string file;    // base name of the kernel's source; it becomes the baseline
  std::string source;  // its text
  std::string name;    // of the task; empty: the file's, without its ending
  Dims dims;           // the shape to time
  std::string reference_file = {}, reference = {};  // base name and text of a reference in Python, or empty
  std::optional<Signature> signature = {};          // of a source in Python, whose text tells no types
  std::string backend = {};                         // of a source in Python: cuda or host
  std::string kernel_type = {},
              type_reason = {};  // what the source looks like where no name says it, and why
};

struct Draft {
  Task task;
  std::string reference;  // its text: one that was given, or a reference.cpp that refuses to compute
  std::vector<std::string> to_finish;  // what was guessed or could not be known, a line each
};

// "N=4096,D=64" or several such texts. Throws Error(usage) naming the entry that is wrong.
Dims parse_dims(const std::vector<std::string>& texts);

// The file's name without its ending, as a name of a task.
std::string task_name_of(const std::string& file);

// Throws Error(usage) when solve() is not there, has no output, or has a parameter that no task can describe.
Draft draft_task(const DraftOrder& order);

}  // namespace explog::bench
