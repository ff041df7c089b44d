#include "intake/source_facts.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "intake/source_knobs.h"
#include "intake/source_types.h"
#include "model/arch.h"
#include "model/comments.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr std::size_t longest_source = std::size_t{1} << 20;
constexpr std::size_t most_kernels = 20;

bool has(const std::string& code, const char* pattern) { return RE2::PartialMatch(code, pattern); }

// Each backend by what only it writes, the most particular first.
struct BackendClue {
  const char *backend, *pattern;
};
constexpr auto backends = std::to_array<BackendClue>({
    {"cutile", R"(@ct\.kernel|import cuda\.tile|cuda_tile|@cutile\.kernel)"},
    {"cutedsl", R"(@cute\.(kernel|jit)|import cutlass\.cute|from cutlass import cute)"},
    {"triton", R"(@triton\.(jit|autotune)|import triton|tl\.program_id)"},
    {"hip", R"(#\s*include\s*<hip/|hipLaunchKernelGGL|__builtin_amdgcn_)"},
    {"cuda",
     R"(__global__|CUTLASS_GLOBAL|<<<[^;]*>>>|#\s*include\s*<cuda(_runtime|_fp16|_bf16|/)|\bcuLaunchKernel)"},
});

// A branch of the preprocessor for HIP in a source of CUDA does not make it one of HIP.
std::string backend_of(std::string code) {
  static const RE2 hip_branch(
      R"((?ms)^\s*#\s*if[^\n]*(?:HIP|AMD|ROCM)[^\n]*$.*?^\s*#\s*(?:else|elif|endif)\b)");
  RE2::GlobalReplace(&code, hip_branch, "");
  for (const BackendClue& clue : backends) {
    if (has(code, clue.pattern)) return clue.backend;
  }
  return "";
}

// What a kernel can already have, by the words that say so.
struct DoneClue {
  const char *what, *pattern;
  const char* against = "$.^";  // withdraws it
};
constexpr auto done_clues = std::to_array<DoneClue>({
    {"tensor cores",
     R"(\bwmma::|mma_sync|mma\.sync|wgmma|tcgen05\.mma|\btl\.dot\b|\bct\.mma\b|cute\.gemm|MmaOp|MmaF16BF16Op|mma_m16n8|\bmma(_\w+)?\s*\(|mma\.cuh)",
     "MmaUniversalOp"},
    {"warpgroup MMA (wgmma)", R"(wgmma|warpgroup\.(Mma|fence|commit_group))"},
    {"tcgen05 MMA", R"(tcgen05\.)"},
    {"TMA copies",
     R"(cp\.async\.bulk|cp_async_bulk|CUtensorMap|make_tensor_descriptor|experimental_descriptor_load|CopyBulkTensorTile|make_tiled_tma|\bct\.load\b|tma_load|fetch_box)"},
    {"asynchronous copies (cp.async)",
     R"(cp\.async\.c[ag]|cp_async|__pipeline_memcpy_async|cuda::memcpy_async|CopyG2SOp)"},
    {"shared memory", R"(__shared__|SmemAllocator|make_smem|smem\.)"},
    {"vector loads",
     R"(\b(float4|int4|uint4|double2|ushort8|longlong2)\b|\.v4\.(f32|u32|b32)|ld\.global\.v|load_quad|num_bits_per_copy\s*=\s*128)"},
    {"warp shuffles", R"(__shfl_\w+_sync|__reduce_\w+_sync|warp_reduction|shuffle_sync)"},
    {"unrolled loops", R"(#\s*pragma\s+unroll|tl\.static_range|range_constexpr|unroll=)"},
    {"grid-stride or persistent loop",
     R"((\+=\s*(gridDim\.x|blockDim\.x\s*\*\s*gridDim\.x|gridDim\.x\s*\*)|tl\.num_programs|ct\.num_blocks|NUM_SMS|PersistentTileScheduler))"},
    {"launch bounds", R"(__launch_bounds__)"},
    {"restrict or read-only loads", R"(__restrict__|__ldg\b|ld\.global\.nc)"},
    {"streaming cache hints", R"(__ldcs|__stcs|evict_first|\.cs\.|load_once|store_once|eviction_policy)"},
    {"autotuning",
     R"(@triton\.autotune|autotune_launch|ct_experimental\.autotune|exhaustive_search|autotuner)"},
    {"thread-block clusters",
     R"(__cluster_dims__|cluster_group|barrier\.cluster|cluster_shape|cudaLaunchAttributeClusterDimension)"},
    {"warp specialization",
     R"(setmaxnreg|warp_specialize|producer_warp|warpgroup_reg_(de)?alloc|is_producer|(tma|mma|load|epi\w*|producer|consumer|sched\w*)_warp_id)"},
    {"fast intrinsics",
     R"(__expf|__fdividef|exp2f|ex2\.approx|tl\.exp2|tl\.math\.exp2|fastmath|rounding_mode=RMd?\.APPROX|flush_to_zero)"},
    {"grouped tile order for L2", R"(GROUP_SIZE_M|GROUP_M|group_size_m|swizzle_2d)"},
    {"several stages in flight",
     R"(\bnum_stages\s*=\s*[2-9]|\b(STAGES|stages|NUM_STAGES)\s*=?\s*[2-9]|ab_stage|PipelineTmaUmma|mbarrier)"},
    {"split of the reduction (split-K)", R"((?i)\bsplit_?k\b)"},
    {"atomics", R"(\batomic(Add|Max|CAS)|tl\.atomic_|ct\.atomic_)"},
});

void find_names(const std::string& code, const char* pattern, std::vector<std::string>& names) {
  RE2 expression(pattern);
  re2::StringPiece rest(code);
  std::string name;
  while (names.size() < most_kernels && RE2::FindAndConsume(&rest, expression, &name)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

std::vector<std::string> kernel_names(const std::string& code, const std::string& backend) {
  const char* pattern =
      backend == "cuda" || backend == "hip"
          ? R"((?:__global__|CUTLASS_GLOBAL)\s+(?:(?:static|void|inline)\s+|(?:__launch_bounds__|__cluster_dims__|__maxnreg__|__block_size__)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)*(\w+)\s*\()"
          : R"(@(?:triton\.jit|ct\.kernel|cute\.kernel|cute\.jit|cutile\.kernel)[^\n]*\n(?:\s*@[^\n]*\n)*\s*def\s+(\w+))";
  std::vector<std::string> names;
  find_names(code, pattern, names);
  find_names(code, R"(\w\s*=\s*triton\.jit\(\s*(\w+)\s*[,)])", names);  // f = triton.jit(f)
  return names;
}

// The parameters of what is called from outside, then those of kernels.
std::string heads_of(const std::string& code) {
  static const RE2 entry(R"(extern\s+"C"\s+[\w\s*]*?\w+\s*\(([^()]*)\))");
  static const RE2 kernel(R"((?:__global__|CUTLASS_GLOBAL)[^;{]*?\w+\s*\(([^(){}]*)\)\s*\{)");
  std::string heads, parameters;
  for (const RE2* head : {&entry, &kernel}) {
    re2::StringPiece rest(code);
    while (RE2::FindAndConsume(&rest, *head, &parameters)) heads += parameters + "\n";
  }
  return heads;
}

// The first floating type that `code` points to, else the first integer.
std::string pointed_dtype(const std::string& code, bool tf32) {
  static const RE2 pointer(
      R"((?:const\s+)?\b(float4?|double2?|half2?|__half2?|bf16|nv_bfloat16|__nv_bfloat16|bfloat16|)"
      R"(int8_t|uint8_t|unsigned char|int|int4|unsigned|fp16|float16)\s*(?:const\s*)?\*)");
  re2::StringPiece rest(code);
  std::string first_integer;
  std::string type;
  while (RE2::FindAndConsume(&rest, pointer, &type)) {
    while (!type.empty() && type.size() > 4 && type.back() == '4') type.pop_back();
    if (type == "half2" || type == "__half2" || type == "half" || type == "__half" || type == "fp16" ||
        type == "float16")
      return "f16";
    if (type.find("bf") != std::string::npos) return "bf16";
    if (type == "float") return tf32 ? "tf32" : "f32";
    if (type.starts_with("double")) return "f64";
    if (first_integer.empty())
      first_integer = type == "int" || type == "unsigned" || type == "int4" ? "i32"
                      : type == "int8_t"                                    ? "i8"
                                                                            : "u8";
  }
  return first_integer;
}

std::string cuda_dtype(const std::string& code) {
  if (has(code, R"(__nv_fp8|e4m3|e5m2)")) return "f8";
  bool tf32 = has(code, R"(tf32)") && has(code, R"(mma)");
  std::string dtype = pointed_dtype(heads_of(code), tf32);
  if (dtype.empty()) dtype = pointed_dtype(code, tf32);
  // Inputs that come as bytes, products of halves, float accumulators: the halves are what it computes with.
  bool halves = has(code, R"(\b(mma|ldmatrix))") && has(code, R"(\bhalf2?\s+(const\s*)?\*)");
  return dtype == "f32" && halves ? "f16" : dtype;
}

// Half-precision types say what the tensors are; float32 of a kernel's language is the accumulator's, whatever they are.
std::string python_dtype_of(const std::string& code, const char* single) {
  const std::pair<const char*, const char*> types[] = {
      {"f4", R"(Float4E2M1|float4_e2m1|nvfp4|mxfp4)"},
      {"f8", R"(float8|e4m3|e5m2|Float8)"},
      {"bf16", R"(\b(tl|torch|ct|cutlass|jnp)\.(bfloat16|BFloat16))"},
      {"f16", R"(\b(tl|torch|ct|cutlass|cp|np)\.(float16|half|Float16))"},
      {"tf32", R"(tfloat32|TFloat32|allow_tf32\s*=\s*True)"},
      {"f32", single},
  };
  std::size_t first = std::string::npos;
  std::string dtype;
  for (const auto& [name, pattern] : types) {
    RE2 expression(pattern);
    re2::StringPiece found;
    if (!expression.Match(code, 0, code.size(), RE2::UNANCHORED, &found, 1)) continue;
    if (std::string_view(name) == "f32" && !dtype.empty()) continue;
    auto at = static_cast<std::size_t>(found.data() - code.data());
    if (at < first || dtype.empty()) dtype = name, first = at;
  }
  return dtype;
}

// The default of the option for inputs says most; beside matrix products float32 is the accumulators', unless random
// inputs are made with it.
std::string python_dtype(const std::string& code) {
  constexpr const char* any_single = R"(\b(torch|cp|np|jnp)\.float32|cutlass\.Float32)";
  std::string option;
  if (RE2::PartialMatch(code,
                        R"(--(?:ab?_|in_|q_|input_)?dtype['"][^()]*?default\s*=\s*(cutlass\.\w+|torch\.\w+))",
                        &option)) {
    std::string dtype = python_dtype_of(option, any_single);
    if (!dtype.empty()) return dtype;
  }
  bool products = has(code, R"(\btl\.dot\b|\bct\.mma\b|\bcute\.gemm\b)") && !has(code, "MmaUniversalOp");
  return python_dtype_of(code, products ? R"(\brand\w*\([^\n]*\b(?:torch|cp|np|jnp)\.float32)"
                                        : R"(\b(torch|cp|np|jnp)\.float32)");
}

// The dtype in the name of the file, else of its folder, where it names one that is narrow: sm90_bf16_gemm, fp8_gemm/.
std::string named_dtype(const std::string& path) {
  static const RE2 narrow(R"((?i)(?:^|[_-])(bf16|f16|fp16|f8|fp8|nvfp4|mxfp4|fp4)(?:[_-]|$))");
  const std::filesystem::path file(path);
  for (const std::string& name : {file.stem().string(), file.parent_path().filename().string()}) {
    re2::StringPiece rest(name);
    std::string word, second;
    if (!RE2::FindAndConsume(&rest, narrow, &word)) continue;
    if (!RE2::FindAndConsume(&rest, narrow, &second))
      return canonical(Vocabulary::dtype, lower(word)).value_or("");
  }
  return "";
}

std::string needed_arch(const std::string& code) {
  if (has(code, R"(tcgen05|PipelineTmaUmma|cta_group)")) return "sm_100";
  if (has(code, R"(wgmma|cp\.async\.bulk|__cluster_dims__|setmaxnreg|warpgroup\.(Mma|fence|commit_group))"))
    return "sm_90";
  if (has(code, R"(cp\.async\.c[ag]|__pipeline_memcpy_async|__nv_bfloat16|CopyG2SOp)")) return "sm_80";
  return "";
}

// What is comment in `text`: the letters that `code` lost.
std::string comments_of(std::string_view text, const std::string& code) {
  std::string comments;
  for (std::size_t i = 0; i < text.size() && i < code.size(); ++i)
    comments += text[i] != code[i] ? text[i] : ' ';
  return comments;
}

}  // namespace

std::string code_of(std::string_view text) {
  static const RE2 include(R"((?m)^\s*#\s*(include|define|pragma)\b|__global__)");
  static const RE2 import(R"((?m)^(import|from)\s+[A-Za-z_]|^\s*def \w+\()");
  re2::StringPiece piece(text.data(), text.size());
  bool python = RE2::PartialMatch(piece, import) && !RE2::PartialMatch(piece, include);
  return without_comments(text, {.python_comments = false, .python = python, .literals = false});
}

SourceFacts read_source(std::string_view text, std::string_view called, const std::string& path) {
  text = text.substr(0, longest_source);
  const std::string code = code_of(text);
  SourceFacts facts;
  facts.backend = backend_of(code);
  if (!facts.is_kernel()) return facts;
  facts.kernels = kernel_names(code, facts.backend);
  bool python = facts.backend != "cuda" && facts.backend != "hip";
  if (facts.kernels.empty() &&
      !has(code, python ? R"(\b(tl|ct|cute)\.\w+\()" : R"(__global__|CUTLASS_GLOBAL|<<<)")) {
    facts.backend.clear();  // it includes a header of the backend, and that is all
    return facts;
  }
  TypeGuess guess = guess_type(code, facts.kernels, comments_of(text, code), path);
  facts.kernel_type = guess.type;
  facts.type_reason = guess.reason;
  facts.dtype = named_dtype(path);
  if (facts.dtype.empty()) facts.dtype = python ? python_dtype(code) : cuda_dtype(code);
  facts.min_arch = needed_arch(code);
  facts.knobs = python ? python_source_knobs(code) : cuda_source_knobs(code);
  const std::string all = code + std::string(called);
  for (const DoneClue& clue : done_clues) {
    bool loads_are_tma =
        std::string_view(clue.what) != "TMA copies" || facts.backend != "triton" || has(all, R"(descriptor)");
    if (loads_are_tma && has(all, clue.pattern) && !has(all, clue.against))
      facts.done.emplace_back(clue.what);
  }
  return facts;
}

Facts state_of(const SourceFacts& facts) {
  constexpr std::pair<const char*, const char*> shared[] = {
      {"num_warps", "num_warps"},    {"num_stages", "num_stages"},     {"block_m", "wg_tile_m"},
      {"block_size_m", "wg_tile_m"}, {"tile_m", "wg_tile_m"},          {"block_n", "wg_tile_n"},
      {"block_size_n", "wg_tile_n"}, {"tile_n", "wg_tile_n"},          {"block_k", "wg_tile_k"},
      {"block_size_k", "wg_tile_k"}, {"tile_k", "wg_tile_k"},          {"block_x", "block_x"},
      {"block_y", "block_y"},        {"threads", "block_x"},           {"block_size_x", "block_x"},
      {"unroll", "unroll"},          {"vector_width", "vector_width"}, {"num_ctas", "num_ctas"},
      {"occupancy", "occupancy"},
  };
  Facts state;
  bool threads_are_cuda = facts.backend == "cuda" || facts.backend == "hip";
  for (const SourceKnob& knob : facts.knobs) {
    if (knob.name == "unroll") continue;  // a pragma of one loop among many
    std::string name = lower(knob.name);
    if (name == "block_size" && threads_are_cuda) name = "block_x";
    for (const auto& [from, to] : shared) {
      if (name == from && knob.values.size() == 1) add_named(state, to, knob.values[0]);
    }
  }
  return state;
}

}  // namespace explog::intake
