#include "bench/code/starts_work.h"

#include "bench/code/elf.h"

namespace explog::bench {

// It needs a function of the driver's then, which the driver finds by name, so that none can go under another:
// __cuda_syscall_cnpv2LaunchDeviceV2 for kernels (__cudaCDP2LaunchDeviceV2 until they are linked), cudaGraphLaunch.
bool starts_work(std::string_view cubin) {
  constexpr std::uint32_t type_symbols = 2;
  constexpr std::size_t symbol_size = 24, at_section = 6;
  auto elf = read_elf(cubin);
  if (!elf) return false;
  for (const ElfSection& table : elf->sections) {
    if (table.type != type_symbols || table.link >= elf->sections.size()) continue;
    std::string_view names = elf->sections[table.link].bytes, symbols = table.bytes;
    for (; symbols.size() >= symbol_size; symbols.remove_prefix(symbol_size)) {
      bool is_here = *number_at<std::uint16_t>(symbols, at_section) != 0;
      std::string_view name = text_at(names, *number_at<std::uint32_t>(symbols, 0));
      if (!is_here && name.find("Launch") != std::string_view::npos) return true;
    }
  }
  return false;
}

}  // namespace explog::bench
