#include "bench/machine_code.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "bench/code/cubin.h"
#include "bench/code/elf.h"
#include "bench/code/fatbin.h"
#include "bench/harness/python_texts.h"
#include "bench/harness/toolchain.h"

namespace explog::bench {
namespace {

constexpr std::uint32_t type_note = 7;

// Line tables of device code name the folder that a candidate was built in, which is a new one each time.
void blank_build_folders(std::string& loaded) {
  constexpr std::string_view folder = "/build-";
  constexpr std::size_t random_letters = 6;
  for (std::size_t at = loaded.find(folder); at != std::string::npos; at = loaded.find(folder, at + 1)) {
    std::size_t begin = at + folder.size(), end = std::min(loaded.size(), begin + random_letters);
    std::fill(loaded.begin() + static_cast<long>(begin), loaded.begin() + static_cast<long>(end), '.');
  }
}

// Unwinding tables hold distances, which move with the size of what lies before them.
bool moves_with_device_code(const ElfSection& s) {
  return s.name == ".nv_fatbin" || s.name.starts_with(".eh_frame");
}

// Whether all machine code that nvcc packed is for one arch. False where it is laid out in an unknown way.
bool is_of_one_arch(std::string_view packed) {
  const auto images = fatbin_images(packed);
  std::set<std::uint32_t> archs;
  for (const FatbinImage& image : images.value_or(std::vector<FatbinImage>())) {
    if (image.is_elf) archs.insert(image.arch);
  }
  return archs.size() == 1;
}

}  // namespace

std::string machine_code_of(std::string_view elf, std::string_view device) {
  auto file = read_elf(elf);
  if (!file) return "";
  const ElfSection* packed = file->section(".nv_fatbin");
  if (packed == nullptr || !is_of_one_arch(packed->bytes)) device = {};  // it stands for a part
  std::string loaded;
  for (const ElfSection& section : file->sections) {
    if (!section.is_loaded() || section.type == type_note) continue;
    if (!device.empty() && moves_with_device_code(section)) continue;
    loaded += std::to_string(section.size) + '\0';
    loaded += section.bytes;
  }
  blank_build_folders(loaded);
  return loaded.empty() ? "" : hex(blake2b_128(loaded + std::string(device)));
}

std::string machine_code_of_product(const std::string& path) {
  if (is_module(path)) return path;
  const auto cubin = read_cubins(text_if_there(path + ".cubin"));
  return machine_code_of(read_file(path), cubin ? cubin->hash : "");
}

}  // namespace explog::bench
