// What a cubin says of its kernels without being disassembled.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

struct CubinKernel {
  std::string name;  // as the linker knows it
  std::int64_t registers = 0, barriers = 0;
  std::int64_t stack = 0;   // a thread's bytes: spills and indexed arrays
  std::int64_t shared = 0;  // a block's bytes, of those that the source declares with a size
};

struct Cubin {
  std::string arch;  // sm_90
  std::vector<CubinKernel> kernels;
  // Over everything that the GPU loads, without names, line tables and build folders: equal hash, equal machine code.
  std::string hash;
};

// Nothing for anything that is no cubin.
std::optional<Cubin> read_cubin(std::string_view bytes);

// Kernels of Python have a cubin each, which are kept one behind the other. Empty where the first is none.
std::vector<std::string_view> cubins_in(std::string_view bytes);
// All of them as one: the hash of several is over their hashes. Nothing where the first is no cubin.
std::optional<Cubin> read_cubins(std::string_view bytes);

}  // namespace explog::bench
