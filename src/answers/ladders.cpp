#include "answers/ladders.h"

#include <fmt/format.h>

#include <map>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using app::StepResult;

std::string shape_text(const StepResult& r) { return r.shape ? dims_text(r.shape->dims) : "-"; }

std::string_view verdict_word(const StepResult& r) { return r.verdict ? word(*r.verdict) : "error"; }

// Of the shape (faster, slower, ...) where one was timed, else why none was.
std::string status_text(const StepResult& r) {
  return r.shape ? std::string(word(r.shape->status)) : r.why_not;
}

bool has_figures(const StepResult& r) { return r.shape && r.shape->hi > 0; }

std::string line_of(const StepResult& r) {
  std::string figures =
      has_figures(r) ? fmt::format("{:>8.3f}x  {:.3f}..{:.3f}", r.shape->speedup, r.shape->lo, r.shape->hi)
                     : "        -";
  return fmt::format("{:<28} {:<26} {:<26} {:<22} {}  {}{}", r.step.task + "/" + r.step.file, r.step.strategy,
                     "after " + r.step.after, shape_text(r), figures,
                     has_figures(r) ? "" : std::string(verdict_word(r)) + " ", status_text(r));
}

void write_step(JsonWriter& json, const StepResult& r) {
  bench::ShapeVerdict shape;
  shape.speedup = 0;  // of none
  if (r.shape) shape = *r.shape;
  json.begin_object();
  for (auto [key, text] : {std::pair("task", &r.step.task),
                           {"file", &r.step.file},
                           {"strategy", &r.step.strategy},
                           {"after", &r.step.after},
                           {"predicts", &r.step.predicts}})
    json.field(key, *text);
  json.field("shape", shape_text(r));
  json.field("verdict", verdict_word(r));
  json.field("status", status_text(r));
  json.field("before_ms", shape.baseline_ms);
  json.field("after_ms", shape.candidate_ms);
  json.field("speedup", shape.speedup);
  json.field("lo", shape.lo);
  json.field("hi", shape.hi);
  json.end_object();
}

}  // namespace

void print_steps(const Terminal& terminal, const std::vector<bench::Step>& steps) {
  RowPrinter printer(terminal, Format::text);
  printer.header({"step", "strategy", "after", "prediction"});
  for (const bench::Step& s : steps) printer.row({s.task + "/" + s.file, s.strategy, s.after, s.predicts});
  printer.finish();
}

void print_steps_json(const Terminal& terminal, const std::vector<bench::Step>& steps) {
  JsonWriter json;
  begin_answer(json);
  json.key("steps");
  json.begin_array();
  for (const bench::Step& s : steps) {
    json.begin_object();
    for (auto [key, text] : {std::pair("task", &s.task),
                             {"file", &s.file},
                             {"strategy", &s.strategy},
                             {"after", &s.after},
                             {"predicts", &s.predicts}})
      json.field(key, *text);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  terminal.out << json.str() << '\n';
}

void print_step(const Terminal& terminal, const StepResult& result) {
  terminal.out << printable(line_of(result)) << '\n' << std::flush;
}

void print_best(const Terminal& terminal, const std::vector<StepResult>& results) {
  std::map<std::pair<std::string, std::string>, std::pair<double, const StepResult*>> best;
  std::map<std::pair<std::string, std::string>, double> naive;
  for (const StepResult& r : results) {
    if (!has_figures(r)) continue;
    auto key = std::pair(r.step.task, shape_text(r));
    if (r.step.after.starts_with("naive")) naive[key] = r.shape->baseline_ms;
    auto [it, is_new] = best.try_emplace(key, r.shape->candidate_ms, &r);
    if (!is_new && r.shape->candidate_ms < it->second.first) it->second = {r.shape->candidate_ms, &r};
  }
  if (!best.empty()) terminal.out << '\n' << terminal.bold("Fastest of each family and shape") << '\n';
  for (const auto& [key, value] : best) {
    auto from = naive.find(key);
    terminal.out << fmt::format(
        "  {:<16} {:<24} {:<26} {:>10.6f} ms{}\n", key.first, key.second, value.second->step.file,
        value.first, from != naive.end() ? fmt::format("  {:.1f}x naive", from->second / value.first) : "");
  }
}

void print_ladders_json(const Terminal& terminal, const app::LadderResults& results) {
  JsonWriter json;
  begin_answer(json);
  json.key("steps");
  json.begin_array();
  for (const StepResult& r : results.steps) write_step(json, r);
  json.end_array();
  json.field("skipped", results.skipped);
  json.field("left", results.left);
  json.end_object();
  terminal.out << json.str() << '\n';
}

}  // namespace explog::answers
