// Problems of other benchmarks -> folders with a task.json.
#pragma once
#include <string>
#include <vector>

namespace explog::app {

struct ImportTaskOptions {
  std::string path;               // a file or folder of theirs
  std::string out;                // where the task's folder goes; empty: ./ and the task's name
  std::vector<std::string> dims;  // of a kernel-opt-skill folder: its kernel does not say them
  bool force = false;
};

struct ImportedTaskFolder {
  std::string name, layout, folder;
  std::vector<std::string> files, took, guessed, left_out;
  std::string baseline;  // its file; baseline.cu is a draft
};
struct ImportedTasks {
  std::vector<ImportedTaskFolder> tasks;
  std::vector<std::string> refused;  // "definitions/x.json: why"
};

// SOL-ExecBench and FlashInfer-Bench (a folder with a definition, one definition, or a whole set), KernelBench (a
// problem's file, or a folder of them), GPU MODE (a folder with task.yml, or one of such folders), kernel-opt-skill (a
// folder with ref.py and a kernel). Of many what cannot be taken is refused alone; else throws Error(usage).
ImportedTasks import_tasks(const ImportTaskOptions& options);

}  // namespace explog::app
