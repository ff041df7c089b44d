// Containers of device code for several archs, as `fatbinary` of the CUDA toolkit writes them.
#pragma once
#include <string_view>
#include <vector>

namespace explog::bench {

// Those that lie among the data of an ELF file: nvcc's own have a section for themselves, .nv_fatbin, and are left out.
std::vector<std::string_view> fatbins_in_data(std::string_view elf);

}  // namespace explog::bench
