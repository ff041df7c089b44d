#include "app/gpu_lease.h"

#include <doctest/doctest.h>

#include "scratch.h"

using namespace explog;
using namespace explog::app;

namespace {

const std::vector<bench::Gpu> two = {{"0", "GPU-aa11", "NVIDIA H200", "sm_90a"},
                                     {"1", "GPU-bb22", "NVIDIA H200", "sm_90a"}};

}  // namespace

TEST_CASE("two GPUs are leased to two workers, and again when one is done") {
  Scratch scratch;
  std::string folder = scratch / "locks";
  auto first = lease_gpu(two, folder);
  auto second = lease_gpu(two, folder);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->gpu.uuid == "GPU-aa11");
  CHECK(second->gpu.uuid == "GPU-bb22");
  CHECK(!lease_gpu(two, folder));
  first.reset();
  auto third = lease_gpu(two, folder);
  REQUIRE(third);
  CHECK(third->gpu.uuid == "GPU-aa11");
}

TEST_CASE("GPUs that are not visible are not leased") {
  CHECK(visible_gpus(two, "").size() == 2);
  CHECK(visible_gpus(two, "1").front().uuid == "GPU-bb22");
  CHECK(visible_gpus(two, "GPU-aa, 1").size() == 2);
  CHECK(visible_gpus(two, "MIG-1").empty());
}
