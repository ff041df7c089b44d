#include "model/strategy_words.h"

#include <doctest/doctest.h>

#include <string>

#include "model/vocabulary.h"

using namespace explog;

namespace {

const Playbook& playbook() {
  static const Playbook built = Playbook::load("");
  return built;
}

const StrategyReader& reader() {
  static const StrategyReader built(playbook());
  return built;
}

struct Case {
  std::string backend, text, strategy;
};

std::string read(const std::string& backend, const std::string& text) {
  auto reading = reader().read(text, backend);
  return reading ? reading->strategy : "";
}

}  // namespace

TEST_CASE("a change of a knob is read with its direction") {
  for (const Case& c : {
           Case{"triton", "num_warps 4->8", "num_warps:up"},
           {"triton", "num_warps=4 -> num_warps=8", "num_warps:up"},
           {"triton", "num_warps: 8 → 4", "num_warps:down"},
           {"triton", "num_warps 4 to 8", "num_warps:up"},
           {"triton", "increase num_warps from 4 to 8", "num_warps:up"},
           {"triton", "NUM_WARPS=16->8", "num_warps:down"},
           {"triton", "`num_stages` 2 => 4", "num_stages:up"},
           {"triton", "num_stages 4 -> 3 for less shared memory", "num_stages:down"},
           {"triton", "double num_warps", "num_warps:up"},
           {"triton", "fewer stages", "num_stages:down"},
           {"triton", "num_warps up", "num_warps:up"},
           {"triton", "reduce num_stages", "num_stages:down"},
           {"triton", "BLOCK_M=128 -> 256", "wg_tile_m:up"},
           {"triton", "BLOCK_SIZE_M 128 -> 64", "wg_tile_m:down"},
           {"triton", "BLOCK_K=64->32", "wg_tile_k:down"},
           {"triton", "BLOCK_SIZE 64 to 128", "triton_block_shapes"},
           {"triton", "num_warps=8", "triton_num_warps"},
           {"triton", "set num_stages to 3", "triton_num_stages"},
           {"triton", "GROUP_SIZE_M 1 -> 8", "triton_l2_swizzle"},
           {"cuda", "BLOCK_SIZE 64 to 128", "block_x:up"},
           {"cuda", "block size 256 -> 128", "block_x:down"},
           {"cuda", "threads per block 128→256", "block_x:up"},
           {"cuda", "larger block size", "block_x:up"},
           {"cuda", "block_size=256", "block_size_choice"},
           {"cuda", "blockDim.y 8 -> 16", "block_y:up"},
           {"cuda", "unroll 4->2", "unroll:down"},
           {"cuda", "unroll factor from 2 to 8", "unroll:up"},
           {"cuda", "#pragma unroll 4", "loop_unroll"},
           {"cuda", "vec 2 -> 4", "vector_width:up"},
           {"cuda", "vector width 4 -> 2", "vector_width:down"},
           {"cuda", "BM=64 -> 128", "wg_tile_m:up"},
           {"cuda", "items per thread 1 -> 4", "coarsen_x:up"},
           {"cuda", "coarsening factor 4 -> 2", "coarsen_x:down"},
           {"cuda", "smem_padding 0->1", "smem_padding:on"},
           {"cuda", "smem_padding=true -> false", "smem_padding:off"},
           {"cuda", "read_only off -> on", "readonly_cache:on"},
           {"cuda", "threads_per_block:up", "block_x:up"},
           {"cuda", "split_k 1 -> 4", "split_k"},
           {"cuda", "maxrregcount 128 -> 64", "launch_bounds"},
           {"cutile", "TILE_SIZE 64 -> 128", "cutile_tile_size"},
           {"cutile", "occupancy 2 -> 4", "cutile_occupancy_hint"},
           {"cutile", "occupancy{value=16}", "cutile_occupancy_hint"},
           {"cutile", "num_ctas=2", "cutile_num_ctas"},
           {"cutedsl", "cluster_shape_mn 1 -> 2", "cutedsl_cluster_shape"},
           {"cutedsl", "cluster shape (2,1) -> (4,1)", "cutedsl_cluster_shape"},
           {"cutedsl", "mma tiler 128x128 -> 256x128", "cutedsl_mma_tiler"},
           {"cuda", "128 threads per block", "block_size_choice"},
           {"cuda", "4 elements per thread", "thread_coarsening"},
           {"cuda", "thread coarsening factor 4", "thread_coarsening"},
           {"cuda", "reduced threads per block from 512 to 256", "block_x:down"},
           {"triton", "increase num_stages to 4", "num_stages:up"},
           {"triton", "split-K=4", "triton_split_k"},
       }) {
    CAPTURE(c.backend);
    CAPTURE(c.text);
    CHECK(read(c.backend, c.text) == c.strategy);
  }
}

TEST_CASE("the values of a change are kept") {
  auto reading = reader().read("num_warps 4->8", "triton");
  REQUIRE(reading);
  REQUIRE(reading->change);
  CHECK(reading->change->from == 4);
  CHECK(reading->change->to == 8);
  CHECK(reading->change->direction == 1);
  CHECK_FALSE(reader().read("TMA replace gather", "cutile")->change);
}

TEST_CASE("words of a name, in any order and form, stand for its strategy") {
  // What only other backends have a page for stays as it is.
  for (const char* backend : {"cuda", "other", "cutedsl"}) CHECK_FALSE(reader().read("autotune", backend));
  for (const Case& c : {
           Case{"cutile", "TMA replace gather", "cutile_tma_access"},
           {"cuda", "TMA replace gather", "tma_loads"},
           {"triton", "TMA replace gather", "triton_tma_descriptors"},
           {"cutile", "latency hints {load=10}", "cutile_latency_hints"},
           {"cutile", "flush_to_zero{mode=ftz}", "cutile_ftz_approx"},
           {"cutile", "persistent scheduling", "cutile_persistent_scheduling"},
           {"cutile", "autotune", "cutile_wide_autotune"},
           {"triton", "autotune", "triton_autotune"},
           {"cuda", "float4 loads{width=4}", "vectorized_access"},
           {"cuda", "Vectorised loads", "vectorized_access"},
           {"cuda", "use float4 vectorized loads", "vectorized_access"},
           {"cuda", "float4 vectorization for better memory throughput", "vectorized_access"},
           {"cuda", "128-bit loads", "vectorized_access"},
           {"cuda", "Shared-memory tiling", "smem_tiling"},
           {"cuda", "tiling in shared memory", "smem_tiling"},
           {"cuda", "shared memory padding to avoid bank conflicts", "smem_padding"},
           {"cuda", "swizzled shared memory", "smem_swizzle"},
           {"cuda", "double-buffered smem", "double_buffering"},
           {"cuda", "warp shuffle reduction", "warp_shuffle_reduction"},
           {"cuda", "Warp-level reduction instead of shared memory", "warp_shuffle_reduction"},
           {"cuda", "unrolled loop", "loop_unroll"},
           {"cuda", "loop unrolling", "loop_unroll"},
           {"cuda", "grid-stride loop", "grid_stride_loop"},
           {"cuda", "coalesced memory access", "coalesce_global_access"},
           {"cuda", "memory coalescing (rows to columns)", "coalesce_global_access"},
           {"cuda", "cp.async pipeline", "async_copy_pipeline"},
           {"cuda", "async copies", "async_copy_pipeline"},
           {"cuda", "use tensor cores", "tensor_core_mma"},
           {"cuda", "WGMMA instructions", "wgmma"},
           {"cuda", "TF32 tensor cores", "tf32_math"},
           {"cuda", "persistent kernel", "persistent_kernel"},
           {"triton", "persistent kernel", "triton_persistent"},
           {"cuda", "warp specialization", "warp_specialization"},
           {"triton", "warp specialization", "triton_warp_specialize"},
           {"cuda", "kernel fusion", "fuse_kernels"},
           {"triton", "fuse epilogue", "triton_fusion"},
           {"cuda", "split-K", "split_k"},
           {"triton", "split K", "triton_split_k"},
           {"cuda", "stream-K", "stream_k"},
           {"cuda", "2D register tiling", "register_tiling_2d"},
           {"cuda", "const __restrict__ pointers", "readonly_cache"},
           {"cuda", "Online softmax", "online_softmax"},
           {"cuda", "privatised histogram", "smem_privatization"},
           {"cuda", "decoupled look-back", "single_pass_scan"},
           {"cuda", "CUDA graph capture", "cuda_graphs"},
           {"cuda", "reduce register spills", "register_spill_reduction"},
           {"cuda", "fewer barriers", "cooperative_sync"},
           {"cuda", "L2 swizzle", "l2_tile_swizzle"},
           {"triton", "grouped ordering", "triton_l2_swizzle"},
           {"triton", "remove masks", "triton_mask_elimination"},
           {"triton", "fast math", "triton_exp2_math"},
           {"cuda", "fast math", "fast_math"},
           {"cuda", "two-pass reduction", "two_stage_reduction"},
           {"cuda", "launch bounds", "launch_bounds"},
           {"cuda", "launch_bounds(256, 2)", "launch_bounds"},
           {"cuda", "Shared memory tiling with 32x32 tiles", "smem_tiling"},
           {"cuda", "float4 vectorized global loads", "vectorized_access"},
           {"cuda", "loop unrolling x4", "loop_unroll"},
           {"cuda", "register blocking 8x8", "register_tiling_2d"},
           {"cuda", "coalesced writes", "coalesce_global_access"},
           {"cuda", "warp-specialized producer/consumer", "warp_specialization"},
           {"cuda", "use __ldg for read-only data", "readonly_cache"},
           {"cuda", "prefetch next tile", "software_pipelining"},
           {"cuda", "swizzle shared memory layout", "smem_swizzle"},
           {"cuda", "double buffering with cp.async", "async_copy_pipeline"},
           {"cuda", "__expf fast intrinsics", "fast_math"},
           {"triton", "L2 cache swizzling (GROUP_M=8)", "triton_l2_swizzle"},
           {"triton", "use exp2 instead of exp", "triton_exp2_math"},
           {"triton", "reduce register pressure", "triton_register_pressure"},
           {"triton", "unmasked fast path", "triton_mask_elimination"},
           {"cutedsl", "2CTA MMA", "cutedsl_two_cta"},
           {"cutedsl", "TMA store epilogue", "cutedsl_tma_store"},
       }) {
    CAPTURE(c.backend);
    CAPTURE(c.text);
    std::string given = read(c.backend, c.text);
    if (given.empty()) {  // an id or alias needs no reading
      const Strategy* known = playbook().find(canonical_strategy(c.text));
      if (known != nullptr) given = known->id;
    }
    CHECK(given == c.strategy);
  }
}

TEST_CASE("a misspelt name is read, where only one is near") {
  for (const Case& c : {
           Case{"cuda", "vectorzed_access", "vectorized_access"},
           {"cuda", "double_bufering", "double_buffering"},
           {"cuda", "thread_coarsning", "thread_coarsening"},
           {"cuda", "warp_specialisaton", "warp_specialization"},
           {"cuda", "presistent_kernel", "persistent_kernel"},
           {"cuda", "tensor_core_mma", ""},  // an id
           {"cuda", "online_sofmax", "online_softmax"},
       }) {
    CAPTURE(c.text);
    CHECK(read(c.backend, c.text) == c.strategy);
  }
}

TEST_CASE("false friends stay what they are") {
  for (const char* backend : {"cuda", "triton", "cutile", "other", ""}) {
    for (const char* text : {"baseline",
                             "naive",
                             "refactor",
                             "rewrite",
                             "first version",
                             "v2",
                             "cleanup",
                             "bug fix",
                             "tiling",
                             "swizzle",
                             "padding analysis",
                             "launch bound",
                             "launch-bound",
                             "memory bound kernel",
                             "compute-bound",
                             "latency bound",
                             "no fusion",
                             "without shared memory tiling",
                             "remove tensor cores",
                             "disable fast math",
                             "reverted float4 loads",
                             "drop loop unrolling",
                             "stop using cp.async",
                             "uncoalesced access",
                             "unfused epilogue",
                             "kernel fission",
                             "recompute",
                             "recompute invariants",
                             "fast_path",
                             "fast path",
                             "sync_copy",
                             "unpinned_memory",
                             "block reduce",
                             "block reduction tree",
                             "tile reduce",
                             "double vector",
                             "vector reduce",
                             "constant folding",
                             "graph coloring",
                             "block sparse",
                             "multi-head",
                             "stream compaction",
                             "split batch",
                             "tile scheduler",
                             "cluster analysis",
                             "async barrier",
                             "fp32 accumulator fix",
                             "double precision",
                             "online learning",
                             "register file",
                             "scalar loads",
                             "float2 math",
                             "warp size",
                             "warp divergence analysis",
                             "global memory",
                             "more shared memory",
                             "profile first",
                             "float4 loads and warp shuffle",
                             "float4 loads + shared memory tiling",
                             "coalescing, unrolling",
                             "num_warps 4->8, num_stages 3->4",
                             "num_warps 8->8",
                             "increase num_warps 8 -> 4",
                             "BLOCK 64x64 -> 128x128",
                             "num_warps 4 -> num_stages 8",
                             "coarsen_z:up",
                             "load_shape_a:up",
                             "algo_between:to0",
                             "block_q:up",
                             "register_tiling_3d",
                             "wg_tile_q 4->8",
                             "seed 1 -> 2",
                             "version 2 to 3",
                             "step 3",
                             "batch 4->8",
                             "4 -> 8",
                             "->",
                             "to",
                             "",
                             "   ",
                             "::::",
                             "stages",
                             "block",
                             "M=128 N=256",
                             "memory",
                             "compute",
                             "occupancy analysis",
                             "reduce latency",
                             "reduce launch overhead",
                             "tune",
                             "sweep",
                             "try 3",
                             "layout change",
                             "transposed weights",
                             "smaller problem",
                             "softmax",
                             "gemm"}) {
      CAPTURE(backend);
      CAPTURE(text);
      CHECK(read(backend, text) == "");
    }
  }
}

TEST_CASE("of several changes at once none takes the credit") {
  for (const char* text : {"smem_tiling+loop_unroll", "thread_coarsening+triton_exp2_math",
                           "triton_num_warps+thread_coarsening+triton_exp2_math", "loop_unroll+no_fast_math",
                           "vectorized_access+no_smem_tiling", "several:triton_exp2.py"})
    for (const char* backend : {"cuda", "triton"}) CHECK(read(backend, text) == "");
}

TEST_CASE("ids and aliases are not read at all") {
  for (const Strategy& s : playbook().all()) {
    CAPTURE(s.id);
    CHECK_FALSE(reader().read(s.id, s.backends[0]));
    for (const std::string& alias : s.aliases) CHECK_FALSE(reader().read(alias, s.backends[0]));
  }
}

TEST_CASE("what is not read has neighbours to choose from") {
  auto near = reader().nearest("swizzle the tiles in shared memory", 3);
  REQUIRE(near.size() == 3);
  CHECK(near[0] == "smem_swizzle");
  CHECK(reader().nearest("zzzz", 3).empty());
}
