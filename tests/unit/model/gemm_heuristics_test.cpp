#include "model/gemm_heuristics.h"

#include <doctest/doctest.h>

#include "model/json.h"

using namespace explog;

namespace {

Argument matrix(const char* name, Role role, std::vector<std::string> shape, Dtype dtype = Dtype::bf16) {
  Argument a;
  a.name = name;
  a.role = role;
  a.shape = std::move(shape);
  a.dtype = dtype;
  return a;
}

Task product(std::vector<std::string> a, std::vector<std::string> b, std::vector<std::string> c) {
  Task task;
  task.arguments = {matrix("A", Role::in, std::move(a)), matrix("B", Role::in, std::move(b)),
                    matrix("C", Role::out, std::move(c))};
  task.intermediate = "f32";
  return task;
}

const Dims shape = {{"M", 512}, {"N", 1024}, {"K", 256}, {"L", 3}};

int layout_of(const Task& task) {
  auto p = gemm_product(task, shape);
  return p ? p->layout : -1;
}

const std::string line =
    "noise of a library\n"
    R"(explog-heuristics {"format":1,"version":"0.1.0","candidates":[)"
    R"({"tile":[128,256,64],"warp":[64,32,64],"split_k":2,"stages":5,"swizzle":8,"cluster":[2,1],"seconds":0.00025}]})"
    "\nmore noise\n";

std::string estimates_refusal(const std::string& output) {
  try {
    parse_gemm_estimates(output);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a task's product is known by the names of its dimensions") {
  auto p = gemm_product(product({"M", "K"}, {"K", "N"}, {"M", "N"}), shape);
  REQUIRE(p);
  CHECK(p->precision == "TST");
  CHECK(p->m == 512);
  CHECK(p->n == 1024);
  CHECK(p->k == 256);
  CHECK(p->batch == 1);
  CHECK(layout_of(product({"M", "K"}, {"K", "N"}, {"M", "N"})) == 0);
  CHECK(layout_of(product({"M", "K"}, {"N", "K"}, {"M", "N"})) == 1);
  CHECK(layout_of(product({"K", "M"}, {"K", "N"}, {"M", "N"})) == 2);
  CHECK(layout_of(product({"K", "M"}, {"N", "K"}, {"M", "N"})) == 3);
  auto batched = gemm_product(product({"L", "M", "K"}, {"L", "K", "N"}, {"L", "M", "N"}), shape);
  REQUIRE(batched);
  CHECK(batched->batch == 3);
}

TEST_CASE("what is no product of two matrices of one type is not asked about") {
  CHECK(layout_of(product({"M", "K"}, {"L", "N"}, {"M", "N"})) == -1);
  CHECK(layout_of(product({"M", "M"}, {"M", "N"}, {"M", "N"})) == -1);
  CHECK(layout_of(product({"M", "K"}, {"L", "K", "N"}, {"M", "N"})) == -1);
  CHECK(layout_of(product({"M", "2*K"}, {"2*K", "N"}, {"M", "N"})) == -1);
  Task mixed = product({"M", "K"}, {"K", "N"}, {"M", "N"});
  mixed.arguments[1].dtype = Dtype::f32;
  CHECK(layout_of(mixed) == -1);
  Task integers = product({"M", "K"}, {"K", "N"}, {"M", "N"});
  for (Argument& a : integers.arguments) a.dtype = Dtype::i32;
  CHECK(layout_of(integers) == -1);
  Task alone = product({"M", "K"}, {"K", "N"}, {"M", "N"});
  alone.arguments.erase(alone.arguments.begin() + 1);
  CHECK(layout_of(alone) == -1);
}

TEST_CASE("the letters of a precision") {
  Task task = product({"M", "K"}, {"K", "N"}, {"M", "N"});
  for (Argument& a : task.arguments) a.dtype = Dtype::f32;
  CHECK(gemm_product(task, shape)->precision == "SSS");
  task.intermediate = "tf32";
  CHECK(gemm_product(task, shape)->precision == "SFS");
  for (Argument& a : task.arguments) a.dtype = Dtype::f16;
  task.intermediate = "f16";
  CHECK(gemm_product(task, shape)->precision == "HHH");
}

TEST_CASE("GPUs by the names that drivers and people give them") {
  CHECK(heuristics_gpu("NVIDIA H200") == 9003);
  CHECK(heuristics_gpu("NVIDIA H100 80GB HBM3") == 9000);
  CHECK(heuristics_gpu("NVIDIA H100 PCIe") == 9001);
  CHECK(heuristics_gpu("NVIDIA A100-SXM4-80GB") == 8000);
  CHECK(heuristics_gpu("4090") == 8904);
  CHECK_FALSE(heuristics_gpu("Tesla T4"));
  CHECK_FALSE(heuristics_gpu(""));
  CHECK(heuristics_target("triton", "sm_90") == 3);
  CHECK(heuristics_target("cutedsl", "sm_90a") == 4);
  CHECK(heuristics_target("cuda", "sm_86") == 2);
}

TEST_CASE("the helper's line is read wherever it stands, and refused where it is broken") {
  GemmEstimates e = parse_gemm_estimates(line);
  CHECK(e.version == "0.1.0");
  REQUIRE(e.list.size() == 1);
  CHECK(e.list[0].ms == doctest::Approx(0.25));
  CHECK(e.list[0].warps() == 16);
  CHECK(estimates_refusal("") == "it says nothing");
  CHECK(estimates_refusal("explog-heuristics {\"format\":2}") == "\"format\" is 2, this program reads 1");
  CHECK(estimates_refusal("explog-heuristics {\"format\":1}") == "its answer lacks something");
  std::string broken = line;
  broken.replace(broken.find("[128,256,64]"), 12, "[128,256]");
  CHECK(estimates_refusal(broken) == "a list of sizes has another length");
  broken = line;
  broken.replace(broken.find("0.00025"), 7, "-1");
  CHECK(estimates_refusal(broken) == "an estimate is no time of a tile");
}

TEST_CASE("an estimate in the knobs of each backend") {
  GemmEstimate e = parse_gemm_estimates(line).list[0];
  CHECK(settings_text(settings_of(e, "triton")) ==
        "BLOCK_M=128,BLOCK_N=256,BLOCK_K=64,GROUP_M=8,SPLIT_K=2,num_warps=16,num_stages=5");
  CHECK(settings_text(settings_of(e, "cutile")) ==
        "TILE_SIZE_M=128,TILE_SIZE_N=256,TILE_SIZE_K=64,GROUP_SIZE_M=8,SPLIT_K=2,num_ctas=2");
  CHECK(settings_text(settings_of(e, "cutedsl")) ==
        "mma_tiler_m=128,mma_tiler_n=256,cluster_shape_m=2,cluster_shape_n=1");
  CHECK(settings_text(settings_of(e, "cuda")) ==
        "BLOCK_M=128,BLOCK_N=256,BLOCK_K=64,GROUP_M=8,SPLIT_K=2,WARPS=16,STAGES=5,CLUSTER_M=2,CLUSTER_N=1");
}
