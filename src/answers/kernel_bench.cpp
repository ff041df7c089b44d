#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "answers/results.h"
#include "base/text.h"
#include "bench/judge/record.h"
#include "model/json.h"

namespace explog::answers {
namespace {

// "level1/23_Softmax.py".
struct KernelBenchProblem {
  std::string level, file;
  long number = -1;
};

KernelBenchProblem problem_of(const std::string& definition) {
  size_t slash = definition.find('/');
  KernelBenchProblem problem;
  if (slash == std::string::npos) return problem;
  problem.level = definition.substr(0, slash);
  problem.file = definition.substr(slash + 1);
  size_t digits = std::min(problem.file.find_first_not_of("0123456789"), problem.file.size());
  if (digits > 0 && digits < 7) problem.number = std::stol(problem.file.substr(0, digits));
  return problem;
}

std::vector<double> samples_of(const ShapeRun& run, std::initializer_list<Arm> arms) {
  std::vector<double> all;
  for (const Block& block : run.blocks) {
    if (!block.discarded.empty()) continue;
    for (Arm arm : arms) {
      const std::vector<double>& ms = of_arm(block.passes, arm).ms;
      all.insert(all.end(), ms.begin(), ms.end());
    }
  }
  return all;
}

// Population deviation, as NumPy has it.
void write_timing(JsonWriter& json, const std::vector<double>& ms, const std::string& gpu) {
  json.begin_object();
  if (!ms.empty()) {
    auto n = static_cast<double>(ms.size());
    double mean = std::accumulate(ms.begin(), ms.end(), 0.0) / n, squares = 0;
    for (double value : ms) squares += (value - mean) * (value - mean);
    json.field("mean", mean);
    json.field("std", std::sqrt(squares / n));
    json.field("min", *std::min_element(ms.begin(), ms.end()));
    json.field("max", *std::max_element(ms.begin(), ms.end()));
    json.field("num_trials", ms.size());
    json.field("hardware", gpu);
    json.field("device", "cuda:0");
  }
  json.end_object();
}

// The largest shape of the run that counts, which is the problem's own; nullptr where nothing was timed.
const ShapeRun* timed_shape(const app::ExportedAttempt& attempt) {
  const bench::ShapeVerdict* largest = bench::largest_shape(attempt.verdict);
  bool timed = largest && largest->hi > 0 && largest->status != bench::ShapeStatus::too_fast;
  if (!timed || attempt.measurement.runs.empty()) return nullptr;
  for (const ShapeRun& run : attempt.measurement.runs.back().shapes) {
    if (run.dims == largest->dims) return &run;
  }
  return nullptr;
}

void write_metadata(JsonWriter& json, const app::ExportedAttempt& attempt, bool compiled, bool right) {
  const Measurement& m = attempt.measurement;
  std::string cause = right ? "" : bench::cause_of(m.correctness);
  json.key("metadata");
  json.begin_object();
  json.field("hardware", m.gpu);
  json.field("device", "cuda:0");
  if (!compiled)
    json.field("compilation_error", m.correctness_detail);
  else if (cause == "wrong_values" || cause == "nan")
    json.field("correctness_issue", m.correctness_detail);
  else if (!right)
    json.field("runtime_error", m.correctness_detail);
  json.field("explog", fmt::format("{} {}: {}", word(attempt.verdict.verdict), attempt.verdict.reason,
                                   attempt.verdict.detail));
  json.field("source", m.candidate.file + " " + m.candidate.hash);
  json.end_object();
}

std::string sample_of(const app::ExportedAttempt& attempt, std::size_t number) {
  const Measurement& m = attempt.measurement;
  bool right = bench::found_right(m);
  bool compiled = right || bench::cause_of(m.correctness) != "compile_error";
  const ShapeRun* shape = right ? timed_shape(attempt) : nullptr;
  std::vector<double> ms = shape ? samples_of(*shape, {Arm::candidate}) : std::vector<double>();
  JsonWriter json;
  json.begin_object();
  json.field("sample_id", number);
  json.field("compiled", compiled);
  json.field("correctness", right);
  write_metadata(json, attempt, compiled, right);
  json.field("runtime",
             ms.empty() ? -1.0 : std::accumulate(ms.begin(), ms.end(), 0.0) / static_cast<double>(ms.size()));
  json.key("runtime_stats");
  write_timing(json, ms, m.gpu);
  json.end_object();
  return json.take();
}

using Samples = std::map<long, std::vector<std::string>>;                   // of a problem
using Timings = std::map<std::string, std::map<std::string, std::string>>;  // of a level: file -> figures

std::string samples_text(const Samples& problems) {
  std::string text = "{";
  for (const auto& [number, samples] : problems)
    text += fmt::format("{}\n    \"{}\": [\n        {}\n    ]", text.size() > 1 ? "," : "", number,
                        join(samples, ",\n        "));
  return text + "\n}\n";
}

std::string timings_text(const Timings& levels) {
  std::string text = "{";
  for (const auto& [level, problems] : levels) {
    text += fmt::format("{}\n    {}: {{", text.size() > 1 ? "," : "", json_quote(level));
    bool first = true;
    for (const auto& [file, figures] : problems) {
      text += fmt::format("{}\n        {}: {}", first ? "" : ",", json_quote(file), figures);
      first = false;
    }
    text += "\n    }";
  }
  return text + "\n}\n";
}

}  // namespace

std::string path_word(const std::string& text) {
  std::string word = text.empty() ? "unknown" : text.substr(0, 100);
  for (char& c : word) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!plain) c = '_';
  }
  return word;
}

ResultFiles kernel_bench_files(const app::ExportedResults& results) {
  ResultFiles made;
  std::map<std::string, Samples> runs;     // path -> samples
  std::map<std::string, Timings> timings;  // the newest of a problem
  for (const app::ExportedAttempt& attempt : results.attempts) {
    const Measurement& m = attempt.measurement;
    KernelBenchProblem problem = problem_of(m.imported_from->definition);
    if (problem.number < 0) {
      ++made.left_out["the problem's file lay in no folder levelN, or its name has no number in front"];
      continue;
    }
    std::string gpu = path_word(m.gpu);
    if (bench::found_right(m) && !timed_shape(attempt)) {
      ++made.left_out["right, but not timed well enough"];
      continue;
    }
    auto& samples =
        runs["runs/explog_" + gpu + "_" + path_word(problem.level) + "/eval_results.json"][problem.number];
    samples.push_back(sample_of(attempt, samples.size()));
    ++made.results;
    if (const ShapeRun* shape = timed_shape(attempt)) {
      JsonWriter json;
      write_timing(json, samples_of(*shape, {Arm::baseline, Arm::baseline_again}), m.gpu);
      timings["results/timing/" + gpu + "/baseline_time_explog.json"][problem.level][problem.file] =
          json.take();
    }
  }
  for (const auto& [path, problems] : runs) made.files.emplace_back(path, samples_text(problems));
  for (const auto& [path, levels] : timings) made.files.emplace_back(path, timings_text(levels));
  return made;
}

}  // namespace explog::answers
