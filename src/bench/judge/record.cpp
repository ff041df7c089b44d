#include "bench/judge/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/arch.h"
#include "model/backend.h"
#include "model/evidence.h"

namespace explog::bench {
namespace {

constexpr std::size_t longest_line = 128 << 10;

// Words of a verdict -> causes of a failed attempt; what is not named here gave wrong values in one way or
// another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> causes = {{
    {"compile_error", "compile_error"},
    {"load_error", "compile_error"},
    {"launch_error", "launch_error"},
    {"crash", "launch_error"},
    {"exit", "launch_error"},
    {"no_metric", "launch_error"},
    {"timeout", "timeout"},
    {"sanitizer", "sanitizer"},
    {"nan", "nan"},
    {"out_of_memory", "out_of_memory"},
    {"regression", "regression"},
    {"slower", "regression"},
    {"too_fast", "wrong_values"},
}};

void set_times(Experience& e, const ShapeVerdict& shape) {
  for (const auto& [name, value] : shape.dims) e.shape.emplace_back(name, static_cast<double>(value));
  e.latency_before_ms = shape.baseline_ms;
  e.latency_after_ms = shape.candidate_ms;
  if (shape.hi <= 0) return;
  // The speed-up is that of neighbours in time, block by block; where the machine's speed moved, the two medians over
  // all blocks say something else. A record's figures agree: its baseline is the one the candidate was compared with.
  e.latency_before_ms = shape.candidate_ms * shape.speedup;
  e.speedup = shape.speedup;
  e.speedup_lo = shape.lo;
  e.speedup_hi = shape.hi;
}

void set_outcome(Experience& e, const Measurement& m, const Verdict& verdict) {
  bool right = found_right(m);
  bool lost = verdict.reason == "regression" || verdict.reason == "slower";
  e.correctness = right ? "pass" : "fail";
  e.decision = verdict.verdict == Decision::inconclusive ? "" : std::string(word(verdict.verdict));
  e.outcome = verdict.verdict == Decision::keep                ? "success"
              : !right || lost || verdict.reason == "too_fast" ? "failure"
                                                               : "neutral";
  if (e.outcome == "failure") e.cause = cause_of(verdict.reason);
}

}  // namespace

std::string cause_of(const std::string& reason) {
  for (const auto& [word, cause] : causes) {
    if (word == reason) return std::string(cause);
  }
  return "wrong_values";
}

const ShapeVerdict* largest_shape(const Verdict& verdict) {
  auto smaller = [](const ShapeVerdict& a, const ShapeVerdict& b) { return volume(a.dims) < volume(b.dims); };
  auto it = std::max_element(verdict.shapes.begin(), verdict.shapes.end(), smaller);
  return it != verdict.shapes.end() ? &*it : nullptr;
}

Experience experience_of(const Measurement& m, const Verdict& verdict, const Task& task) {
  Experience e;
  e.kernel_type = task.kernel_type;
  e.kernel = m.candidate.file;
  e.backend = recorded_backend(m.backend);
  if (canonical_arch(m.arch)) e.arch = m.arch;
  e.gpu = m.gpu;
  for (const Argument& a : task.arguments) {
    if (a.is_output() && e.dtype.empty()) e.dtype = dtype_name(a.dtype);
  }
  if (const ShapeVerdict* shape = largest_shape(verdict)) set_times(e, *shape);
  set_outcome(e, m, verdict);
  e.level = "measured";
  e.source_before = m.baseline.hash;
  e.source_after = m.candidate.hash;
  e.toolkit = m.toolkit;
  e.driver = m.driver;
  e.condition = m.mode + ", clock " + m.clock;
  if (m.runner == "in_process") e.tags.emplace_back(in_process_tag), e.condition += ", in process";
  if (m.correctness_detail.starts_with("cheat")) e.tags.push_back("cheat");
  e.notes = verdict.reason + ": " + verdict.detail;
  return e;
}

std::vector<Experience> experiences_by_shape(const Measurement& m, const Verdict& verdict, const Task& task) {
  Experience whole = experience_of(m, verdict, task);
  std::vector<Experience> list;
  for (const ShapeVerdict& shape : verdict.shapes) {
    if (shape.hi <= 0 || shape.status == ShapeStatus::unstable || shape.status == ShapeStatus::too_fast)
      continue;
    Experience e = whole;
    e.shape.clear();
    set_times(e, shape);
    e.outcome = e.cause = "";  // prepare() derives both from the speed-up and its interval
    e.decision = shape.status == ShapeStatus::faster ? "keep" : "revert";
    e.notes = fmt::format("{} at this shape; over all shapes {}, {}", word(shape.status),
                          word(verdict.verdict), verdict.reason);
    list.push_back(std::move(e));
  }
  if (list.empty() && m.correctness != "pass") list.push_back(std::move(whole));
  return list;
}

std::string log_line(const Measurement& m) {
  std::string line = to_json(m);
  if (line.size() <= longest_line) return line;
  Measurement thin = m;
  for (MeasurementRun& run : thin.runs) {
    for (ShapeRun& shape : run.shapes) {
      for (Block& block : shape.blocks) {
        for (Pass& pass : block.passes) pass.ms = {median(pass.ms)};
      }
    }
  }
  return to_json(thin);
}

}  // namespace explog::bench
