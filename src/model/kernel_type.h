// The small taxonomy of kernels: type -> family.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog {

// Canonical kernel type: lower case, `-` and blanks as `_`, synonyms merged (matmul -> gemm, layer_norm ->
// layernorm).
std::string canonical_kernel_type(std::string_view text);
// Family of a canonical type; an unknown type is its own family.
std::string family_of(std::string_view kernel_type);
std::vector<std::string> known_families();
// All types of the table, for hints.
std::vector<std::string> known_kernel_types();
bool is_known_kernel_type(std::string_view kernel_type);

}  // namespace explog
