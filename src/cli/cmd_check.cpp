// check: task + candidate -> is it right?
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "bench/sanitizer.h"
#include "bench/self_check.h"
#include "cli/commands.h"
#include "cli/judging.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

struct Options {
  JudgeFlags judge;
  bool self = false, compile_only = false, no_sanitizer = false;
};

std::string verdict_json(const CheckReport& report) {
  JsonWriter json;
  json.begin_object();
  json.key("verdict"), json.text(report.verdict);
  json.key("reason"), json.text(report.reason);
  json.key("detail"), json.text(report.detail);
  json.key("deterministic"), json.boolean(report.deterministic);
  json.key("sanitizer"), json.text(report.sanitizer);
  json.key("shapes");
  json.begin_array();
  for (const ShapeReport& s : report.shapes) {
    json.begin_object();
    json.key("shape"), write_dims(json, s.dims);
    json.key("timed"), json.boolean(s.timed);
    json.key("cases"), json.number(s.cases);
    json.key("passed"), json.boolean(s.passed);
    json.key("max_abs"), json.number(s.max_abs);
    json.key("worst_row"), json.number(s.worst_row);
    json.key("bits_correct"), json.number(s.bits_correct);
    json.end_object();
  }
  json.end_array();
  json.key("warnings"), json.texts(report.warnings);
  json.end_object();
  return json.take();
}

int exit_code(const CheckReport& report) {
  if (report.verdict == "pass") return 0;
  return static_cast<int>(report.verdict == "crash" ? Exit::crash : Exit::negative);
}

void print_shapes(Context& context, const CheckReport& report) {
  size_t width = 5;
  for (const ShapeReport& s : report.shapes) width = std::max(width, dims_text(s.dims).size());
  context.out << fmt::format("{:<{}}  {:>5}  {:>9}  {:>9}  {}\n", "shape", width, "cases", "max error",
                             "row error", "bits");
  for (const ShapeReport& s : report.shapes)
    context.out << fmt::format("{:<{}}  {:>5}  {:>9.2g}  {:>9.2g}  {:.1f}{}\n", dims_text(s.dims), width,
                               s.cases, s.max_abs, s.worst_row, s.bits_correct, s.passed ? "" : "  FAIL");
}

int print_report(Context& context, const CheckReport& report, const std::string& what) {
  clear_progress(context);
  for (const std::string& w : report.warnings) context.warn(w);
  if (!report.printed.empty() && !context.quiet) print_candidate_output(context, report.printed);
  if (context.json) {
    context.out << verdict_json(report) << '\n';
    return exit_code(report);
  }
  if (!report.device.gpu.empty() && !context.quiet) print_device(context, report.device);
  if (!report.shapes.empty() && !context.quiet) print_shapes(context, report);
  context.out << context.bold(upper(report.verdict)) << ' ' << what;
  if (!report.reason.empty()) context.out << ": " << report.reason << ", " << printable(report.detail, false);
  context.out << '\n';
  return exit_code(report);
}

CheckReport compile_error_report(const std::string& log) {
  CheckReport report;
  report.verdict = "crash";
  report.reason = "compile_error";
  report.detail = "the compiler said:\n" + log;
  return report;
}

std::string self_json(const SelfReport& report) {
  JsonWriter json;
  json.begin_object();
  json.key("verdict"), json.text(report.ok() ? "pass" : "weak");
  json.key("screens");
  json.begin_array();
  for (const Screen& s : report.screens) {
    json.begin_object();
    json.key("answer"), json.text(s.name);
    json.key("must"), json.text(s.must_pass ? "pass" : "fail");
    json.key("applies"), json.boolean(s.applies);
    json.key("cases"), json.number(s.cases);
    json.key("passed"), json.number(s.passed);
    json.key("ok"), json.boolean(s.ok());
    json.key("detail"), json.text(s.detail);
    json.end_object();
  }
  json.end_array();
  json.key("baseline"), json.raw(verdict_json(report.baseline));
  json.end_object();
  return json.take();
}

void print_screens(Context& context, const SelfReport& report) {
  context.out << fmt::format("{:<24}  {:<5}  {:>6}  {:>6}\n", "answer", "must", "cases", "passed");
  for (const Screen& s : report.screens) {
    context.out << fmt::format("{:<24}  {:<5}  {:>6}  {:>6}  {}\n", s.name, s.must_pass ? "pass" : "fail",
                               s.cases, s.passed,
                               !s.applies ? "does not apply"
                               : s.ok()   ? "ok"
                                          : "WEAK");
    if (!s.detail.empty()) context.out << "  " << printable(s.detail) << '\n';
  }
}

// The task's own baseline takes the candidate's place.
int run_self(const Options& o, Context& context, Judgement judgement) {
  Progress progress = progress_on(context);
  Workbench bench(judgement.found.task, judgement.found.folder, judgement.backend,
                  toolchain_for(o.judge, judgement));
  judgement.candidate = bench.file(bench.backend().baseline);
  std::string compile_error;
  Products products = build_products(bench, judgement, compile_error, progress);
  SelfReport report = self_check(bench, products, progress);
  clear_progress(context);
  if (context.json) {
    context.out << self_json(report) << '\n';
  } else {
    if (!context.quiet) print_screens(context, report);
    context.out << context.bold(report.ok() ? "PASS" : "WEAK") << " task " << judgement.found.task.name
                << (report.ok() ? ": trivial answers fail, honest ones pass"
                                : ": do not trust verdicts it gives");
    if (report.baseline.verdict != "pass")
      context.out << "; its baseline: " << printable(report.baseline.detail);
    context.out << '\n';
  }
  return report.ok() ? 0 : static_cast<int>(Exit::negative);
}

int run_check(const Options& o, Context& context) {
  Judgement judgement = read_judgement(o.judge, context);
  if (o.self) return run_self(o, context, judgement);
  if (judgement.candidate.name.empty()) throw Error(Exit::usage, "check: name a candidate file, or --self");
  Progress progress = progress_on(context);
  Workbench bench(judgement.found.task, judgement.found.folder, judgement.backend,
                  toolchain_for(o.judge, judgement));
  std::string compile_error;
  Products products = build_products(bench, judgement, compile_error, progress);
  std::string what = judgement.candidate.name + " for " + judgement.found.task.name;
  if (!compile_error.empty()) return print_report(context, compile_error_report(compile_error), what);
  if (o.compile_only) {
    clear_progress(context);
    if (context.json)
      context.out << "{\"library\":" << json_quote(products.candidate) << "}\n";
    else
      context.out << "compiled " << judgement.candidate.name << '\n';
    return 0;
  }
  Trusted trusted(bench, products);
  CheckReport report = check_candidate(bench, trusted, products, progress);
  if (!o.no_sanitizer) sanitize(report, bench, products, progress);
  return print_report(context, report, what);
}

}  // namespace

Action setup_check(CLI::App& app) {
  auto o = std::make_shared<Options>();
  o->judge.add_to(app);
  app.add_flag("--self", o->self, "check the task itself: trivial answers must fail, honest ones pass");
  app.add_flag("--no-sanitizer", o->no_sanitizer, "without compute-sanitizer");
  app.add_flag("--compile-only", o->compile_only, "only compile; with --arch this needs no GPU");
  return [o](Context& context) { return run_check(*o, context); };
}

}  // namespace explog::cli
