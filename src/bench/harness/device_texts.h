// Texts of device code: what a build left, what a source compiles to, what a disassembler makes of it.
#pragma once
#include <string>

#include "bench/code/device_code.h"
#include "bench/harness/toolchain.h"

namespace explog::bench {

// PTX and cubin of a compiled candidate, with SASS where there is a disassembler; empty for others and for builds from
// before they were kept.
CodeTexts code_of_product(const std::string& product);

// PTX and cubin of a .cu file alone, without a task, compiled as candidates are. Throws Error(usage) with the compiler's words.
CodeTexts code_of_source(const Toolchain& toolchain, const SourceFile& source);

// A path: $EXPLOG_NVDISASM, beside nvcc, on the PATH, or in the packages of the Python that is found; empty for none.
std::string find_nvdisasm();
// SASS; empty where there is no disassembler, or it refuses.
std::string disassembled(const std::string& cubin);

}  // namespace explog::bench
