#include "bench/harness/reference_process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "bench/harness/helper_environment.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

// What runs the program that lies in the file behind it.
constexpr const char* boot =
    "import json,sys\n"
    "with open(sys.argv[1],encoding='utf-8') as f: PROGRAM=json.load(f)\n"
    "exec(compile(PROGRAM['files']['reference.py'],'<reference.py>','exec'))";

// Isolated: nothing of the user's environment or home decides what is imported, the interpreter's own folder alone does.
ChildSetup child_setup(const ReferenceSetup& setup, const PrivateFolder& folder, const SharedMemory& inputs,
                       const SharedMemory& results) {
  if (setup.python.empty())
    return {{setup.program}, {"PATH=/usr/bin:/bin", "LC_ALL=C"}, folder.path(), {inputs.fd(), results.fd()}};
  RunnerSetup environment;
  environment.gpu = setup.gpu;
  environment.lazy_loading = true;
  environment.use_cupti = false;
  std::vector<std::string> variables = helper_environment(environment, folder.path());
  variables.emplace_back("PYTHONDONTWRITEBYTECODE=1");
  if (!setup.may_use_gpu) {
    std::erase_if(variables, [](const std::string& v) { return v.starts_with("CUDA_VISIBLE_DEVICES="); });
    variables.emplace_back("CUDA_VISIBLE_DEVICES=");
  }
  return {{setup.python, "-I", "-s", "-c", boot, setup.program},
          variables,
          folder.path(),
          {inputs.fd(), results.fd()}};
}

// Values, magnitudes; of Python's also roundings, of 4 bytes.
std::size_t result_bytes(const Operand& o, bool in_python) {
  return o.count * 16 + (in_python ? (o.count * sizeof(float) + 7) / 8 * 8 : 0);
}

}  // namespace

ReferenceProcess::ReferenceProcess(const ReferenceSetup& setup, const Task& task, const PrivateFolder& folder,
                                   const SharedMemory& inputs)
    : in_python_(!setup.python.empty()), lines_(child_setup(setup, folder, inputs, results_)) {
  if (setup.python.empty()) return;
  ask(task, fmt::format("{} {}", protocol::reference_load, task.intermediate),
      protocol::reference_load_limit_s, "");
}

// A broken task is the user's to correct; so is an interpreter that lacks what the reference imports.
void ReferenceProcess::ask(const Task& task, const std::string& command, int limit_s,
                           const std::string& where) {
  try {
    Json answer = lines_.ask(command, 1000 * limit_s);
    sampled_ = answer.value("sampled", "");
  } catch (const Failed& f) {
    std::string what = "the reference of task " + task.name + " fails" + where + ": " + f.detail;
    if (f.reason == "import")
      throw Error(Exit::unavailable, what, "name an interpreter that has it in $EXPLOG_PYTHON");
    if (f.reason == "timeout" && where.empty())
      throw Error(Exit::usage, what + ", so " + task.reference + " takes too long to import",
                  "python3 -X importtime shows what takes how long");
    throw Error(Exit::usage, what, "correct " + task.reference);
  }
}

void ReferenceProcess::compute(const Case& c, std::size_t input_offset) {
  std::size_t bytes = 0;
  for (const Operand& o : c.operands) bytes += o.argument->is_output() ? result_bytes(o, in_python_) : 0;
  results_.reserve(bytes);
  ask(*c.task,
      fmt::format("{} {} {} 0{}", protocol::reference_command, c.rows, input_offset, reference_words(c)),
      protocol::reference_limit_s, " for " + c.name());
}

std::vector<Expected> ReferenceProcess::expected(const Case& c) const {
  std::vector<Expected> list;
  const char* at = results_.data();
  for (const Operand& o : c.operands) {
    if (!o.argument->is_output()) continue;
    const auto* values = reinterpret_cast<const double*>(at);
    const auto* roundings = reinterpret_cast<const float*>(values + 2 * o.count);
    list.push_back({values, values + o.count, in_python_ ? roundings : nullptr});
    at += result_bytes(o, in_python_);
  }
  return list;
}

}  // namespace explog::bench
