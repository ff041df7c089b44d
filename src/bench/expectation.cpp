#include "bench/expectation.h"

#include "base/error.h"

namespace explog::bench {
namespace {

constexpr int reference_timeout_ms = 600'000;

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

Reference::Reference(const std::string& program, const PrivateFolder& folder, const SharedMemory& inputs)
    : dialogue_(child_setup(program, folder, inputs, results_)) {}

void Reference::compute(const Case& c, std::size_t input_offset) {
  results_.reserve(result_bytes(c));
  try {
    dialogue_.ask(
        "case " + std::to_string(c.rows) + " " + std::to_string(input_offset) + " 0" + reference_words(c),
        reference_timeout_ms);
  } catch (const Failed& f) {
    throw Error(Exit::usage,
                "the reference of task " + c.task->name + " fails for " + c.name() + ": " + f.detail,
                "mend " + c.task->reference);
  }
}

Expected Reference::expected(const Case& c, std::size_t index) const {
  const char* at = results_.data();
  std::size_t seen = 0;
  for (const Operand& o : c.operands) {
    if (!o.argument->is_output()) continue;
    if (seen++ == index)
      return {reinterpret_cast<const double*>(at), reinterpret_cast<const double*>(at) + o.count};
    at += o.count * 16;
  }
  return {};
}

}  // namespace explog::bench
