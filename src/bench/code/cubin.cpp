#include "bench/code/cubin.h"

#include <algorithm>
#include <functional>

#include "base/hash.h"
#include "base/text.h"
#include "bench/code/elf.h"

namespace explog::bench {
namespace {

constexpr std::uint16_t machine_cuda = 190;
// Of .nv.info: how an entry's value is stored, and those entries that are read.
constexpr std::uint8_t form_byte = 2, form_sized = 4;
constexpr std::uint8_t attribute_frame = 0x11, attribute_registers = 0x2F, attribute_barriers = 0x4C;
constexpr std::uint8_t is_entry = 0x10;         // of a symbol: a kernel, not a function that one calls
constexpr std::int64_t reserved_shared = 1024;  // of the system, from sm_90 on in every kernel's count
constexpr std::size_t symbol_size = 24;

struct Attribute {
  std::uint8_t kind = 0;
  std::uint8_t byte = 0;   // of those stored as a byte
  std::string_view value;  // of those with a size
};

void each_attribute(std::string_view info, const std::function<void(const Attribute&)>& take) {
  constexpr std::size_t head = 4;
  while (info.size() >= head) {
    auto form = static_cast<std::uint8_t>(info[0]);
    std::size_t size = form == form_sized ? *number_at<std::uint16_t>(info, 2) : 0;
    if (size > info.size() - head) return;
    take({static_cast<std::uint8_t>(info[1]),
          form == form_byte ? static_cast<std::uint8_t>(info[2]) : std::uint8_t{0}, info.substr(head, size)});
    info.remove_prefix(head + size);
  }
}

// The section that each symbol belongs to, and whether it is a kernel.
struct Symbol {
  std::size_t section = 0;
  bool kernel = false;
};

std::vector<Symbol> symbols_of(const Elf& elf) {
  std::vector<Symbol> symbols;
  const ElfSection* table = elf.section(".symtab");
  if (table == nullptr) return symbols;
  for (std::size_t at = 0; at + symbol_size <= table->bytes.size(); at += symbol_size) {
    bool kernel = (static_cast<std::uint8_t>(table->bytes[at + 5]) & is_entry) != 0;
    symbols.push_back({*number_at<std::uint16_t>(table->bytes, at + 6), kernel});
  }
  return symbols;
}

class CubinReader {
 public:
  explicit CubinReader(const Elf& elf) : elf_(elf), symbols_(symbols_of(elf)) {}

  std::vector<CubinKernel> kernels() {
    constexpr std::string_view text = ".text.";
    std::vector<CubinKernel> list;
    for (std::size_t i = 0; i < elf_.sections.size(); ++i) {
      std::string_view name = elf_.sections[i].name;
      if (name.starts_with(text) && is_kernel(i))
        list.push_back(kernel(i, std::string(name.substr(text.size()))));
    }
    return list;
  }

 private:
  bool is_kernel(std::size_t section) const {
    return std::any_of(symbols_.begin(), symbols_.end(),
                       [&](const Symbol& s) { return s.kernel && s.section == section; });
  }

  CubinKernel kernel(std::size_t section, std::string name) const {
    const ElfSection& code = elf_.sections[section];
    CubinKernel k{std::move(name), code.info >> 24, static_cast<std::int64_t>((code.flags >> 20) & 0x7F), 0,
                  0};
    if (const ElfSection* info = elf_.section(".nv.info")) add_common(k, section, info->bytes);
    if (const ElfSection* own = elf_.section(".nv.info." + k.name)) {
      each_attribute(own->bytes, [&](const Attribute& a) {
        if (a.kind == attribute_barriers) k.barriers = a.byte;
      });
    }
    if (const ElfSection* shared = elf_.section(".nv.shared." + k.name)) {
      k.shared = static_cast<std::int64_t>(shared->size);
      bool counted = elf_.section(".nv.shared.reserved.0") != nullptr && k.shared >= reserved_shared;
      if (counted) k.shared -= reserved_shared;
    }
    return k;
  }

  // What stands in one list for all kernels: a symbol and a number each.
  void add_common(CubinKernel& k, std::size_t section, std::string_view info) const {
    each_attribute(info, [&](const Attribute& a) {
      auto symbol = number_at<std::uint32_t>(a.value, 0), number = number_at<std::uint32_t>(a.value, 4);
      if (!symbol || !number || *symbol >= symbols_.size() || symbols_[*symbol].section != section) return;
      if (a.kind == attribute_registers) k.registers = *number;
      if (a.kind == attribute_frame) k.stack = *number;
    });
  }

  const Elf& elf_;
  std::vector<Symbol> symbols_;
};

// Names are left out: those of things in a nameless namespace hold a number of the file.
std::string hash_of_code(const Elf& elf, const std::string& arch) {
  constexpr std::uint32_t type_note = 7;
  std::vector<std::string> parts;
  for (const ElfSection& s : elf.sections) {
    bool code = s.is_loaded() && s.type != type_note;
    if (!code && !s.name.starts_with(".rela.text.")) continue;
    parts.push_back(std::to_string(s.size) + '\0' + std::string(s.bytes));
  }
  std::sort(parts.begin(), parts.end());
  std::string all = arch;
  for (const std::string& part : parts) all += '\0' + part;
  return hex(blake2b_128(all));
}

// The GPU's number lies in one of two places of the flags, by the version of the format.
std::string arch_of(const Elf& elf, std::string_view bytes) {
  constexpr std::uint8_t first_with_shift = 8;
  bool shifted = static_cast<std::uint8_t>(bytes[8]) >= first_with_shift;
  return "sm_" + std::to_string(shifted ? (elf.flags >> 8) & 0xFFFF : elf.flags & 0xFF);
}

}  // namespace

std::optional<Cubin> read_cubin(std::string_view bytes) {
  auto elf = read_elf(bytes);
  if (!elf || number_at<std::uint16_t>(bytes, 18) != machine_cuda) return std::nullopt;
  Cubin cubin;
  cubin.arch = arch_of(*elf, bytes);
  cubin.kernels = CubinReader(*elf).kernels();
  cubin.hash = hash_of_code(*elf, cubin.arch);
  return cubin;
}

std::vector<std::string_view> cubins_in(std::string_view bytes) {
  std::vector<std::string_view> images;
  while (auto elf = read_elf(bytes)) {
    if (number_at<std::uint16_t>(bytes, 18) != machine_cuda) break;
    std::size_t next = bytes.find(
        "\x7f"
        "ELF",
        elf_size(bytes, *elf));
    images.push_back(bytes.substr(0, next));
    if (next == std::string_view::npos) break;
    bytes.remove_prefix(next);
  }
  return images;
}

std::optional<Cubin> read_cubins(std::string_view bytes) {
  std::optional<Cubin> all;
  std::vector<std::string> hashes;
  for (std::string_view image : cubins_in(bytes)) {
    auto one = read_cubin(image);
    if (!one) continue;
    hashes.push_back(one->hash);
    if (all)
      all->kernels.insert(all->kernels.end(), one->kernels.begin(), one->kernels.end());
    else
      all = std::move(one);
  }
  if (hashes.size() < 2) return all;
  std::sort(hashes.begin(), hashes.end());
  all->hash = hex(blake2b_128(join(hashes, "\n")));
  return all;
}

}  // namespace explog::bench
