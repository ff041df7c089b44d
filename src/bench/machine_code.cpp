#include "bench/machine_code.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "bench/harness/toolchain.h"

namespace explog::bench {
namespace {

// Of the ELF format, 64 bits, little-endian.
constexpr std::string_view elf_magic(
    "\x7f"
    "ELF\x02\x01",
    6);
constexpr std::size_t elf_header_size = 64, section_header_size = 64;
constexpr std::uint32_t type_note = 7, type_no_bits = 8;
constexpr std::uint64_t is_loaded = 2;

template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Section {
  std::uint32_t type = 0;
  std::uint64_t flags = 0, offset = 0, size = 0;
};

std::optional<Section> section_at(std::string_view elf, std::size_t at) {
  if (at > elf.size() || elf.size() - at < section_header_size) return std::nullopt;
  return Section{*number_at<std::uint32_t>(elf, at + 4), *number_at<std::uint64_t>(elf, at + 8),
                 *number_at<std::uint64_t>(elf, at + 24), *number_at<std::uint64_t>(elf, at + 32)};
}

// Line tables of device code name the folder that a candidate was built in, which is a new one each time.
void blank_build_folders(std::string& loaded) {
  constexpr std::string_view folder = "/build-";
  constexpr std::size_t random_letters = 6;
  for (std::size_t at = loaded.find(folder); at != std::string::npos; at = loaded.find(folder, at + 1)) {
    std::size_t begin = at + folder.size(), end = std::min(loaded.size(), begin + random_letters);
    std::fill(loaded.begin() + static_cast<long>(begin), loaded.begin() + static_cast<long>(end), '.');
  }
}

}  // namespace

std::string machine_code_of(std::string_view elf) {
  if (!elf.starts_with(elf_magic) || elf.size() < elf_header_size) return "";
  std::uint64_t table = *number_at<std::uint64_t>(elf, 40);
  std::uint16_t count = *number_at<std::uint16_t>(elf, 60);
  std::string loaded;
  for (std::size_t i = 0; i < count; ++i) {
    auto section = section_at(elf, table + i * section_header_size);
    if (!section) return "";
    if ((section->flags & is_loaded) == 0 || section->type == type_note) continue;
    loaded += std::to_string(section->size) + '\0';
    if (section->type == type_no_bits) continue;
    if (section->offset > elf.size() || section->size > elf.size() - section->offset) return "";
    loaded += elf.substr(section->offset, section->size);
  }
  blank_build_folders(loaded);
  return loaded.empty() ? "" : hex(blake2b_128(loaded));
}

std::string code_of_product(const std::string& path) {
  return is_module(path) ? path : machine_code_of(read_file(path));
}

}  // namespace explog::bench
