#include "answers/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "answers/bench_run.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using namespace bench;

void write_shape(JsonWriter& json, const ShapeReport& s) {
  json.begin_object();
  json.field("shape", s.dims);
  json.field("timed", s.timed);
  json.field("cases", s.cases);
  json.field("passed", s.passed);
  json.field("max_abs", s.max_abs);
  json.field("worst_row", s.worst_row);
  json.field("bits_correct", s.bits_correct);
  json.end_object();
}

void print_shapes(const Terminal& terminal, const CheckReport& report) {
  size_t width = 5;
  for (const ShapeReport& s : report.shapes) width = std::max(width, dims_text(s.dims).size());
  terminal.out << fmt::format("{:<{}}  {:>5}  {:>9}  {:>9}  {}\n", "shape", width, "cases", "max error",
                              "row error", "bits");
  for (const ShapeReport& s : report.shapes)
    terminal.out << fmt::format("{:<{}}  {:>5}  {:>9.2g}  {:>9.2g}  {:.1f}{}\n", dims_text(s.dims), width,
                                s.cases, s.max_abs, s.worst_row, s.bits_correct, s.passed ? "" : "  FAIL");
}

const char* required(const Screen& s) { return s.must_pass ? "pass" : "fail"; }

void write_screen(JsonWriter& json, const Screen& s) {
  json.begin_object();
  json.field("answer", s.name);
  json.field("must", required(s));
  json.field("applies", s.applies);
  json.field("cases", s.cases);
  json.field("passed", s.passed);
  json.field("ok", s.ok());
  json.field("detail", s.detail);
  json.end_object();
}

void print_screens(const Terminal& terminal, const SelfReport& report) {
  terminal.out << fmt::format("{:<24}  {:<5}  {:>6}  {:>6}\n", "answer", "must", "cases", "passed");
  for (const Screen& s : report.screens) {
    const char* result = !s.applies ? "does not apply" : s.ok() ? "ok" : "WEAK";
    terminal.out << fmt::format("{:<24}  {:<5}  {:>6}  {:>6}  {}\n", s.name, required(s), s.cases, s.passed,
                                result);
    if (!s.detail.empty()) terminal.out << "  " << printable(s.detail) << '\n';
  }
}

}  // namespace

std::string check_json(const CheckReport& report) {
  JsonWriter json;
  begin_answer(json);
  json.field("verdict", word(report.verdict));
  json.field("reason", report.reason);
  json.field("detail", report.detail);
  json.field("deterministic", report.deterministic);
  json.field("sanitizer", report.sanitizer);
  json.field("sandbox", report.device.sandbox);
  json.key("shapes");
  json.begin_array();
  for (const ShapeReport& s : report.shapes) write_shape(json, s);
  json.end_array();
  json.field("warnings", report.warnings);
  json.end_object();
  return json.take();
}

void print_check(const Terminal& terminal, const CheckReport& report, const std::string& what, bool quiet) {
  if (!report.device.gpu.empty() && !quiet) print_device(terminal, report.device);
  if (!report.shapes.empty() && !quiet) print_shapes(terminal, report);
  terminal.out << terminal.bold(upper(word(report.verdict))) << ' ' << what;
  if (!report.reason.empty())
    terminal.out << ": " << report.reason << ", " << printable(report.detail, false);
  terminal.out << '\n';
}

namespace {

// "softmax: 32 registers, 2 KiB shared memory, no stack (N=4096, D=4096)"
std::string kernel_line(const bench::PythonKernel& k) {
  std::vector<std::string> facts;
  if (k.registers) facts.push_back(fmt::format("{} registers", *k.registers));
  if (k.shared)
    facts.push_back(*k.shared == 0 ? "no shared memory"
                                   : fmt::format("{} bytes of shared memory", *k.shared));
  if (k.stack)
    facts.push_back(*k.stack == 0 ? "no spills" : fmt::format("{} bytes of stack (spills)", *k.stack));
  if (k.num_warps) facts.push_back(fmt::format("{} warps", *k.num_warps));
  if (k.num_stages) facts.push_back(fmt::format("{} stages", *k.num_stages));
  return fmt::format("{}: {} ({})", k.name, facts.empty() ? "compiled" : join(facts, ", "), k.dims);
}

void write_kernels(JsonWriter& json, const std::vector<bench::PythonKernel>& kernels) {
  json.key("kernels");
  json.begin_array();
  for (const bench::PythonKernel& k : kernels) {
    json.begin_object();
    json.field("name", k.name);
    json.field("dims", k.dims);
    for (auto [name, value] : {std::pair("registers", k.registers),
                               {"shared_bytes", k.shared},
                               {"stack_bytes", k.stack},
                               {"num_warps", k.num_warps},
                               {"num_stages", k.num_stages}}) {
      if (value) json.field(name, *value);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string compiled_json(const app::Compiled& compiled) {
  JsonWriter json;
  begin_answer(json);
  if (compiled.kernels.empty()) {
    json.field("library", compiled.library);
  } else {
    json.field("code", compiled.code);
    write_kernels(json, compiled.kernels);
  }
  json.end_object();
  return json.take();
}

void print_compiled(const Terminal& terminal, const app::Compiled& compiled) {
  terminal.out << "compiled " << printable(compiled.file) << '\n';
  for (const bench::PythonKernel& kernel : compiled.kernels)
    terminal.out << "  " << printable(kernel_line(kernel)) << '\n';
  if (!compiled.code.empty())
    terminal.out << terminal.dim("explog code " + compiled.code + " shows what was made of it") << '\n';
}

std::string task_check_json(const app::CheckedTask& checked) {
  JsonWriter json;
  begin_answer(json);
  json.field("verdict", checked.report.ok() ? "pass" : "weak");
  json.key("screens");
  json.begin_array();
  for (const Screen& s : checked.report.screens) write_screen(json, s);
  json.end_array();
  json.key("baseline"), json.raw(check_json(checked.report.baseline));
  json.end_object();
  return json.take();
}

void print_task_check(const Terminal& terminal, const app::CheckedTask& checked, bool quiet) {
  const SelfReport& report = checked.report;
  if (!quiet) print_screens(terminal, report);
  terminal.out << terminal.bold(report.ok() ? "PASS" : "WEAK") << " task " << checked.task
               << (report.ok() ? ": trivial answers fail, honest ones pass"
                               : ": do not trust verdicts it gives");
  if (report.baseline.verdict != CheckVerdict::pass)
    terminal.out << "; its baseline: " << printable(report.baseline.detail);
  terminal.out << '\n';
}

}  // namespace explog::answers
