#include "bench/judge/record.h"

#include <doctest/doctest.h>

#include "model/claim.h"

using namespace explog;

TEST_CASE(
    "a record's speed-up follows from its latencies, also where the machine's speed moved between blocks") {
  bench::ShapeVerdict shape;
  shape.dims = {{"N", 1024}};
  shape.baseline_ms = 10;  // medians over all blocks: 5x
  shape.candidate_ms = 2;
  shape.speedup = 4, shape.lo = 3.9, shape.hi = 4.1;  // block by block
  shape.status = bench::ShapeStatus::faster;
  Measurement m;
  m.backend = "cuda", m.arch = "sm_90", m.correctness = "pass";
  bench::Verdict verdict;
  verdict.verdict = bench::Decision::keep;
  verdict.shapes = {shape};
  Task task;
  task.kernel_type = "softmax";
  auto list = bench::experiences_by_shape(m, verdict, task);
  REQUIRE(list.size() == 1);
  CHECK(*list[0].speedup == 4);
  CHECK(*list[0].latency_before_ms / *list[0].latency_after_ms == doctest::Approx(4));
  list[0].strategy = "smem_tiling";
  for (const std::string& warning : prepare(list[0], "measured").warnings)
    CHECK_MESSAGE(warning.find("does not follow") == std::string::npos, warning);
}
