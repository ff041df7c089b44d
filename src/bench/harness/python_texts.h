// Texts of what Python compiled: of a kernel beside others, and of all that a judged candidate launched.
#pragma once
#include <string>
#include <string_view>

#include "bench/code/device_code.h"
#include "bench/code/ir.h"
#include "model/experience.h"

namespace explog::bench {

// Adds what a kernel was compiled to. Paths below `folder`, which is gone when somebody reads them, lose it.
void add_kernel_texts(CodeTexts& all, const IrKernel& kernel, CodeTexts one, const std::string& folder);

// Of a product of Builder::candidate() in Python: the cubins that its capture left beside it, and of those among them that
// Triton made its PTX and TTGIR. Empty where it was not captured.
CodeTexts code_of_module(const std::string& product);

// Of a product of Builder::candidate() in Python: what it tuned itself to when it was last captured lies at product +
// chosen_ending, lines of {"dims":{"N":4096},"chosen":{"softmax":{"BLOCK":128,"num_warps":8}}}. Empty where it tuned nothing.
constexpr std::string_view chosen_ending = ".chosen";

// What such lines say of a shape, the last that does; of several kernels each name with its kernel's before it
// ("rows.BLOCK"). At most 64 settings; nothing of a line that is none, since the candidate may have written it.
Params chosen_settings(std::string_view lines, const Facts& shape);

// The text of a file; empty where it is not there.
std::string text_if_there(const std::string& path);

}  // namespace explog::bench
