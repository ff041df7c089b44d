// The parameters of a candidate's solve(), read from its source.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace explog::bench {

struct Parameter {
  std::string type;  // without const, *, & and __restrict__: "float", "long long"
  std::string name;
  bool pointer = false;
  bool is_const = false;   // of what it points to
  std::string value = {};  // of a scalar that is no dimension, where it is known
  std::int64_t count = 0;  // elements at the dimensions that are asked about; 0 unknown
};

struct Signature {
  std::vector<Parameter> parameters;
  int line = 0;  // of `solve` in the source, from 1
};

// The declaration `extern "C" ... solve(...)`, also inside an extern "C" block; in a .c file any. Throws Error(usage) naming
// `file` when there is none outside comments.
Signature find_signature(std::string_view source, const std::string& file);

// For each parameter the index of the task's argument that it takes: by name where the names are those of the arguments,
// else by place.
std::vector<std::size_t> argument_order(const Signature& signature, const Task& task);
// The same of a source; by place where no signature can be read.
std::vector<std::size_t> argument_order(std::string_view source, const std::string& file, const Task& task);

// Throws Error(usage) with the line when number, kind or type of the parameters differ from the task's
// arguments.
void check_signature(std::string_view source, const std::string& file, const Task& task);

// Element type of a C++ type name ("float", "__half", "nv_bfloat16"), or nothing.
std::optional<Dtype> dtype_of_c_type(std::string_view type);
// What an element of this type is called in a kernel's source.
std::string c_type_of(Dtype dtype);

}  // namespace explog::bench
