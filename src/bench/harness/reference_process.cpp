#include "bench/harness/reference_process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

ChildSetup child_setup(const std::string& program, const PrivateFolder& folder, const SharedMemory& inputs,
                       const SharedMemory& results) {
  return {{program}, {"PATH=/usr/bin:/bin", "LC_ALL=C"}, folder.path(), {inputs.fd(), results.fd()}};
}

std::size_t result_bytes(const Case& c) {
  std::size_t sum = 0;
  for (const Operand& o : c.operands) sum += o.argument->is_output() ? o.count * 16 : 0;
  return sum;
}

}  // namespace

ReferenceProcess::ReferenceProcess(const std::string& program, const PrivateFolder& folder,
                                   const SharedMemory& inputs)
    : lines_(child_setup(program, folder, inputs, results_)) {}

void ReferenceProcess::compute(const Case& c, std::size_t input_offset) {
  results_.reserve(result_bytes(c));
  try {
    lines_.ask(
        fmt::format("{} {} {} 0{}", protocol::reference_command, c.rows, input_offset, reference_words(c)),
        1000 * protocol::reference_limit_s);
  } catch (const Failed& f) {
    throw Error(Exit::usage,
                "the reference of task " + c.task->name + " fails for " + c.name() + ": " + f.detail,
                "correct " + c.task->reference);
  }
}

std::vector<Expected> ReferenceProcess::expected(const Case& c) const {
  std::vector<Expected> list;
  const auto* at = reinterpret_cast<const double*>(results_.data());
  for (const Operand& o : c.operands) {
    if (!o.argument->is_output()) continue;
    list.push_back({at, at + o.count});
    at += 2 * o.count;
  }
  return list;
}

}  // namespace explog::bench
