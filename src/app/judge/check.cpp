#include "app/judge/check.h"

#include <future>

#include "app/judge/compile_python.h"
#include "base/error.h"
#include "bench/sanitizer.h"

namespace explog::app {
namespace {

using namespace bench;

// A request with its workbench and what was compiled for it.
struct Ready {
  BenchRequest request;
  Workbench bench;
  std::future<void> programs;
  BuiltRequest built;

  // `runs`: the candidate will be run, not only compiled.
  Ready(BenchRequest read, bool runs, const Session& session)
      : request(std::move(read)), bench(request.found, request.toolchain) {
    if (runs) programs = bench.begin_programs();
    if (request.candidate.name.empty()) request.candidate = bench.file(bench.backend().baseline);
    built = build(bench, request, session.progress);
  }
  std::string what() const { return request.candidate.name + " for " + request.found.task.name; }
};

BenchRequest request_with_candidate(const CheckOptions& options, const Session& session) {
  if (options.names.candidate.empty()) throw Error(Exit::usage, "check: name a candidate file, or --self");
  return read_request(options.names, session);
}

CheckReport compile_error_report(const std::string& log) {
  CheckReport report;
  report.verdict = CheckVerdict::crash;
  report.reason = "compile_error";
  report.detail = "the compiler said:\n" + log;
  return report;
}

CheckReport report_on(Ready& ready, const CheckOptions& options, const Session& session) {
  if (!ready.built.compile_error.empty()) return compile_error_report(ready.built.compile_error);
  Runner candidate = ready.bench.begin_runner(ready.built.binaries.candidate);
  TrustedProcesses trusted(ready.bench, ready.built.binaries);
  CheckReport report =
      check_candidate(ready.bench, trusted, candidate, ready.built.binaries, session.progress);
  if (options.sanitizer) sanitize(report, ready.bench, ready.built.binaries, session.progress);
  return report;
}

}  // namespace

Checked check_file(const CheckOptions& options, const Session& session) {
  Ready ready(request_with_candidate(options, session), true, session);
  Checked checked{ready.what(), report_on(ready, options, session)};
  session.progress("");
  return checked;
}

Compiled compile_file(const CheckOptions& options, const Session& session) {
  if (options.names.candidate.ends_with(".py")) return compile_python_file(options.names, session);
  Ready ready(request_with_candidate(options, session), false, session);
  session.progress("");
  Compiled compiled{ready.what(), ready.request.candidate.name, ready.built.binaries.candidate, "", {}, {}};
  if (!ready.built.compile_error.empty()) compiled.report = compile_error_report(ready.built.compile_error);
  return compiled;
}

CheckedTask check_task(const CheckOptions& options, const Session& session) {
  BenchRequest request = read_request(options.names, session);
  request.candidate = {};
  Ready ready(std::move(request), true, session);
  CheckedTask checked{ready.request.found.task.name,
                      self_check(ready.bench, ready.built.binaries, session.progress)};
  session.progress("");
  return checked;
}

}  // namespace explog::app
