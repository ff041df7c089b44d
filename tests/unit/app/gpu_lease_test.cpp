#include "app/judge/gpu_lease.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/error.h"
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

TEST_CASE("one process times on a GPU, and others wait for it") {
  Scratch scratch;
  std::string folder = scratch / "locks", said;
  Session session;
  session.progress = [&](const std::string& words) { said = words; };
  CHECK(!wait_for_gpu({}, folder, 0, session));
  auto first = wait_for_gpu(two, folder, 0, session);
  REQUIRE(first);
  CHECK(first->gpu.uuid == "GPU-aa11");
  CHECK(said.empty());
  CHECK_THROWS_WITH_AS(wait_for_gpu(two, folder, 300, session),
                       "another explog is timing on NVIDIA H200 GPU-aa11", Error);
  CHECK(said == "waiting for another explog that is timing on NVIDIA H200");
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    first.reset();
  });
  CHECK(wait_for_gpu(two, folder, 60'000, session));
  other.join();
}

TEST_CASE("where no lock can be kept there is a warning and no lease") {
  Scratch scratch;
  write_file(scratch / "file", "");
  std::string warned;
  Session session;
  session.warn = [&](const std::string& words) { warned = words; };
  CHECK(!wait_for_gpu(two, scratch / "file/locks", 0, session));
  CHECK(warned.ends_with("another explog on this GPU would not be noticed"));
  std::filesystem::create_directory_symlink(std::filesystem::temp_directory_path(), scratch / "link");
  warned.clear();
  CHECK(!wait_for_gpu(two, scratch / "link", 0, session));
  CHECK(warned.find("link is not a folder of yours") != std::string::npos);
}

TEST_CASE("GPUs that are not visible are not leased") {
  CHECK(visible_gpus(two, "").size() == 2);
  CHECK(visible_gpus(two, "1").front().uuid == "GPU-bb22");
  CHECK(visible_gpus(two, "GPU-aa, 1").size() == 2);
  CHECK(visible_gpus(two, "MIG-1").empty());
}
