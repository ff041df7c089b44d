#include "model/canonical.h"

#include <doctest/doctest.h>

using namespace explog;

namespace {

Experience typical() {
  Experience e;
  e.kernel_type = "matmul";
  e.strategy = "Loop Unrolling";
  e.backend = "CUDA";
  e.bottleneck = "memory-bound";
  e.dtype = "FP16";
  e.outcome = "win";
  return e;
}

}  // namespace

TEST_CASE("words of a record become those of the store, and each change is told") {
  Experience e = typical();
  Respelled respelled = respell(e, "claimed");
  CHECK(e.kernel_type == "gemm");
  CHECK(e.strategy == "loop_unrolling");
  CHECK(e.bottleneck == "memory");
  CHECK(e.dtype == "f16");
  CHECK(e.outcome == "success");
  CHECK(e.level == "claimed");
  CHECK(respelled.unknown.empty());
  CHECK(respelled.mended ==
        std::vector<std::string>{
            "kernel_type 'matmul' read as 'gemm'", "strategy 'Loop Unrolling' read as 'loop_unrolling'",
            "bottleneck 'memory-bound' read as 'memory'", "outcome 'win' read as 'success'",
            "dtype 'FP16' read as 'f16'"});  // "CUDA" differs in case alone
  Experience again = e;
  CHECK(respell(again, "claimed").mended.empty());
  CHECK(again == e);
}

TEST_CASE("a word that no vocabulary has becomes what stands for it, with the nearest in the remark") {
  Experience e = typical();
  e.backend = "cudaa", e.cause = "bug", e.arch = "sm_9x", e.dtype = "Q4";
  Respelled respelled = respell(e, "claimed");
  CHECK(e.backend == "other");
  CHECK(e.cause.empty());
  CHECK(e.arch == "unknown");
  CHECK(e.dtype == "q4");  // of data types, any is one
  REQUIRE(respelled.unknown.size() == 4);
  CHECK(respelled.unknown[0].starts_with("unknown arch 'sm_9x' (did you mean"));
  CHECK(respelled.unknown[1] == "unknown backend 'cudaa' (did you mean 'cuda'?), stored as 'other'");
  CHECK(respelled.unknown[2].ends_with(", dropped"));
  CHECK(respelled.unknown[3].starts_with("unknown dtype 'Q4'"));
  CHECK(respelled.unknown[3].ends_with(", kept as it is"));
}

TEST_CASE("an arch that is not given is the GPU's; a level is at most what its source may claim") {
  Experience e = typical();
  e.gpu = "NVIDIA H100", e.level = "measured";
  CHECK(respell(e, "measured").mended.size() == 5);
  CHECK(e.arch == "sm_90");
  CHECK(e.level == "measured");
  Respelled respelled = respell(e, "imported");
  CHECK(e.level == "imported");
  CHECK(
      respelled.mended ==
      std::vector<std::string>{"level 'measured' lowered to 'imported': only explog's own harness measures"});
  Experience bare = typical();
  respell(bare, "claimed");
  CHECK(bare.arch == "unknown");
}
