#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "answers/results.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using app::ExportedAttempt;

// What the judge found -> status of an evaluation. What is not named gave wrong values in one way or another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> statuses = {{
    {"compile_error", "COMPILE_ERROR"},
    {"load_error", "COMPILE_ERROR"},
    {"launch_error", "RUNTIME_ERROR"},
    {"crash", "RUNTIME_ERROR"},
    {"exit", "RUNTIME_ERROR"},
    {"out_of_memory", "RUNTIME_ERROR"},
    {"sanitizer", "RUNTIME_ERROR"},
    {"out_of_bounds_write", "RUNTIME_ERROR"},
    {"timeout", "TIMEOUT"},
}};

// FlashInfer-Bench has no word for deceit.
std::string status_of(const Measurement& m) {
  if (bench::found_right(m)) return "PASSED";
  if (m.correctness_detail.starts_with("cheat: "))
    return m.imported_from->format == sol_exec_bench ? "REWARD_HACK" : "RUNTIME_ERROR";
  for (const auto& [word, status] : statuses) {
    if (word == m.correctness) return std::string(status);
  }
  return "INCORRECT_NUMERICAL";
}

bool is_at(const Json& axes, const Dims& dims) {
  return std::all_of(dims.begin(), dims.end(), [&](const auto& dim) {
    return axes.is_object() && axes.contains(dim.first) && axes[dim.first] == dim.second;
  });
}

// The entry of a list of shapes that is the workload's.
template <class List>
auto at_axes(const List& list, const Json& axes) {
  return std::find_if(list.begin(), list.end(), [&](const auto& entry) { return is_at(axes, entry.dims); });
}

// Where the check ended before it came to the workload's shape: the largest of what it saw; NaN where it compared nothing.
CheckedErrors errors_at(const Measurement& m, const Json& axes) {
  auto at = at_axes(m.checked, axes);
  if (at != m.checked.end()) return *at;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (m.checked.empty()) return {{}, unknown, unknown};
  CheckedErrors all;
  for (const CheckedErrors& e : m.checked) {
    all.max_abs = std::max(all.max_abs, e.max_abs);
    all.max_rel = std::max(all.max_rel, e.max_rel);
  }
  return all;
}

void write_error(JsonWriter& json, std::string_view name, double value) {
  value == value ? json.field(name, value) : json.field(name, "NaN");
}

void write_correctness(JsonWriter& json, const Measurement& m, const Json& axes) {
  CheckedErrors errors = errors_at(m, axes);
  if (m.correctness == "nan") errors.max_abs = errors.max_rel = std::numeric_limits<double>::quiet_NaN();
  json.key("correctness");
  json.begin_object();
  write_error(json, "max_relative_error", errors.max_rel);
  write_error(json, "max_absolute_error", errors.max_abs);
  json.end_object();
}

// "triton 3.6.0, torch 2.11.0" names packages, "CUDA 13.0.88" the toolkit.
void write_environment(JsonWriter& json, const Measurement& m) {
  json.key("environment");
  json.begin_object();
  json.field("hardware", m.gpu.empty() ? "unknown" : m.gpu);
  json.key("libs");
  json.begin_object();
  json.field("explog", m.harness);
  for (std::string_view part : split(m.toolkit, ',')) {
    std::string package(trim(part));
    size_t blank = package.find(' ');
    if (blank != std::string::npos) json.field(lower(package.substr(0, blank)), package.substr(blank + 1));
  }
  if (!m.driver.empty()) json.field("driver", m.driver);
  json.end_object();
  json.end_object();
}

void write_performance(JsonWriter& json, const bench::ShapeVerdict& shape) {
  json.key("performance");
  json.begin_object();
  json.field("latency_ms", shape.candidate_ms);
  json.field("reference_latency_ms", shape.candidate_ms * shape.speedup);
  json.field("speedup_factor", shape.speedup);
  json.end_object();
}

std::string log_of(const ExportedAttempt& attempt) {
  const Measurement& m = attempt.measurement;
  std::string text = fmt::format("explog: {} {}: {}", word(attempt.verdict.verdict), attempt.verdict.reason,
                                 attempt.verdict.detail);
  if (!bench::found_right(m)) return text;
  return text +
         fmt::format(
             "; times are medians, {} caches, clock {}; reference_latency_ms is that of {}, not of the "
             "definition's reference",
             m.mode, m.clock, m.baseline.file);
}

class TraceWriter {
 public:
  void add(const ExportedAttempt& attempt) {
    const Measurement& m = attempt.measurement;
    if (m.imported_from->workloads.empty())
      return leave_out(
          "no workload of the benchmark has the shapes that were timed, and inputs that explog makes");
    for (const std::string& workload : m.imported_from->workloads) add(attempt, workload);
  }

  ResultFiles take() {
    for (auto& [definition, lines] : lines_)
      made_.files.emplace_back("traces/" + definition + ".jsonl", std::move(lines));
    return std::move(made_);
  }

 private:
  void leave_out(const std::string& why) { ++made_.left_out[why]; }

  void add(const ExportedAttempt& attempt, const std::string& workload) {
    const Measurement& m = attempt.measurement;
    Json parsed = parse_json(workload);
    const Json axes = parsed.contains("axes") ? parsed["axes"] : Json::object();
    std::string status = status_of(m);
    auto shape = at_axes(attempt.verdict.shapes, axes);
    bool timed = shape != attempt.verdict.shapes.end() && shape->hi > 0 &&
                 shape->status != bench::ShapeStatus::too_fast &&
                 shape->status != bench::ShapeStatus::unstable;
    if (status == "PASSED" && !timed) return leave_out("right, but not timed well enough at this shape");
    if (status == "PASSED" && at_axes(m.checked, axes) == m.checked.end())
      return leave_out("measured by an explog that kept no errors: bench it again");
    JsonWriter json;
    json.begin_object();
    json.field("definition", m.imported_from->definition);
    json.key("workload");
    json.raw(workload);
    json.field("solution", m.candidate.file + "-" + m.candidate.hash.substr(0, 8));
    json.key("evaluation");
    json.begin_object();
    json.field("status", status);
    json.field("log", log_of(attempt));
    if (status == "PASSED" || status == "INCORRECT_NUMERICAL") write_correctness(json, m, axes);
    if (status == "PASSED") write_performance(json, *shape);
    write_environment(json, m);
    json.field("timestamp", attempt.at);
    json.end_object();
    json.end_object();
    lines_[path_word(m.imported_from->definition)] += json.take() + "\n";
    ++made_.results;
  }

  std::map<std::string, std::string> lines_;
  ResultFiles made_;
};

}  // namespace

ResultFiles trace_files(const app::ExportedResults& results) {
  TraceWriter writer;
  for (const ExportedAttempt& attempt : results.attempts) writer.add(attempt);
  return writer.take();
}

}  // namespace explog::answers
