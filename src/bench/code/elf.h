// Sections of an ELF file (64 bits, little-endian), as compilers write it for host and device.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace explog::bench {

struct ElfSection {
  std::string_view name, bytes;  // of the file's own text; no bytes where it takes none in the file
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t flags = 0, size = 0, offset = 0;

  bool is_loaded() const { return (flags & 2) != 0; }
};

struct Elf {
  std::uint32_t flags = 0;
  std::vector<ElfSection> sections;  // in the file's order, the empty first one among them

  const ElfSection* section(std::string_view name) const;  // nullptr where there is none
};

// Nothing for anything else, or where a section lies beyond the end.
std::optional<Elf> read_elf(std::string_view bytes);

// Where the file ends as its tables say: what lies behind is another file.
std::size_t elf_size(std::string_view bytes, const Elf& elf);

// The text of a table of texts that begins at `at`; empty beyond its end.
std::string_view text_at(std::string_view texts, std::size_t at);

// The number that lies at `at`; nothing beyond the end.
template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace explog::bench
