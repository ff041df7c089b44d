// What nvMatmulHeuristics is asked of a matrix product, what it answers, and what that is in a kernel's knobs: pure.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/space.h"
#include "model/task.h"

namespace explog {

// C = A B of row-major matrices, any of A and B transposed.
struct GemmProduct {
  std::string precision;  // a letter each for A and B, sums, C: "TST" is bf16, f32, bf16
  int layout = 0;         // 0 neither is transposed, 1 B, 2 A, 3 both
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
};
// The product that a task computes at a shape: its first two inputs and its first output, of two dimensions or three.
// Nothing for anything else.
std::optional<GemmProduct> gemm_product(const Task& task, const Dims& shape);

// What the library calls a GPU, and what it calls programs that make kernels; nothing for a card that it does not know.
std::optional<int> heuristics_gpu(std::string_view name);
int heuristics_target(const std::string& backend, const std::string& arch);

struct GemmEstimate {
  std::array<int, 3> tile{}, warp{};  // M, N, K of a block, and of a warp
  int split_k = 1, stages = 1, swizzle = 1;
  std::array<int, 2> cluster{1, 1};
  double ms = 0;

  int warps() const;
};
struct GemmEstimates {
  std::string version;  // of the library
  std::vector<GemmEstimate> list;
};
// Of the line that the helper prints, wherever it is in `output`. Throws JsonError.
GemmEstimates parse_gemm_estimates(std::string_view output);

// As kernels of a backend call it: BLOCK_M, num_warps ... in Triton, TILE_SIZE_M ... in cuTile, mma_tiler_m ... in CuTe DSL.
Settings settings_of(const GemmEstimate& estimate, const std::string& backend);

}  // namespace explog
