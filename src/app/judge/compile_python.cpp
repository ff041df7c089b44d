#include "app/judge/compile_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/judge/shapes.h"
#include "app/records/kept_code.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/find_source.h"
#include "bench/harness/gpus.h"
#include "bench/harness/python.h"
#include "bench/harness/python_candidate.h"
#include "bench/harness/python_probe.h"
#include "model/arch.h"

namespace explog::app {
namespace {

using namespace bench;
using PythonKind = PythonContract::Kind;

// Of a file that cannot be read nothing is found. Empty where no interpreter is there to say so.
std::string said_of_syntax(const SourceFile& source, const std::string& interpreter) {
  try {
    return printable(syntax_error(find_python(interpreter), source));
  } catch (const Error&) {
    return "";
  }
}

PythonContract contract_of(const SourceFile& source, const std::string& interpreter) {
  PythonContract contract = python_contract(source.text);
  bool alone = contract.kind == PythonKind::bare_kernel && !contract.launch;
  if (contract.kind != PythonKind::none && !alone) return contract;
  if (std::string error = said_of_syntax(source, interpreter); !error.empty())
    throw Error(Exit::usage, error);
  std::string has = contract.entry.empty() ? "" : " (it has " + printable(contract.entry) + ")";
  throw Error(
      Exit::usage,
      source.name + " offers no solve(...), run_kernel(...), ModelNew or run(...) to compile" + has,
      "add `def solve(...)` with the task's arguments, which launches the kernels, or describe the launch "
      "of one: `launch = {\"grid\": ..., \"args\": [...]}`");
}

std::string backend_wanted(const std::string& said, const PythonContract& contract, const std::string& file) {
  std::string backend = said.empty() ? contract.backend : said;
  if (backend == "triton" || backend == "cutile" || backend == "cutedsl") return backend;
  throw Error(Exit::usage, file + " imports neither triton nor cuda.tile nor cutlass",
              "only kernels of these can be compiled without running them");
}

// sm_90 of sm_90a.
std::string without_letter(const std::string& arch) {
  return arch.substr(0, arch.find_last_of("0123456789") + 1);
}

void refuse_arch(const std::string& backend, const std::string& arch) {
  const std::string plain = without_letter(arch);
  const std::vector<std::string> known = known_archs();
  if (std::find(known.begin(), known.end(), plain) == known.end())
    throw Error(Exit::usage,
                "--arch " + printable(arch) + " is no GPU that is known here" + arch_hint(plain));
  constexpr int oldest = 80;  // of Triton and CuTe DSL; tileiras says itself what it knows
  if (backend != "cutile" && sm_number(plain).value_or(oldest) < oldest)
    throw Error(Exit::usage, backend + " does not compile for " + printable(arch),
                "it does for sm_80 and later");
}

PythonProbe equipped(const std::string& backend, const std::string& arch, const std::string& interpreter) {
  PythonProbe probe = probe_python(find_python(interpreter));
  if (!probe.error.empty()) throw Error(Exit::unavailable, probe.error);
  for (const PythonLack& lack : missing_for(probe, backend, true))
    throw Error(Exit::unavailable, printable(probe.path) + " has no " + lack.what, lack.install);
  const auto& archs = probe.tileiras_archs;
  if (backend == "cutile" && std::find(archs.begin(), archs.end(), without_letter(arch)) == archs.end())
    throw Error(Exit::unavailable,
                fmt::format("tileiras {} does not compile for {}", probe.tileiras, printable(arch)),
                "it knows " + join(archs, ", "));
  return probe;
}

// Sizes that no tile divides come first, larger ones among equals.
std::pair<int, double> oddness(const Dims& dims) {
  std::pair<int, double> result{0, 1};
  for (const auto& [name, value] : dims) {
    result.first += value % 2 == 1 ? 1 : 0;
    result.second *= static_cast<double>(value);
  }
  return result;
}

// What is timed on a GPU, or else `wanted`, and the oddest of the shapes that are only checked.
std::vector<Case> shapes_to_compile(const Task& task, std::vector<Dims> wanted) {
  std::vector<Dims> shapes = std::move(wanted);
  for (const TaskBackend& b : task.backends) {
    if (b.name != "host" && shapes.empty()) shapes = b.timed;
  }
  auto odd = std::max_element(task.hidden.begin(), task.hidden.end(),
                              [](const Dims& a, const Dims& b) { return oddness(a) < oddness(b); });
  if (odd != task.hidden.end()) shapes.push_back(*odd);
  std::vector<Case> cases;
  for (const Dims& dims : shapes) cases.push_back(make_case(task, dims, task.distributions.front()));
  return cases;
}

}  // namespace

std::string arch_wanted(const std::string& said) {
  if (!said.empty()) return arch_to_compile(said);
  try {
    return find_gpus().front().arch;
  } catch (const Error& e) {
    throw Error(e.exit, e.what(), "name what to compile for with --arch, such as --arch sm_90");
  }
}

PythonFileCompiled compile_python_texts(const BenchNames& names, const Session& session) {
  FoundTask found = find_task(names.task, session.data_dir);
  PythonJob job;
  job.source = find_source(names.candidate);
  job.contract = contract_of(job.source, names.python);
  job.backend = backend_wanted(names.backend, job.contract, job.source.name);
  job.arch = arch_wanted(names.arch);
  refuse_arch(job.backend, job.arch);
  PythonProbe probe = equipped(job.backend, job.arch, names.python);
  job.interpreter = probe.path;
  job.tools = probe.tools();
  job.cases = shapes_to_compile(found.task, shapes_in(names.shapes, found.task, session));
  session.progress("compiling " + job.source.name + " for " + job.arch);
  PythonFileCompiled compiled{job.source.name, job.arch, found.task.name, compile_python(job)};
  session.progress("");
  return compiled;
}

Compiled compile_python_file(const BenchNames& names, const Session& session) {
  PythonFileCompiled file = compile_python_texts(names, session);
  PythonCompiled& done = file.made;
  Compiled compiled{
      file.name + " for " + file.task, file.name + " for " + file.arch, "", "", std::move(done.kernels), {}};
  compiled.report.printed = done.printed;
  if (!done.error.empty()) {
    compiled.report.verdict = CheckVerdict::crash;
    compiled.report.reason = "compile_error";
    compiled.report.detail = done.error;
    return compiled;
  }
  BothCodes kept;
  kept.after.texts = std::move(done.texts);
  kept.after.code = read_code(kept.after.texts);
  keep_code(kept, session);
  compiled.code = kept.after.code.hash;
  return compiled;
}

}  // namespace explog::app
