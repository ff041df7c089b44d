// The text of device code (SASS or PTX) -> what kinds of instructions each kernel is made of.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

// Kinds in the order in which they are shown.
enum class Op {
  tensor,
  fp32,
  fp64,
  half,
  special,
  integer,
  convert,
  move,
  global_load,
  global_store,
  async_copy,
  bulk_copy,
  shared,
  local,
  constant,
  atomic,
  exchange,
  barrier,
  control,
  other,
};
constexpr std::size_t op_kinds = static_cast<std::size_t>(Op::other) + 1;
std::string_view word(Op op);   // "tensor", for JSON
std::string_view title(Op op);  // "tensor cores (MMA)", for people

struct Mix {
  std::array<std::int64_t, op_kinds> counts{};
  std::int64_t widest_load = 0, widest_store = 0;  // bytes of one thread's widest access to global memory

  std::int64_t of(Op op) const { return counts[static_cast<std::size_t>(op)]; }
  std::int64_t all() const;
  Mix& operator+=(const Mix& other);
};

// One kernel, or a function that kernels call.
struct KernelText {
  std::string name;
  Mix mix;
};

// Of what nvdisasm and cuobjdump print. Nothing of it is trusted: unknown instructions are `other`.
std::vector<KernelText> read_sass(std::string_view text);
std::vector<KernelText> read_ptx(std::string_view text);

// Whether a text looks like the one, or the other.
bool is_sass(std::string_view text);
bool is_ptx(std::string_view text);

}  // namespace explog::bench
