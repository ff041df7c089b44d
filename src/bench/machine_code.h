// Whether two built candidates are the same program.
#pragma once
#include <string>
#include <string_view>

namespace explog::bench {

// A hash over everything that the system loads of a shared object (ELF, 64 bits): code, constants, device code,
// names of its symbols; not over notes, debug information and names of temporary files. Empty for anything
// else. Two sources with one hash run the same instructions; the converse
// does not hold: nvcc packs PTX that names the folder of its build, so that equal device code may differ here.
std::string machine_code_of(std::string_view elf);

// The same of what Builder::candidate() made; one in Python has the name of its content. Throws Error where it is gone.
std::string machine_code_of_product(const std::string& path);

}  // namespace explog::bench
