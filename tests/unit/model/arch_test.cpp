#include "model/arch.h"

#include <doctest/doctest.h>

#include "model/kernel_type.h"
#include "model/vocabulary.h"

using namespace explog;

TEST_CASE("architectures have many spellings and one name") {
  for (const char* text :
       {"sm_90", "sm90", "90", "9.0", "compute_90", "SM_90a", "H100", "NVIDIA H200", "H100 PCIe"}) {
    CAPTURE(text);
    CHECK(canonical_arch(text) == "sm_90");
  }
  CHECK(canonical_arch("RTX A6000") == "sm_86");
  CHECK(canonical_arch("NVIDIA GeForce RTX 4090") == "sm_89");
  CHECK(canonical_arch("NVIDIA A100-SXM4-80GB") == "sm_80");
  CHECK(canonical_arch("TITAN RTX") == "sm_75");
  CHECK(canonical_arch("gfx90a") == "gfx90a");
  CHECK(canonical_arch("sm_120") == "sm_120");
  for (const char* text : {"", "sm_", "turing", "sm_9o", "gfx", "A1000x"}) CHECK_FALSE(canonical_arch(text));
}

TEST_CASE("distance counts generations") {
  CHECK(arch_distance("sm_90", "sm_90") == 0);
  CHECK(arch_distance("sm_80", "sm_86") == 0.5);
  CHECK(arch_distance("sm_80", "sm_90") == 2);
  CHECK(arch_distance("sm_90", "gfx90a") == 5.3);
  CHECK_FALSE(arch_distance("sm_90", "unknown"));
  CHECK(arch_weight("sm_90", "sm_90") == 1);
  CHECK(arch_weight("sm_80", "sm_75") == 0.75);
  CHECK(arch_weight("sm_35", "sm_90") == 0.4);
  CHECK(arch_weight("sm_90", "gfx90a") == 0.25);
}

TEST_CASE("features follow the architecture") {
  CHECK(has_feature("sm_90", "wgmma") == true);
  CHECK(has_feature("sm_100", "wgmma") == false);
  CHECK(has_feature("sm_120", "tcgen05") == false);
  CHECK(has_feature("sm_75", "cp_async") == false);
  CHECK_FALSE(has_feature("gfx90a", "tma").has_value());
}

TEST_CASE("vocabularies take other spellings") {
  CHECK(canonical(Vocabulary::bottleneck, "Memory-Bound") == "memory");
  CHECK(canonical(Vocabulary::bottleneck, "mixed") == "balanced");
  CHECK_FALSE(canonical(Vocabulary::bottleneck, "grid_anomaly"));
  CHECK(canonical(Vocabulary::dtype, "float32") == "f32");
  CHECK(canonical(Vocabulary::backend, "CUDA-Tile") == "cutile");
  CHECK_FALSE(canonical(Vocabulary::outcome, ""));
  CHECK(canonical_strategy("Shared-Memory tiling{32}") == "shared_memory_tiling_32");
  CHECK(canonical_strategy("block_x:up") == "block_x:up");
  CHECK(canonical_strategy(std::string(500, 'a')).size() == 120);
}

TEST_CASE("kernel types fold into families") {
  CHECK(family_of(canonical_kernel_type("MatMul")) == "gemm");
  CHECK(family_of(canonical_kernel_type("Layer Norm")) == "normalization");
  CHECK(family_of(canonical_kernel_type("my-kernel")) == "my_kernel");
  CHECK(canonical_kernel_type("a\x1f"
                              "b") == "a_b");
}

TEST_CASE("a compiler is told an arch as it was said, and of a card all that it has") {
  CHECK(arch_to_compile_for("sm_90") == "sm_90");
  CHECK(arch_to_compile_for("sm_90a") == "sm_90a");
  CHECK(arch_to_compile_for("compute_100f") == "sm_100f");
  CHECK(arch_to_compile_for("8.6") == "sm_86");
  CHECK(arch_to_compile_for("H200") == "sm_90a");
  CHECK(arch_to_compile_for("RTX 4090") == "sm_89");
  CHECK(arch_to_compile_for("A100") == "sm_80");
  CHECK_FALSE(arch_to_compile_for("H9000"));
}
