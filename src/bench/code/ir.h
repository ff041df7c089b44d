// The text of a compiler's intermediate representation (TTGIR of Triton, Tile IR of cuTile) -> its operations, and what
// it says of a launch.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explog::bench {

// Of one kernel; what is not said is not there.
struct IrKernel {
  std::string name;
  std::optional<std::int64_t> num_warps, num_stages,
      shared;  // shared: bytes of a block, dynamic ones included
};

struct Ir {
  std::vector<IrKernel> kernels;
  std::vector<std::pair<std::string, std::int64_t>>
      operations;  // "tt.load" and how often it stands there, by name
};

// A line that stands before the text of each kernel: what the compiler says of it beside the text.
std::string ir_heading(const IrKernel& kernel);

// Nothing of the text is trusted: what is no operation is not counted.
Ir read_ir(std::string_view text);

// Whether a text looks like the one, or the other.
bool is_ttgir(std::string_view text);
bool is_tile_ir(std::string_view text);

}  // namespace explog::bench
