#include "model/parameter_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog {
namespace {

struct Name {
  std::string_view tuner, shared;
};

// Exact names. Upper case: the parameters of CLBlast's matrix product, where case matters.
constexpr std::array<Name, 43> names = {{
    {"block_size_x", "block_x"},
    {"block_size_y", "block_y"},
    {"block_size_z", "block_z"},
    {"threads_x", "block_x"},
    {"threads_y", "block_y"},
    {"tile_size", "coarsen_x"},
    {"tile_size_x", "coarsen_x"},
    {"tile_size_y", "coarsen_y"},
    {"tile_size_z", "coarsen_z"},
    {"tile_stride_x", "strided_access_x"},
    {"tile_stride_y", "strided_access_y"},
    {"vector", "vector_width"},
    {"vector_size", "vector_width"},
    {"vector_width", "vector_width"},
    {"MWG", "wg_tile_m"},
    {"NWG", "wg_tile_n"},
    {"KWG", "wg_tile_k"},
    {"MDIMC", "block_x"},
    {"NDIMC", "block_y"},
    {"MDIMA", "load_shape_a"},
    {"NDIMB", "load_shape_b"},
    {"VWM", "vector_width_m"},
    {"VWN", "vector_width_n"},
    {"STRM", "strided_access_m"},
    {"STRN", "strided_access_n"},
    {"SA", "smem_tiling_a"},
    {"SB", "smem_tiling_b"},
    {"KWI", "unroll"},
    {"KREG", "reg_tile_k"},
    {"use_padding", "smem_padding"},
    {"padding", "smem_padding"},
    {"read_only", "readonly_cache"},
    {"use_read_only", "readonly_cache"},
    {"use_cmem", "const_mem"},
    {"use_const_mem", "const_mem"},
    {"sh_power", "smem_tiling"},
    {"use_shmem", "smem_tiling"},
    {"use_smem", "smem_tiling"},
    {"use_shared_mem", "smem_tiling"},
    {"temporal_tiling_factor", "temporal_tiling"},
    {"between_method", "algo_between"},
    {"use_method", "algo_method"},
    {"use_precomputed_slopes", "precompute"},
}};

}  // namespace

std::string shared_parameter_name(std::string_view name) {
  auto it = std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.tuner == name; });
  if (it != names.end()) return std::string(it->shared);
  std::string low = lower(name);
  bool unroll = low.starts_with("loop_unroll_factor") || low.starts_with("unroll");
  return unroll ? "unroll" : low;
}

bool is_variant_number(std::string_view shared_name) { return shared_name.starts_with("algo_"); }

}  // namespace explog
