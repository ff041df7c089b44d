// A candidate in Python as the runner loads it: a folder with its source, the local modules that it imports, and
// candidate.json, which says what the task calls its arguments (schema/formats/python.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bench/harness/source_file.h"
#include "model/task.h"

namespace explog::bench {

// Of the folder: where compilers behind Python keep what they made for this candidate, and for no other.
constexpr std::string_view python_cache = "cache";

// Whether a product is in Python, and builds C++ or CUDA when it is loaded, or by torch.compile when it is called.
bool compiles_long(const std::string& product);

struct ProductFile {
  std::string name, text;
};
std::vector<ProductFile> python_candidate(const Task& task, const SourceFile& source, bool on_gpu);

// "SyntaxError: invalid syntax (softmax.py, line 3)" where the interpreter does not take the source, else empty.
// Throws Error(unavailable) when the interpreter does not run.
std::string syntax_error(const std::string& python, const SourceFile& source);

}  // namespace explog::bench
