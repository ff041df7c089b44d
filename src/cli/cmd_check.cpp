// check: task + candidate -> is it right?
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/judging.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

struct Options {
  JudgeFlags judge;
  bool self = false, compile_only = false;
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
  json.key("warnings");
  json.begin_array();
  for (const std::string& w : report.warnings) json.text(w);
  json.end_array();
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
  context.out << fmt::format("{:<{}}  {:>5}  {:>9}  {:>9}  {}\n", "shape", width, "cases", "max error", "row error", "bits");
  for (const ShapeReport& s : report.shapes)
    context.out << fmt::format("{:<{}}  {:>5}  {:>9.2g}  {:>9.2g}  {:.1f}{}\n", dims_text(s.dims), width, s.cases, s.max_abs,
                               s.worst_row, s.bits_correct, s.passed ? "" : "  FAIL");
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
  std::string verdict = report.verdict;
  std::transform(verdict.begin(), verdict.end(), verdict.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  context.out << context.bold(verdict) << ' ' << what;
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

int run_check(const Options& o, Context& context) {
  Judgement judgement = read_judgement(o.judge, context);
  if (judgement.candidate.name.empty()) throw Error(Exit::usage, "check: name a candidate file, or --self");
  Progress progress = progress_on(context);
  Workbench bench(judgement.found.task, judgement.found.folder, judgement.backend, toolchain_for(o.judge, judgement));
  std::string compile_error;
  Products products = build_products(bench, judgement, compile_error, progress);
  std::string what = judgement.candidate.name + " for " + judgement.found.task.name;
  if (!compile_error.empty()) return print_report(context, compile_error_report(compile_error), what);
  if (o.compile_only) {
    clear_progress(context);
    context.out << "compiled " << judgement.candidate.name << '\n';
    return 0;
  }
  Trusted trusted(bench, products);
  return print_report(context, check_candidate(bench, trusted, products, progress), what);
}

}  // namespace

Action setup_check(CLI::App& app) {
  auto o = std::make_shared<Options>();
  o->judge.add_to(app);
  app.add_flag("--self", o->self, "check the task itself: trivial answers must fail, honest ones pass");
  app.add_flag("--compile-only", o->compile_only, "only compile; with --arch this needs no GPU");
  return [o](Context& context) { return run_check(*o, context); };
}

}  // namespace explog::cli
