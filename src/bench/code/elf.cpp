#include "bench/code/elf.h"

#include <algorithm>

namespace explog::bench {
namespace {

// Of the format, 64 bits, little-endian.
constexpr std::string_view elf_magic(
    "\x7f"
    "ELF\x02\x01",
    6);
constexpr std::size_t elf_header_size = 64, section_header_size = 64;
constexpr std::uint32_t type_no_bits = 8;

struct SectionHead {
  std::uint32_t name = 0;
  ElfSection section;
};

std::optional<SectionHead> section_head(std::string_view elf, std::uint64_t at) {
  if (at > elf.size() || elf.size() - at < section_header_size) return std::nullopt;
  SectionHead head;
  head.name = *number_at<std::uint32_t>(elf, at);
  head.section.type = *number_at<std::uint32_t>(elf, at + 4);
  head.section.flags = *number_at<std::uint64_t>(elf, at + 8);
  head.section.offset = *number_at<std::uint64_t>(elf, at + 24);
  head.section.size = *number_at<std::uint64_t>(elf, at + 32);
  head.section.link = *number_at<std::uint32_t>(elf, at + 40);
  head.section.info = *number_at<std::uint32_t>(elf, at + 44);
  return head;
}

bool put_bytes(SectionHead& head, std::string_view elf) {
  if (head.section.type == type_no_bits || head.section.type == 0) return true;
  ElfSection& s = head.section;
  if (s.offset > elf.size() || s.size > elf.size() - s.offset) return false;
  s.bytes = elf.substr(s.offset, s.size);
  return true;
}

}  // namespace

std::string_view text_at(std::string_view texts, std::size_t at) {
  if (at >= texts.size()) return {};
  std::string_view rest = texts.substr(at);
  return rest.substr(0, rest.find('\0'));
}

const ElfSection* Elf::section(std::string_view name) const {
  auto at = std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.name == name; });
  return at != sections.end() ? &*at : nullptr;
}

std::size_t elf_size(std::string_view bytes, const Elf& elf) {
  constexpr std::uint64_t program_header_size = 56;
  std::uint64_t sections = *number_at<std::uint64_t>(bytes, 40),
                programs = *number_at<std::uint64_t>(bytes, 32);
  std::uint64_t end =
      std::max<std::uint64_t>(elf_header_size, sections + elf.sections.size() * section_header_size);
  std::uint64_t last = programs + *number_at<std::uint16_t>(bytes, 56) * program_header_size;
  if (programs <= bytes.size()) end = std::max(end, last);
  for (const ElfSection& s : elf.sections) end = std::max(end, s.offset + s.bytes.size());
  return std::min<std::uint64_t>(end, bytes.size());
}

std::optional<Elf> read_elf(std::string_view bytes) {
  if (!bytes.starts_with(elf_magic) || bytes.size() < elf_header_size) return std::nullopt;
  Elf elf;
  elf.flags = *number_at<std::uint32_t>(bytes, 48);
  std::uint64_t table = *number_at<std::uint64_t>(bytes, 40);
  std::uint16_t count = *number_at<std::uint16_t>(bytes, 60), names = *number_at<std::uint16_t>(bytes, 62);
  if (table > bytes.size()) return std::nullopt;
  std::vector<std::uint32_t> name_at;
  for (std::size_t i = 0; i < count; ++i) {
    auto head = section_head(bytes, table + i * section_header_size);
    if (!head || !put_bytes(*head, bytes)) return std::nullopt;
    name_at.push_back(head->name);
    elf.sections.push_back(head->section);
  }
  if (names >= elf.sections.size()) return elf;
  for (std::size_t i = 0; i < elf.sections.size(); ++i)
    elf.sections[i].name = text_at(elf.sections[names].bytes, name_at[i]);
  return elf;
}

}  // namespace explog::bench
