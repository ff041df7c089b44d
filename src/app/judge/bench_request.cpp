#include "app/judge/bench_request.h"

#include <algorithm>
#include <filesystem>
#include <future>

#include "app/judge/baseline.h"
#include "app/judge/shapes.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/harness/python.h"
#include "bench/judge/python_contract.h"
#include "bench/judge/signature.h"
#include "model/backend.h"

namespace explog::app {

using namespace bench;

namespace {

// A kernel of the user's: its solve() must take what the task gives.
SourceFile kernel_named(const std::string& path, const Task& task, const Session& session) {
  SourceFile source = find_source(path);
  if (is_python(source.name)) return source;  // its process sees how it can be called
  check_signature(source.text, source.name, task);
  std::vector<std::size_t> order = argument_order(source.text, source.name, task);
  if (!std::is_sorted(order.begin(), order.end()))
    session.warn(source.name + ": the parameters of solve() are matched with the task's arguments by name");
  return source;
}

SourceFile baseline_named(const BenchNames& names, const FoundTask& found, const std::string& backend,
                          const Session& session) {
  if (names.baseline.empty()) return source_of(found, backend_of(found.task, backend).baseline);
  if (is_torch_baseline(names.baseline)) return torch_baseline(names.baseline, found, backend);
  std::error_code ignored;
  std::string meant = did_you_mean(names.baseline, torch_baselines());
  if (!meant.empty() && !std::filesystem::exists(names.baseline, ignored))
    throw Error(Exit::usage, "--baseline " + printable(names.baseline) + ": there is no such file" + meant,
                "name a file, or torch or torch.compile");
  return kernel_named(names.baseline, found.task, session);
}

// Any of the files that will run may be in Python, whatever the backend is of.
Interpreter interpreter_for(const BenchRequest& request, const std::string& backend) {
  bool any = is_python(request.candidate.name) || is_python(request.baseline.name) ||
             is_python(backend_of(request.found.task, backend).baseline);
  return any ? Interpreter::beside : Interpreter::by_backend;
}

// The shapes that are wanted in place of those that the task times for the backend.
void time_wanted(Task& task, const std::string& backend, const BenchNames& names, const Session& session) {
  if (names.shapes.empty()) return;
  const std::string found = backend_of(task, backend).name;
  for (TaskBackend& each : task.backends) {
    if (each.name == found) each.time_instead(shapes_in(names.shapes, task, session));
  }
}

std::string must_build(const Built& built, const std::string& what) {
  if (!built.ok)
    throw Error(Exit::usage, what + " does not compile: " + first_error(built.log), "correct it first");
  return built.path;
}

}  // namespace

std::string backend_named_or_seen(const BenchNames& names, const Task& task, const SourceFile& candidate) {
  if (names.backend.empty() && names.candidate.empty()) return task.backends.front().name;
  if (names.backend.empty() && is_python(candidate.name)) return python_contract(candidate.text).backend;
  return backend_meant(names.backend, names.candidate);
}

BenchRequest read_request(const BenchNames& names, const Session& session) {
  BenchRequest request;
  request.found = find_task(names.task, session.data_dir);
  const Task& task = request.found.task;
  if (!names.candidate.empty()) request.candidate = kernel_named(names.candidate, task, session);
  std::string backend = backend_named_or_seen(names, task, request.candidate);
  time_wanted(request.found.task, backend, names, session);
  request.baseline = baseline_named(names, request.found, backend, session);
  request.shapes_only = names.shapes_only;
  session.progress("looking for compilers");
  request.toolchain = find_toolchain(backend, arch_to_compile(names.arch), names.compiler_flags, names.python,
                                     interpreter_for(request, backend));
  session.progress("preparing the harness");
  return request;
}

Measurement named_measurement(const BenchRequest& request) {
  Measurement m;
  m.task = request.found.task.name;
  m.task_hash = request.found.hash;
  m.harness = EXPLOG_VERSION;
  m.harness_hash = harness_hash();
  m.baseline = measured_baseline(request.baseline, request.toolchain);
  m.candidate = {request.candidate.name, hash_of(request.candidate)};
  m.imported_from = request.found.task.imported_from;
  return m;
}

BuiltRequest build(Workbench& bench, const BenchRequest& request, const Listener& progress) {
  bench.shapes_only = request.shapes_only;
  progress("compiling " + request.candidate.name);
  Builder& builder = bench.builder();
  const Task& task = bench.task();
  SourceFile own = bench.file(bench.backend().baseline);
  bool another = hash_of(own) != hash_of(request.baseline);
  auto beside = [&](auto build_it) { return std::async(std::launch::async, build_it); };
  auto reference = beside([&] { return builder.reference(bench.file(task.reference)); });
  auto baseline = beside([&] { return builder.candidate(task, request.baseline); });
  auto yardstick = beside([&] {
    return another ? builder.candidate(task, own) : Built{true, "", "", false};
  });
  Built candidate = builder.candidate(task, request.candidate);
  BuiltRequest built{
      {must_build(reference.get(), "the reference " + task.reference),
       must_build(baseline.get(), "the baseline " + request.baseline.called()), candidate.path,
       request.baseline.called(), must_build(yardstick.get(), "the task's baseline " + own.name)},
      ""};
  if (!candidate.ok)
    built.compile_error = candidate.log.empty() ? "the compiler said nothing" : candidate.log;
  return built;
}

}  // namespace explog::app
