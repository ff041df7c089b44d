// The words that a record's state has for what is read from a kernel's machine code.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace explog {

// They say what a kernel has already. Kernels are not compared by them: most records do not have them.
constexpr std::array<std::string_view, 11> code_facts = {
    "static_shared_bytes",
    "block_shared_bytes",
    "stack_bytes",
    "named_barriers",
    "tensor_instructions",
    "async_copy_instructions",
    "bulk_copy_instructions",
    "barrier_instructions",
    "widest_global_load_bytes",
    "widest_global_store_bytes",
    "local_instructions",
};

inline bool is_code_fact(std::string_view name) {
  return std::find(code_facts.begin(), code_facts.end(), name) != code_facts.end();
}

}  // namespace explog
