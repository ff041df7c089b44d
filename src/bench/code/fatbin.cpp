#include "bench/code/fatbin.h"

#include "bench/code/elf.h"

namespace explog::bench {
namespace {

constexpr std::size_t head = 16;
constexpr std::string_view container("\x50\xED\x55\xBA\x01\x00\x10\x00",
                                     8);  // magic, version 1, size of the head

void add_fatbins(std::string_view data, std::vector<std::string_view>& found) {
  for (std::size_t at = data.find(container); at != std::string_view::npos; at = data.find(container, at)) {
    const auto size = number_at<std::uint64_t>(data, at + 8);
    if (size && *size > 0 && *size <= data.size() - at - head) {
      found.push_back(data.substr(at, head + *size));
      at += head + *size;
    } else {
      at += container.size();
    }
  }
}

}  // namespace

std::vector<std::string_view> fatbins_in_data(std::string_view elf) {
  std::vector<std::string_view> found;
  const auto file = read_elf(elf);
  if (!file) return found;
  for (const ElfSection& section : file->sections) {
    if (section.is_loaded() && section.name != ".nv_fatbin") add_fatbins(section.bytes, found);
  }
  return found;
}

}  // namespace explog::bench
