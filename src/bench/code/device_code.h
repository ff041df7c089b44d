// Device code of one candidate: what was compiled, and the facts that are read from it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/code/instructions.h"
#include "model/experience.h"

namespace explog::bench {

// What compilers made on the way, as far as it is known: empty for none.
struct CodeTexts {
  std::string ptx, sass, ttgir, tileir;
  std::string cubin;  // bytes; of several kernels of Python one image behind the other
};
// The kinds of texts, by the words of --ir, in the order in which one is chosen when none is named.
const std::vector<std::pair<std::string_view, std::string CodeTexts::*>>& code_kinds();

struct KernelCode {
  std::string name;  // as the linker knows it
  Mix mix;
  std::optional<std::int64_t> registers, stack, shared, barriers;  // from the cubin
  std::optional<std::int64_t> warps, stages, block_shared;         // from what Triton says of it
};

struct DeviceCode {
  std::string arch;     // sm_90; empty where only a text was given that does not say it
  std::string counted;  // sass or ptx: what the instructions were counted in; empty for neither
  std::string hash;     // of the machine code, empty without a cubin
  std::vector<KernelCode> kernels;
  std::string ir;  // ttgir or tileir: what the operations stand in; empty for neither
  std::vector<std::pair<std::string, std::int64_t>> operations;

  Mix mix() const;  // of all kernels
  // The largest among the kernels; nothing where none says it.
  std::optional<std::int64_t> most(std::optional<std::int64_t> KernelCode::*number) const;
};

// SASS tells what runs; without it instructions are counted in the PTX.
DeviceCode read_code(const CodeTexts& texts);

// The words that a record's state has for it: registers_per_thread, tensor_instructions, ...
Facts state_of(const DeviceCode& code);

// One row of a comparison, shown where either side has it.
struct CodeRow {
  std::string what;
  std::optional<std::int64_t> before, after;
  bool changed() const { return before != after; }
};
// Resources and what says how memory is reached, then instructions by kind. Equal codes give the same rows with equal sides.
std::vector<CodeRow> resource_rows(const DeviceCode& before, const DeviceCode& after);
std::vector<CodeRow> mix_rows(const DeviceCode& before, const DeviceCode& after);
// Operations of the intermediate representation, the most frequent first.
std::vector<CodeRow> operation_rows(const DeviceCode& before, const DeviceCode& after);

}  // namespace explog::bench
