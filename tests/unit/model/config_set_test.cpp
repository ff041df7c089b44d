#include "model/config_set.h"

#include <doctest/doctest.h>

#include "model/json.h"

using namespace explog;

TEST_CASE("names of files in the trees of vLLM and SGLang, both ways") {
  for (const char* path :
       {"E=8,N=384,device_name=NVIDIA_H200.json",
        "E=8,N=384,device_name=NVIDIA_A100-SXM4-80GB,dtype=fp8_w8a8,block_shape=[128,128].json",
        "N=1024,K=4096,device_name=NVIDIA_H200,dtype=fp8_w8a8,block_shape=[128, 128].json",
        "headdim=64,dstate=128,device_name=Intel(R)_Arc(TM)_Pro_B60_Graphics,cache_dtype=float16.json",
        "configs/triton_3_5_1/"
        "E=4,N=96,device_name=NVIDIA_H200_NVL,dtype=int8_w8a8,per_channel_quant=True.json",
        "configs/triton_3_5_1/E=4,N=96,device_name=NVIDIA_B200,dtype=fp8_w8a8,block_shape=[128, "
        "128]_down.json"}) {
    auto set = config_set_named(path);
    REQUIRE(set);
    CHECK(config_path(*set) == path);
  }
}

TEST_CASE("the device of fused_moe is one for the family of the H200 in vLLM, and only there") {
  auto set = config_set_named("E=8,N=384,device_name=NVIDIA_H200_NVL.json");
  REQUIRE(set);
  CHECK(config_path(*set) == "E=8,N=384,device_name=NVIDIA_H200.json");
  set->runtime = "sglang";
  CHECK(config_path(*set) == "E=8,N=384,device_name=NVIDIA_H200_NVL.json");
  set->runtime = "vllm", set->kernel = "block_gemm";
  CHECK(config_path(*set) == "E=8,N=384,device_name=NVIDIA_H200_NVL.json");
}

TEST_CASE("block_gemm of 8-bit integers has a blank in vLLM as well, and only there") {
  auto set =
      config_set_named("N=7168,K=128,device_name=NVIDIA_A800,dtype=int8_w8a8,block_shape=[128,128].json");
  REQUIRE(set);
  CHECK(set->runtime == "vllm");
  CHECK(config_path(*set) ==
        "N=7168,K=128,device_name=NVIDIA_A800,dtype=int8_w8a8,block_shape=[128, 128].json");
  set->kernel = "fused_moe";
  CHECK(config_path(*set) ==
        "N=7168,K=128,device_name=NVIDIA_A800,dtype=int8_w8a8,block_shape=[128,128].json");
  set->kernel = "block_gemm", set->labels[0].second = "fp8_w8a8";
  CHECK(config_path(*set) ==
        "N=7168,K=128,device_name=NVIDIA_A800,dtype=fp8_w8a8,block_shape=[128,128].json");
}

TEST_CASE("names that no runtime computes") {
  for (const char* path : {"notes.txt", "results.json", "E=8,N=384.json", "E=0,N=384,device_name=X.json",
                           "N=384,E=8,device_name=X.json", "E=8,N=,device_name=X.json", "device_name=X.json"})
    CHECK_FALSE(config_set_named(path));
}

TEST_CASE("a set of configurations reads back, and what could leave a folder is refused") {
  const std::string good =
      R"({"format":1,"runtime":"sglang","kernel":"fused_moe","shape":{"E":8,"N":384},"gpu":"NVIDIA H200",)"
      R"("toolkit":"triton 3.5.1","labels":{"dtype":"fp8_w8a8"},"rows":[{"size":1,"params":{"BLOCK_SIZE_M":16,)"
      R"("loop_orders":[[0,1]],"flag":null}},{"size":2,"params":null},{"params":{}}]})";
  CHECK(to_json(parse_config_set(good)) == good);
  for (auto [from, to] : {std::pair("\"format\":1", "\"format\":2"),
                          {"\"sglang\"", "\"other\""},
                          {"fp8_w8a8", "../x"},
                          {"NVIDIA H200", "a/b"},
                          {"\"E\":8", "\"E\":0"},
                          {"\"size\":1", "\"size\":1.5"},
                          {"\"params\":{}", "\"params\":[]"}}) {
    std::string text = good;
    text.replace(text.find(from), std::string(from).size(), to);
    CHECK_THROWS_AS(parse_config_set(text), JsonError);
  }
}

TEST_CASE("what no file of a set may hold is refused before it is kept") {
  ConfigSet set;
  set.runtime = "vllm", set.kernel = "fused_moe", set.shape = {{"E", 8}}, set.labels = {{"dtype", "fp8"}};
  set.rows = {{16, R"({"BLOCK_SIZE_M":64})"}, {std::nullopt, "null"}};
  check_config_set(set);
  CHECK(
      to_json(set) ==
      R"({"format":1,"runtime":"vllm","kernel":"fused_moe","shape":{"E":8},"gpu":"","toolkit":"","labels":{"dtype":"fp8"},)"
      R"("rows":[{"size":16,"params":{"BLOCK_SIZE_M":64}},{"params":null}]})");
  CHECK(to_json(parse_config_set(to_json(set))) == to_json(set));
  ConfigSet twice = set;
  twice.labels.emplace_back("dtype", "f16");
  CHECK_THROWS_WITH_AS(check_config_set(twice), "\"labels\" has 'dtype' twice", JsonError);
  set.rows[0].size = 0;
  CHECK_THROWS_WITH_AS(check_config_set(set), "\"size\" must be a whole number from 1", JsonError);
}
