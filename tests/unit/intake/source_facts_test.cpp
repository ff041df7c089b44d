// What is read from sources: the shipped kernels by their text alone, and small ones in the style of others.
#include "intake/source_facts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "model/task.h"

using namespace explog;

namespace {

const std::string source_dir = EXPLOG_SOURCE_DIR;

intake::SourceFacts facts_of_sample(const std::string& name) {
  return intake::read_source(read_file(source_dir + "/tests/data/source/" + name));
}

bool does(const intake::SourceFacts& facts, const char* what) {
  return std::find(facts.done.begin(), facts.done.end(), what) != facts.done.end();
}

std::vector<double> values(const intake::SourceFacts& facts, const char* name) {
  for (const intake::SourceKnob& knob : facts.knobs) {
    if (knob.name == name) return knob.values;
  }
  return {};
}

}  // namespace

TEST_CASE("every shipped kernel is recognised by its text: type, backend and dtype of its task") {
  std::set<std::string> families;
  std::size_t files = 0;
  for (const auto& folder : std::filesystem::directory_iterator(source_dir + "/kernels")) {
    std::string task_file = folder.path().string() + "/task.json";
    if (!std::filesystem::exists(task_file)) continue;
    Task task = parse_task(read_file(task_file));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      if (entry.path().extension() != ".cu") continue;
      auto facts = intake::read_source(read_file(entry.path().string()));
      CAPTURE(entry.path().string());
      CHECK(facts.kernel_type == task.kernel_type);
      CHECK(facts.backend == "cuda");
      CHECK_FALSE(facts.kernels.empty());
      std::string of_task(dtype_name(task.arguments[0].dtype));
      bool tensor_cores = facts.dtype == "tf32" && of_task == "f32";
      if (!tensor_cores) CHECK(facts.dtype == of_task);
      ++files;
      families.insert(folder.path().filename().string());
    }
  }
  CHECK(families.size() == 19);
  CHECK(files > 150);
}

TEST_CASE("kernels in the style of others: type, backend, dtype") {
  struct Expected {
    const char *file, *type, *backend, *dtype;
  };
  for (const Expected& e : {Expected{"triton_softmax.py", "softmax", "triton", "f16"},
                            {"triton_matmul.py", "gemm", "triton", "bf16"},
                            {"triton_layernorm.py", "layernorm", "triton", ""},
                            {"triton_flash.py", "attention", "triton", "f16"},
                            {"triton_add.py", "vector_add", "triton", ""},
                            {"triton_rope.py", "rope", "triton", ""},
                            {"cutile_matmul.py", "gemm", "cutile", "bf16"},
                            {"cutile_softmax.py", "softmax", "cutile", ""},
                            {"cutedsl_gemm.py", "gemm", "cutedsl", "f16"},
                            {"cutedsl_add.py", "vector_add", "cutedsl", ""},
                            {"sgemm_1d.cu", "gemm", "cuda", "f32"},
                            {"fused_softmax_half.cu", "softmax", "cuda", "f16"},
                            {"block_sum.cu", "reduction", "cuda", "f64"},
                            {"conv2d.cu", "conv2d", "cuda", "f32"},
                            {"jacobi.cu", "stencil", "cuda", "f64"}}) {
    CAPTURE(e.file);
    auto facts = facts_of_sample(e.file);
    CHECK(facts.kernel_type == e.type);
    CHECK(facts.backend == e.backend);
    CHECK(facts.dtype == e.dtype);
    CHECK_FALSE(facts.type_reason.empty());
  }
}

TEST_CASE("constants: one value, a list of configurations, a pair") {
  auto softmax = facts_of_sample("triton_softmax.py");
  CHECK(values(softmax, "BLOCK_SIZE") == std::vector<double>{1024});
  CHECK(values(softmax, "num_warps") == std::vector<double>{4});
  auto matmul = facts_of_sample("triton_matmul.py");
  CHECK(values(matmul, "BLOCK_M") == std::vector<double>{128, 64});
  CHECK(values(matmul, "num_stages") == std::vector<double>{3, 4});
  auto cutile = facts_of_sample("cutile_matmul.py");
  CHECK(values(cutile, "TILE_M") == std::vector<double>{256});
  CHECK(values(cutile, "TILE_K") == std::vector<double>{64});
  CHECK(values(cutile, "num_ctas") == std::vector<double>{2});
  auto cute = facts_of_sample("cutedsl_gemm.py");
  CHECK(values(cute, "mma_tiler_mn[0]") == std::vector<double>{256});
  CHECK(values(cute, "cluster_shape_mn[1]") == std::vector<double>{1});
  CHECK(values(cute, "use_2cta_instrs") == std::vector<double>{1});
  CHECK(values(facts_of_sample("sgemm_1d.cu"), "TM") == std::vector<double>{8});
  CHECK(values(facts_of_sample("fused_softmax_half.cu"), "kThreads") == std::vector<double>{256});
  CHECK(values(facts_of_sample("jacobi.cu"), "block_y") == std::vector<double>{8});
}

TEST_CASE("the state of a question holds constants with one value, under the names of records") {
  Facts flash = intake::state_of(facts_of_sample("triton_flash.py"));
  CHECK(fact(flash, "num_warps") == 8);
  CHECK(fact(flash, "num_stages") == 2);
  CHECK(fact(flash, "wg_tile_m") == 128);
  CHECK_FALSE(fact(intake::state_of(facts_of_sample("triton_matmul.py")), "num_warps"));
  CHECK(fact(intake::state_of(facts_of_sample("block_sum.cu")), "block_x") == 256);
  auto bf16 = intake::read_source(read_file(source_dir + "/kernels/attention_bf16/mma.cu"));
  CHECK(values(bf16, "unroll") == std::vector<double>{4});
  CHECK_FALSE(fact(intake::state_of(bf16), "unroll"));  // of one loop among many
  CHECK(does(bf16, "tensor cores"));
}

TEST_CASE("what is done already is seen, and what is not there is not") {
  auto matmul = facts_of_sample("triton_matmul.py");
  CHECK(does(matmul, "tensor cores"));
  CHECK(does(matmul, "autotuning"));
  CHECK(does(matmul, "grouped tile order for L2"));
  CHECK_FALSE(does(matmul, "TMA copies"));
  auto cute = facts_of_sample("cutedsl_gemm.py");
  CHECK(does(cute, "tcgen05 MMA"));
  CHECK(does(cute, "TMA copies"));
  CHECK(cute.min_arch == "sm_100");
  auto sgemm = facts_of_sample("sgemm_1d.cu");
  CHECK(sgemm.done == std::vector<std::string>{"shared memory"});
  auto hopper = intake::read_source(read_file(source_dir + "/kernels/gemm_bf16/tma.cu"));
  for (const char* what : {"tensor cores", "TMA copies", "warpgroup MMA (wgmma)"}) CHECK(does(hopper, what));
  CHECK(hopper.min_arch == "sm_90");
  auto naive = intake::read_source(read_file(source_dir + "/kernels/softmax/naive.cu"));
  CHECK(naive.done.empty());
}

TEST_CASE("what is no kernel is none, whatever words it has") {
  for (const char* file : {"not_train.py", "not_host.cpp", "not_text.md", "README.md"}) {
    CAPTURE(file);
    CHECK_FALSE(facts_of_sample(file).is_kernel());
  }
  CHECK_FALSE(intake::read_source("").is_kernel());
  CHECK_FALSE(intake::read_source("// __global__ void softmax(float* x) {}").is_kernel());
  CHECK_FALSE(intake::read_source(std::string(100, '\0')).is_kernel());
}

TEST_CASE("a division in Python is no comment, and a docstring no code") {
  std::string code = intake::code_of("import triton\nx = a // b  # c\n\"\"\"doc\nmore\"\"\"\ny = 1\n");
  CHECK(code.find("a // b") != std::string::npos);
  CHECK(code.find("# c") == std::string::npos);
  CHECK(code.find("more") == std::string::npos);
  CHECK(code.find("y = 1") != std::string::npos);
  CHECK(intake::code_of("#include <a>\nint x; // gone\n").find("gone") == std::string::npos);
}

namespace {

std::string type_of(const std::string& text, const std::string& path = "") {
  return intake::read_source(text, "", path).kernel_type;
}

}  // namespace

TEST_CASE("a type is not read from words that other kernels have too") {
  CHECK(type_of("__global__ void adamw_step(float* weight, float* m, float* v, float beta1, float beta2, "
                "float eps) "
                "{ weight[0] -= m[0] / (sqrtf(v[0]) + eps); }\n") == "elementwise");
  CHECK(type_of("import triton\n@triton.jit\ndef _kldiv_fwd(y, t, out, eps, mode):\n  mean = 3\n  "
                "tl.store(out, eps)\n") == "loss");
  CHECK(type_of("import triton\n@triton.jit\ndef merge(v, lse, kv_indptr, head_dim):\n  tl.store(v, "
                "tl.exp2(lse))\n") == "attention");
  CHECK(type_of("__global__ void PrefillWithKVCache(Params p) { float cos = 1, sin = 0; }\n") == "attention");
  CHECK(type_of("__global__ void labels(const int* target, float* out, int ic, int r) "
                "{ out[ic + r] = logf(target[r]); }\n") == "cross_entropy");
  CHECK(type_of("from functools import partial\nimport cutlass.cute as cute\n@cute.kernel\ndef kernel(x):\n"
                "  cute.gemm(partial(x))\n") == "gemm");
  CHECK(type_of("import cuda.tile as ct\n@ct.kernel\ndef conv2d_implicit_gemm(x, w):\n  ct.mma(x, w)\n") ==
        "conv2d");
  CHECK(type_of("import cuda.tile as ct\n@ct.kernel\ndef maxpool3d(x, kernel_size):\n  ct.gather(x)\n") ==
        "reduction");
  CHECK(type_of("__global__ void gated_linear_attn(const float* k, const float* v) {}\n") == "state_space");
  CHECK(type_of("__global__ void countAggregated(int* n) { n[0] = 1; }\n").empty());
}

TEST_CASE("names that say a type in other spellings") {
  for (const auto& row :
       std::initializer_list<std::pair<const char*, const char*>>{{"MatrixMulCUDA", "gemm"},
                                                                  {"mul_mat_q", "gemm"},
                                                                  {"trimul_global", "gemm"},
                                                                  {"mul_mat_vec_q", "gemv"},
                                                                  {"argmax_f32", "reduction"},
                                                                  {"k_bin_bcast", "elementwise"},
                                                                  {"k_get_rows", "gather"},
                                                                  {"my_add_kernel", "vector_add"},
                                                                  {"hardswish_f32", "activation"},
                                                                  {"elu_f32x4_kernel", "activation"},
                                                                  {"row_mean", "reduction"},
                                                                  {"matmul_backward_bias", "reduction"},
                                                                  {"rms_layernorm", "rmsnorm"}}) {
    const auto& name = row.first;
    CAPTURE(name);
    CHECK(type_of("__global__ void " + std::string(name) + "(float* x) { x[0] = 1; }\n") == row.second);
  }
  CHECK(type_of("import triton\ndef _softmax(x):\n  tl.load(x)\n_softmax = triton.jit(_softmax)\n") ==
        "softmax");
}

TEST_CASE("what a kernel without a telling name does says its type") {
  CHECK(
      type_of(
          "import triton\n@triton.jit\ndef k(x, y, n, B: tl.constexpr):\n  v = tl.load(x + tl.arange(0, B))\n"
          "  e = tl.exp(v - tl.max(v, 0))\n  tl.store(y, e / tl.sum(e, 0))\n") == "softmax");
  CHECK(type_of("import triton\n@triton.jit\ndef k(x, w, y, n, e, B: tl.constexpr):\n  v = tl.load(x + "
                "tl.arange(0, B))\n"
                "  mean = tl.sum(v * v, 0) / n\n  tl.store(y, v * tl.rsqrt(mean + e) * tl.load(w))\n") ==
        "rmsnorm");
  CHECK(type_of("import triton\n@triton.jit\ndef k(x, w, y, n, eps, B: tl.constexpr):\n  v = tl.load(x + "
                "tl.arange(0, B))\n"
                "  mean = tl.sum(v, 0) / n\n  d = v - mean\n  tl.store(y, d * tl.rsqrt(tl.sum(d * d, 0) / n "
                "+ eps))\n") == "layernorm");
  CHECK(type_of("import triton\n@triton.jit\ndef k(x, y, B: tl.constexpr):\n"
                "  tl.store(y, tl.sum(tl.load(x + tl.arange(0, B)), 0))\n") == "reduction");
  CHECK(type_of("__global__ void k(const float* in, float* out, int rows, int cols) {\n"
                "  int c = threadIdx.x, r = threadIdx.y;\n  out[c * rows + r] = in[r * cols + c];\n}\n") ==
        "transpose");
  CHECK(type_of("__global__ void k(const float* in, float* out) {\n  __shared__ float t[32][33];\n"
                "  t[threadIdx.y][threadIdx.x] = in[at()];\n  __syncthreads();\n"
                "  out[to()] = t[threadIdx.x][threadIdx.y];\n}\n") == "transpose");
  CHECK(type_of("__global__ void f(const float* x, float* y) { float s = 0; s += x[0];\n"
                "  s += __shfl_down_sync(~0u, s, 1);\n  if (!threadIdx.x) atomicAdd(y, s);\n}\n") ==
        "reduction");
}

TEST_CASE("so does what stands in C++ alone: norms, moves by an index, products with weights, maps") {
  const std::string own = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  auto kernel = [](const std::string& parameters, const std::string& body) {
    return type_of("__global__ void k(" + parameters + ") {\n" + body + "}\n");
  };
  const std::string rows = "const half* in, half* out, int H";
  CHECK(kernel(rows,
               "  for (int i = threadIdx.x; i < H; i += 256) { float v = h(in[i]); a += v; q += v * v; }\n"
               "  float m = a / H, r = rsqrtf(q / H - m * m + 1e-5f);\n") == "layernorm");
  CHECK(kernel(rows,
               "  for (int i = threadIdx.x; i < H; i += 256) q += (in[i] - m) * (in[i] - m);\n"
               "  float r = 1.0f / sqrtf(q / H + 1e-5f);\n") == "layernorm");
  CHECK(kernel(rows,
               "  for (int i = threadIdx.x; i < H; i += 256) { float d = in[i] - m; q = fmaf(d, d, q); }\n"
               "  float r = rsqrtf(q / H + 1e-5f);\n") == "layernorm");
  CHECK(kernel(rows,
               "  for (int i = 0; i < H; i++) { float v = tanhf(in[i]); out[i] = v; q += v * v; }\n"
               "  float r = rsqrtf(q / H + 1e-6f);\n") == "rmsnorm");
  CHECK(type_of("__global__ void gelu_norm(const float* in, float* out, int H) {\n"
                "  for (int i = 0; i < H; i++) { float v = tanhf(in[i]); out[i] = v; q += v * v; }\n"
                "  float r = rsqrtf(q / H + 1e-6f);\n}\n") == "rmsnorm");
  CHECK(
      kernel(rows,
             "  for (int i = 0; i < H; i++) { float d = in[i] - out[i]; q += d * d; }\n  y = sqrtf(q);\n") !=
      "layernorm");
  const std::string table = "const long* which, const float* table, float* out, int d";
  CHECK(kernel(table,
               "  long id = which[blockIdx.x];\n  for (int i = threadIdx.x; i < d; i += blockDim.x)\n"
               "    out[blockIdx.x * d + i] = table[id * d + i];\n") == "gather");
  CHECK(kernel(table,
               "  long id = which[blockIdx.x];\n  for (int i = threadIdx.x; i < d; i += blockDim.x)\n"
               "    out[id * d + i] = table[blockIdx.x * d + i];\n") == "scatter");
  CHECK(kernel("float* x, const float* b, int n, int c",
               own + "  if (i < n) { float v = x[i] + b[i % c]; x[i] = v > 0 ? v : 0; }\n") == "activation");
  CHECK(kernel("const float* x, float* y, int n", own + "  if (i < n) y[i] = 3 * x[i] + 1;\n") ==
        "elementwise");
  CHECK(kernel("float* x, int n",
               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)\n"
               "    x[i] = x[i] * x[i] * 0.5f;\n") == "elementwise");
  CHECK(kernel("const float* x, int* out, int d",
               "  __shared__ float best[256];\n  for (int s = blockDim.x / 2; s > 0; s >>= 1)\n"
               "    if (threadIdx.x < s && best[threadIdx.x + s] > best[threadIdx.x])\n"
               "      best[threadIdx.x] = best[threadIdx.x + s];\n") == "reduction");
  CHECK(
      kernel("const float* x, float* y, int d",
             "  using Reduce = cub::BlockReduce<float, 256>;\n  m = Reduce(room).Reduce(m, cub::Max());\n") ==
      "reduction");
  CHECK(kernel("const T* A, const T* B, T* C, int m, int n, int k",
               "  for (int i = 0; i < 16; i++) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];\n") == "gemm");
  CHECK(kernel("const float* in, const float* w, float* out, int H, int W",
               "  for (int dy = -1; dy <= 1; dy++)\n    for (int dx = -1; dx <= 1; dx++)\n"
               "      acc += in[(y + dy) * W + x + dx] * w[dy * 3 + dx + 4];\n") == "conv2d");
  CHECK(
      kernel(
          "const int8_t* w, const float* s, const float* x, float* y, int d",
          "  for (int i = threadIdx.x; i < d; i += 32) acc += (float)w[row * d + i] * s[i / 64] * x[i];\n") ==
      "gemv");
  CHECK(kernel("float4* p, int n", own + "  for (int j = 0; j < n; j++) f += pull(p[i], p[j]);\n").empty());
  CHECK(type_of("import triton\n@triton.jit\ndef k(x, y, B: tl.constexpr):\n"
                "  tl.store(y, tl.load(x + tl.arange(0, B)) * 2 + 1)\n") == "elementwise");
}

TEST_CASE("every shipped kernel in Python is recognised by its text: type and language") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir + "/kernels")) {
    const std::string name = entry.path().filename().string(), language = name.substr(0, name.find('_'));
    if (entry.path().extension() != ".py" ||
        (language != "triton" && language != "cutile" && language != "cutedsl"))
      continue;
    CAPTURE(entry.path().string());
    auto facts = intake::read_source(read_file(entry.path().string()));
    Task task = parse_task(read_file((entry.path().parent_path() / "task.json").string()));
    CHECK(facts.kernel_type == task.kernel_type);
    CHECK(facts.backend == language);
    ++files;
  }
  CHECK(files > 25);
}

TEST_CASE("the file's name is a clue, else its folder's") {
  const std::string text = "__global__ void kernel(float* x) { x[0] = 1; }\n";
  CHECK(type_of(text).empty());
  CHECK(type_of(text, "-").empty());
  CHECK(type_of(text, "ops/softmax.cu") == "softmax");
  CHECK(type_of(text, "attention/decode.cuh") == "attention");
  CHECK(type_of(text, "attention/rope.cu") == "rope");
}

TEST_CASE("a kernel behind CUTLASS_GLOBAL is one, and its dtype is that of the file's name") {
  auto facts = intake::read_source(
      "CUTLASS_GLOBAL __launch_bounds__(kA + kB, 1) void\nbf16_gemm_impl(int* layout) {}\n", "",
      "impls/sm90_bf16_gemm.cuh");
  CHECK(facts.kernels == std::vector<std::string>{"bf16_gemm_impl"});
  CHECK(facts.kernel_type == "gemm");
  CHECK(facts.dtype == "bf16");
}

TEST_CASE("a dtype is that of the inputs, not of accumulators") {
  auto dtype = [](const std::string& text, const std::string& path = "") {
    return intake::read_source(text, "", path).dtype;
  };
  const std::string tile =
      "import cuda.tile as ct\nimport torch\n@ct.kernel\ndef mm(a, b):\n  ct.mma(a, b)\n";
  CHECK(dtype(tile + "lse = torch.empty(8, dtype=torch.float32)\n").empty());
  CHECK(dtype(tile + "a = torch.rand(8, dtype=torch.float32)\n") == "f32");
  CHECK(dtype("import cutlass.cute as cute\n@cute.kernel\ndef gemm(a):\n  x = cutlass.Float8E8M0FNU\n"
              "p.add_argument(\"--a_dtype\", type=cutlass.dtype, default=cutlass.Float4E2M1FN)\n") == "f4");
  CHECK(dtype("import triton\n@triton.jit\ndef mm(a):\n  tl.dot(a, a)\nx = torch.bfloat16\n",
              "kernels/fp8.py") == "f8");
  CHECK(dtype("__device__ void load(half2 * const tile) { mma(tile); }\n"
              "__global__ void attn(const char* Q, float* dst) { load(0); }\n") == "f16");
}

TEST_CASE("a branch for HIP does not make a source of CUDA one of HIP") {
  const std::string hip = "#include <hip/hip_cooperative_groups.h>\n";
  const std::string kernel = "__global__ void softmax(float* x) { x[0] = 1; }\n";
  CHECK(intake::read_source("#ifdef GGML_USE_HIP\n" + hip +
                            "#else\n#include <cooperative_groups.h>\n#endif\n" + kernel)
            .backend == "cuda");
  CHECK(intake::read_source(hip + kernel).backend == "hip");
}

TEST_CASE("products without tensor cores, copies and warp roles of the CuTe DSL") {
  const std::string head = "import cutlass.cute as cute\n@cute.kernel\ndef gemm(a):\n  cute.gemm(a)\n";
  CHECK(does(intake::read_source(head), "tensor cores"));
  auto simt = intake::read_source(head + "  op = cute.nvgpu.MmaUniversalOp(t)\n  c = cpasync.CopyG2SOp()\n");
  CHECK_FALSE(does(simt, "tensor cores"));
  CHECK(does(simt, "asynchronous copies (cp.async)"));
  CHECK(simt.min_arch == "sm_80");
  CHECK_FALSE(
      does(intake::read_source(head + "  pipe.producer_acquire(producer_group)\n"), "warp specialization"));
  CHECK(does(intake::read_source(head + "  cute.arch.warpgroup_reg_alloc(232)\n"), "warp specialization"));
  CHECK(does(intake::read_source(head + "  cute.nvgpu.warpgroup.fence()\n"), "warpgroup MMA (wgmma)"));
}
