// Texts of what Python compiled: of a kernel beside others, and of all that a judged candidate launched.
#pragma once
#include <string>

#include "bench/code/device_code.h"
#include "bench/code/ir.h"

namespace explog::bench {

// Adds what a kernel was compiled to. Paths below `folder`, which is gone when somebody reads them, lose it.
void add_kernel_texts(CodeTexts& all, const IrKernel& kernel, CodeTexts one, const std::string& folder);

// Of a product of Builder::candidate() in Python: the cubins that its capture left beside it, and of those among them that
// Triton made its PTX and TTGIR. Empty where it was not captured.
CodeTexts code_of_module(const std::string& product);

// The text of a file; empty where it is not there.
std::string text_if_there(const std::string& path);

}  // namespace explog::bench
