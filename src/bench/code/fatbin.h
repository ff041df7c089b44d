// Containers of device code for several archs, as `fatbinary` of the CUDA toolkit writes them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

struct FatbinImage {
  bool is_elf = false;     // machine code; else PTX
  std::uint32_t arch = 0;  // 90
  std::string_view bytes;  // as they lie there, which may be packed
};

// The images of the containers in `packed`, by their heads: behind the container's, each has its kind, its own size, the
// image's and the arch (as `fatbinary` of CUDA 13.0 writes them). Nothing where one is laid out otherwise.
std::optional<std::vector<FatbinImage>> fatbin_images(std::string_view packed);

// Those that lie among the data of an ELF file: nvcc's own have a section for themselves, .nv_fatbin, and are left out.
std::vector<std::string_view> fatbins_in_data(std::string_view elf);

// The cubins in them, one behind the other, as far as they are not packed.
std::string cubins_in_data(std::string_view elf);

}  // namespace explog::bench
