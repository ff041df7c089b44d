#include "bench/code/device_code.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "bench/code/cubin.h"
#include "bench/code/opcodes.h"
#include "bench/code/starts_work.h"
#include "bench/harness/compilers.h"
#include "bench/harness/device_texts.h"
#include "model/code_facts.h"

using namespace explog;
using namespace explog::bench;

namespace {

constexpr const char* sass = R"(	.target	sm_90
	.section	.text.k,"ax",@progbits
.text.k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 LDG.E.128 R4, desc[UR6][R6.64] ;
        /*0020*/                   LDG.E.U8 R4, desc[UR6][R6.64] ;
        /*0030*/                   HMMA.16816.F32 R8, R4, R6, R8 ;
        /*0040*/                   LDGSTS.E.BYPASS.128 [R3], desc[UR6][R6.64] ;
        /*0050*/                   UTMALDG.2D [UR8], [UR4] ;
        /*0060*/                   IMAD.MOV.U32 R2, RZ, RZ, R3 ;
        /*0070*/                   UIADD3 UR4, UR4, 0x1, URZ ;
        /*0080*/                   STL.64 [R1], R2 ;
        /*0090*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*00a0*/                   STG.E.64 desc[UR6][R2.64], R4 ;
        /*00b0*/                   WHATISTHIS R2 ;
        /*00c0*/                   NOP;
)";

constexpr const char* ptx = R"(.version 9.0
.target sm_90a, debug
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .b32 %r<4>;
	ld.param.u64 %rd1, [k_param_0];
	// ld.global.v4.f32 is only spoken of
$L__BB0_1: @%p1 bra $L__BB0_1;
	ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
	{ mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r2}, {%f1}; }
	cp.async.cg.shared.global [%r1], [%rd1], 16;
	cp.async.commit_group ;
	cp.async.bulk.tensor.2d.shared::cluster.global [%r1], [%rd1];
	fma.rn.f32 %f1, %f1, %f2, %f3;
	fma.rn.bf16x2 %r1, %r1, %r2, %r3;
	ex2.approx.ftz.f32 %f1, %f2;
	bar.sync 0;
	st.global.b16 [%rd1], %rs1;
	ret;
}
)";

}  // namespace

TEST_CASE("instructions of SASS are counted by kind, and the widest access is found") {
  auto kernels = read_sass(sass);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "k");
  const Mix& mix = kernels[0].mix;
  CHECK(mix.of(Op::global_load) == 2);
  CHECK(mix.of(Op::tensor) == 1);
  CHECK(mix.of(Op::async_copy) == 1);
  CHECK(mix.of(Op::bulk_copy) == 1);
  CHECK(mix.of(Op::move) == 1);
  CHECK(mix.of(Op::integer) == 1);
  CHECK(mix.of(Op::local) == 1);
  CHECK(mix.of(Op::barrier) == 1);
  CHECK(mix.of(Op::other) == 1);
  CHECK(mix.all() == 12);
  CHECK(mix.widest_load == 16);
  CHECK(mix.widest_store == 8);
}

TEST_CASE("what cuobjdump prints is SASS as well") {
  auto kernels = read_sass(
      "\t\tFunction : k\n        /*0000*/                   LDG.E R1, [R2] ;   /* 0x00000a00ff017b82 */\n"
      "                                                                 /* 0x000fe20000000800 */\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].mix.all() == 1);
  CHECK(kernels[0].mix.widest_load == 4);
}

TEST_CASE("instructions of PTX are counted by kind, several in a line among them") {
  auto kernels = read_ptx(ptx);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "k");
  const Mix& mix = kernels[0].mix;
  CHECK(mix.of(Op::constant) == 1);
  CHECK(mix.of(Op::global_load) == 1);
  CHECK(mix.of(Op::tensor) == 1);
  CHECK(mix.of(Op::async_copy) == 1);
  CHECK(mix.of(Op::bulk_copy) == 1);
  CHECK(mix.of(Op::fp32) == 1);
  CHECK(mix.of(Op::half) == 1);
  CHECK(mix.of(Op::special) == 1);
  CHECK(mix.of(Op::barrier) == 2);
  CHECK(mix.of(Op::control) == 2);
  CHECK(mix.widest_load == 16);
  CHECK(mix.widest_store == 2);
}

TEST_CASE("facts of the state come from what is known, and every word but the registers is a fact of code") {
  DeviceCode code = read_code({.ptx = ptx, .sass = sass, .ttgir = "", .tileir = "", .cubin = ""});
  CHECK(code.counted == "sass");
  CHECK(code.arch == "sm_90");
  Facts state = state_of(code);
  CHECK(fact(state, "tensor_instructions") == 1);
  CHECK(fact(state, "widest_global_load_bytes") == 16);
  CHECK(fact(state, "local_instructions") == 1);
  CHECK_FALSE(fact(state, "registers_per_thread").has_value());
  for (const auto& known : state) CHECK_MESSAGE(is_code_fact(known.first), known.first);
  DeviceCode only_ptx = read_code({.ptx = ptx, .sass = "", .ttgir = "", .tileir = "", .cubin = ""});
  CHECK(only_ptx.arch == "sm_90a");
  CHECK_FALSE(fact(state_of(only_ptx), "local_instructions").has_value());
}

TEST_CASE("a comparison has a row for what either side has") {
  DeviceCode a = read_code({.ptx = "", .sass = sass, .ttgir = "", .tileir = "", .cubin = ""}), b = a;
  b.kernels[0].mix.counts[static_cast<std::size_t>(Op::tensor)] = 0;
  for (const CodeRow& row : resource_rows(a, a)) CHECK_FALSE(row.changed());
  auto rows = mix_rows(a, b);
  auto tensor =
      std::find_if(rows.begin(), rows.end(), [](const CodeRow& r) { return r.what == title(Op::tensor); });
  REQUIRE(tensor != rows.end());
  CHECK(tensor->before == 1);
  CHECK(tensor->after == 0);
}

TEST_CASE("what is no cubin says so") {
  CHECK_FALSE(read_cubin("").has_value());
  CHECK_FALSE(read_cubin("\x7f"
                         "ELF")
                  .has_value());
  CHECK(read_code({}).kernels.empty());
  CHECK(state_of(read_code({})).empty());
}

TEST_CASE("nvcc's device code tells registers and shared memory, and names do not change its hash") {
  Toolchain toolchain;
  try {
    toolchain = find_toolchain("cuda", "sm_90", {});
  } catch (const Error&) {
    MESSAGE("no nvcc: not compiled");
    return;
  }
  auto source = [](const std::string& name, const std::string& value) {
    return SourceFile{name, "",
                      "namespace { __global__ void k(const float4* a, float4* b, int n) {\n"
                      "  __shared__ float s[256]; int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  s[threadIdx.x] = " +
                          value +
                          "; __syncthreads();\n"
                          "  if (i < n) { float4 v = a[i]; v.x += s[255 - threadIdx.x]; b[i] = v; } } }\n"
                          "void f(const float4* a, float4* b, int n) { k<<<1, 256>>>(a, b, n); }\n",
                      false};
  };
  auto code = [&](const SourceFile& s) { return read_code(code_of_source(toolchain, s)); };
  DeviceCode one = code(source("a.cu", "threadIdx.x"));
  REQUIRE(one.kernels.size() == 1);
  CHECK(one.arch == "sm_90");
  CHECK(one.hash.size() == 32);
  CHECK(one.kernels[0].registers.value() > 4);
  CHECK(one.kernels[0].shared == 1024);
  CHECK(one.kernels[0].stack == 0);
  CHECK(one.kernels[0].barriers == 1);
  CHECK(one.mix().widest_load == 16);
  CHECK(code(source("b.cu", "threadIdx.x + 0")).hash == one.hash);
  CHECK(code(source("a.cu", "threadIdx.x + 1")).hash != one.hash);
}

TEST_CASE("device code that starts kernels or graphs itself is known") {
  Toolchain toolchain;
  try {
    toolchain = find_toolchain("cuda", "sm_90", {"-rdc=true"});
  } catch (const Error&) {
    MESSAGE("no nvcc: not compiled");
    return;
  }
  auto starts = [&](const std::string& text) {
    const std::string kernel = "#include <cuda_runtime.h>\n__global__ void Launch(int* a) { ++*a; }\n";
    return starts_work(code_of_source(toolchain, {"a.cu", "", kernel + text, false}).cubin);
  };
  CHECK(starts("__global__ void k(int* a) { Launch<<<1, 1>>>(a); }\n"));
  CHECK(starts("__global__ void k(cudaGraphExec_t g) { cudaGraphLaunch(g, cudaStreamGraphTailLaunch); }\n"));
  CHECK_FALSE(starts("__device__ int f(int);\n__global__ void k(int* a) { *a = f(*a); }\n"));
  CHECK_FALSE(starts_work(""));
}
