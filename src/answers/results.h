// Verdicts as files of FlashInfer-Bench, SOL-ExecBench and KernelBench.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/judge/export_results.h"

namespace explog::answers {

struct ResultFiles {
  std::vector<std::pair<std::string, std::string>> files;  // path below the folder, and what it holds
  std::size_t results = 0;                                 // traces, or samples of problems
  std::map<std::string, std::size_t> left_out;             // why -> shapes or measurements
};

// traces/DEFINITION.jsonl: a trace a line, one a workload of each measurement.
ResultFiles trace_files(const app::ExportedResults& results);
// runs/explog_GPU_LEVEL/eval_results.json: the samples of a level's problems; results/timing/GPU/baseline_time_explog.json:
// what their baselines took.
ResultFiles kernel_bench_files(const app::ExportedResults& results);

// Text of others as a word of a path, which leads nowhere else.
std::string path_word(const std::string& text);

}  // namespace explog::answers
