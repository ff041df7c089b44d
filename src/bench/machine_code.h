// Whether two built candidates are the same program.
#pragma once
#include <string>
#include <string_view>

namespace explog::bench {

// A hash over everything that the system loads of a shared object (ELF, 64 bits): code, constants, device code,
// names of its symbols; not over notes, debug information and names of temporary files. Empty for anything
// else. Two sources with one hash run the same instructions. `device`: what stands for the device code in it, which nvcc packs
// with line tables and PTX, so that equal instructions have other bytes; empty, or
// where it holds code for several archs: those bytes.
std::string machine_code_of(std::string_view elf, std::string_view device = {});

// The same of what Builder::candidate() made, its device code by the cubin beside it; one in Python has the name of its content.
// Throws Error where it is gone.
std::string machine_code_of_product(const std::string& path);

}  // namespace explog::bench
