#include "app/judge/neighbours.h"

#include <doctest/doctest.h>

#include "app/judge/gpu_lease.h"
#include "bench/harness/compile_slot.h"
#include "scratch.h"

using namespace explog;
using namespace explog::app;

TEST_CASE("neighbours are those that hold locks of other GPUs and of compilers") {
  Scratch scratch;
  const std::string gpus = scratch / "gpus", compilers = scratch / "compilers";
  auto seen = [&] { return neighbours_now(gpus, compilers); };
  CHECK(seen().gpus == 0);
  CHECK(seen().compilers == 0);
  const std::vector<bench::Gpu> two = {{"0", "GPU-aa11", "NVIDIA H200", "sm_90a"},
                                       {"1", "GPU-bb22", "NVIDIA H200", "sm_90a"}};
  auto own = lease_gpu(two, gpus);
  CHECK(seen().gpus == 0);
  auto other = lease_gpu(two, gpus);
  REQUIRE(other);
  CHECK(seen().gpus == 1);
  auto first = bench::take_compile_slot(compilers, 3), second = bench::take_compile_slot(compilers, 3);
  CHECK(seen().compilers == 2);
  first.reset();
  other.reset();
  CHECK(seen().compilers == 1);
  CHECK(seen().gpus == 0);
}

TEST_CASE("a noisy measurement names its neighbours, a quiet one does not") {
  CHECK(disturbance({1, 0}, 0.005).empty());
  CHECK(disturbance({0, 0}, 0.05).empty());
  CHECK(disturbance({1, 0}, 0.041) ==
        "explog had 1 other GPU timed on meanwhile: the noise of 4.1% may come from there");
  CHECK(disturbance({2, 3}, 0.041) ==
        "explog had 2 other GPUs timed on and 3 compilers running meanwhile: the noise of 4.1% may come from "
        "there");
}
