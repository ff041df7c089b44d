// Tasks of other benchmarks as tasks of explog: what their files say of arguments, shapes and references. Pure: files
// are found, and Python is asked for shapes, elsewhere.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/task.h"

namespace explog::bench {

// A file of inputs, copied beside the task.
struct ForeignData {
  std::string name, source;  // "inputs/b4.safetensors", and where it lies now
  std::uint64_t bytes = 0;
};

struct ForeignTask {
  Task task;
  std::vector<std::pair<std::string, std::string>> files;  // beside task.json: relative name and text
  std::vector<ForeignData> data;
  std::vector<std::string> took, guessed, left_out;  // a line each, for the user
};

struct ForeignFile;  // foreign_given.h

// A definition of SOL-ExecBench or FlashInfer-Bench (`format`) with its workloads (one JSON text a line, or traces that
// hold them) and solutions; `find` knows the files that they name. Throws Error(usage) when no task can say what it asks
// for.
ForeignTask task_of_definition(const std::string& format, const std::string& definition,
                               const std::vector<std::string>& workloads,
                               const std::vector<std::string>& solutions,
                               const std::function<ForeignFile(const std::string&)>& find = {});

// What a Python program found out about a problem by running it on tensors without memory (foreign_python.h). Throws
// Error(usage).
ForeignTask task_of_probe(const std::string& probe, const std::string& name);

// The bound that KernelBench compares with, which follows from the type of the output.
void take_kernel_bench_tolerance(ForeignTask& made);

// Text of a kernel with the task's signature that computes nothing: a baseline to be written.
std::string empty_baseline(const Task& task);

}  // namespace explog::bench
