#include "app/judge/bench_request.h"

#include <algorithm>

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

void must_build(const Built& built, const std::string& what) {
  if (!built.ok)
    throw Error(Exit::usage, what + " does not compile: " + first_error(built.log), "correct it first");
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
  request.baseline = names.baseline.empty() ? source_of(request.found, backend_of(task, backend).baseline)
                                            : kernel_named(names.baseline, task, session);
  request.shapes_only = names.shapes_only;
  request.toolchain = find_toolchain(backend, names.arch, names.compiler_flags, names.python);
  return request;
}

Measurement named_measurement(const BenchRequest& request) {
  Measurement m;
  m.task = request.found.task.name;
  m.task_hash = request.found.hash;
  m.harness = EXPLOG_VERSION;
  m.harness_hash = harness_hash();
  m.baseline = {request.baseline.name, hash_of(request.baseline)};
  m.candidate = {request.candidate.name, hash_of(request.candidate)};
  m.imported_from = request.found.task.imported_from;
  return m;
}

BuiltRequest build(Workbench& bench, const BenchRequest& request, const Listener& progress) {
  bench.shapes_only = request.shapes_only;
  progress("compiling the reference");
  Built reference = bench.builder().reference(bench.file(bench.task().reference));
  must_build(reference, "the reference " + bench.task().reference);
  progress("compiling the baseline");
  Built baseline = bench.builder().candidate(bench.task(), request.baseline);
  must_build(baseline, "the baseline " + request.baseline.name);
  progress("compiling " + request.candidate.name);
  Built candidate = bench.builder().candidate(bench.task(), request.candidate);
  BuiltRequest built{{reference.path, baseline.path, candidate.path, request.baseline.name}, ""};
  SourceFile own = bench.file(bench.backend().baseline);
  if (hash_of(own) != hash_of(request.baseline)) {
    Built yardstick = bench.builder().candidate(bench.task(), own);
    must_build(yardstick, "the task's baseline " + own.name);
    built.binaries.yardstick = yardstick.path;
  }
  if (!candidate.ok)
    built.compile_error = candidate.log.empty() ? "the compiler said nothing" : candidate.log;
  return built;
}

}  // namespace explog::app
