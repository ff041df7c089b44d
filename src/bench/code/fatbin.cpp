#include "bench/code/fatbin.h"

#include "bench/code/elf.h"

namespace explog::bench {
namespace {

constexpr std::size_t container_head = 16;
constexpr std::string_view magic("\x50\xED\x55\xBA", 4);
constexpr std::string_view version("\x01\x00\x10\x00", 4);  // 1, and the size of the head

// What the container at the beginning of `bytes` holds; nothing where it ends beyond them.
std::optional<std::string_view> held(std::string_view bytes) {
  const auto size = number_at<std::uint64_t>(bytes, 8);
  if (!size || *size > bytes.size() - container_head) return std::nullopt;
  return bytes.substr(container_head, *size);
}

bool add_images(std::string_view held, std::vector<FatbinImage>& images) {
  constexpr std::uint16_t elf_image = 2;
  constexpr std::size_t least_head = 32;
  while (!held.empty()) {
    const auto kind = number_at<std::uint16_t>(held, 0);
    const auto head = number_at<std::uint32_t>(held, 4), arch = number_at<std::uint32_t>(held, 28);
    const auto size = number_at<std::uint64_t>(held, 8);
    if (!kind || !head || !arch || !size || *head < least_head || *size > held.size() ||
        *head > held.size() - *size)
      return false;
    images.push_back({*kind == elf_image, *arch, held.substr(*head, *size)});
    held.remove_prefix(*head + *size);
  }
  return true;
}

void add_fatbins(std::string_view data, std::vector<std::string_view>& found) {
  for (std::size_t at = data.find(magic); at != std::string_view::npos; at = data.find(magic, at)) {
    const auto inside = held(data.substr(at));
    if (inside && !inside->empty() && data.substr(at + magic.size()).starts_with(version)) {
      found.push_back(data.substr(at, container_head + inside->size()));
      at += container_head + inside->size();
    } else {
      at += magic.size();
    }
  }
}

}  // namespace

std::optional<std::vector<FatbinImage>> fatbin_images(std::string_view packed) {
  constexpr std::size_t alignment = 8;
  std::vector<FatbinImage> images;
  while (packed.size() >= container_head) {
    if (!packed.starts_with(magic)) {
      packed.remove_prefix(alignment);
      continue;
    }
    const auto inside = held(packed);
    if (!inside || !add_images(*inside, images)) return std::nullopt;
    packed.remove_prefix(container_head + inside->size());
  }
  return images;
}

std::vector<std::string_view> fatbins_in_data(std::string_view elf) {
  std::vector<std::string_view> found;
  const auto file = read_elf(elf);
  if (!file) return found;
  for (const ElfSection& section : file->sections) {
    if (section.is_loaded() && section.name != ".nv_fatbin") add_fatbins(section.bytes, found);
  }
  return found;
}

std::string cubins_in_data(std::string_view elf) {
  std::string cubins;
  for (std::string_view fatbin : fatbins_in_data(elf)) {
    const auto images = fatbin_images(fatbin);
    for (const FatbinImage& image : images.value_or(std::vector<FatbinImage>())) {
      if (image.is_elf && read_elf(image.bytes)) cubins += image.bytes;
    }
  }
  return cubins;
}

}  // namespace explog::bench
