// Tasks of other benchmarks as tasks of explog: what their files say of arguments, shapes and references. Pure: files
// are found, and Python is asked for shapes, elsewhere.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/task.h"

namespace explog::bench {

struct ForeignTask {
  Task task;
  std::vector<std::pair<std::string, std::string>> files;  // beside task.json: relative name and text
  std::vector<std::string> took, guessed, left_out;        // a line each, for the user
};

// A definition of SOL-ExecBench or FlashInfer-Bench (`format`) with its workloads (one JSON text a line, or traces that
// hold them) and solutions. Throws Error(usage) when no task can say what it asks for.
ForeignTask task_of_definition(const std::string& format, const std::string& definition,
                               const std::vector<std::string>& workloads,
                               const std::vector<std::string>& solutions);

// What a Python program found out about a problem by running it on tensors without memory (foreign_python.h).
// `source` becomes ref.py. Throws Error(usage).
ForeignTask task_of_probe(const std::string& probe, const std::string& name, const std::string& source);

// The bound that KernelBench compares with, which follows from the type of the output.
void take_kernel_bench_tolerance(ForeignTask& made);

// Text of a kernel with the task's signature that computes nothing: a baseline to be written.
std::string empty_baseline(const Task& task);

}  // namespace explog::bench
