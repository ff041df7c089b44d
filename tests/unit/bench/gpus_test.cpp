// Work over several GPUs: who they are, and who takes what.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <set>

#include "base/error.h"
#include "base/work_queue.h"
#include "bench/harness/gpus.h"

using namespace explog;
using namespace explog::bench;

namespace {

const std::vector<Gpu> four = parse_gpus(
    "0, GPU-aa11, NVIDIA H200, 9.0\n1, GPU-bb22, NVIDIA H200, 9.0\nNVIDIA-SMI is odd today\n"
    "2, GPU-cc33, NVIDIA A100-SXM4-80GB, 8.0\n3, GPU-dd44, NVIDIA H200, [N/A]\n");

std::string choice_refusal(const std::vector<std::string>& wanted) {
  try {
    choose_gpus(four, wanted);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("nvidia-smi's table of GPUs; lines that are none are left out") {
  REQUIRE(four.size() == 3);
  CHECK(four[1].index == "1");
  CHECK(four[1].uuid == "GPU-bb22");
  CHECK(four[0].arch == "sm_90a");
  CHECK(four[2].name == "NVIDIA A100-SXM4-80GB");
  CHECK(four[2].arch == "sm_80");
  CHECK(arch_of_capability("12.0") == "sm_120a");
  CHECK(arch_of_capability("9").empty());
}

TEST_CASE("GPUs are chosen by index or UUID, each once, all of one model") {
  auto chosen = choose_gpus(four, {"1", "GPU-aa"});
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].uuid == "GPU-bb22");
  CHECK(chosen[1].uuid == "GPU-aa11");
  CHECK(choice_refusal({"7"}) == "--gpus: no GPU '7' here");
  CHECK(choice_refusal({"0", "GPU-aa11"}) == "--gpus: GPU 0 is named twice");
  CHECK(choice_refusal({}) == "GPUs 0 and 2 are of different models (NVIDIA H200, NVIDIA A100-SXM4-80GB)");
}

TEST_CASE("every item is taken once, by whoever is free") {
  std::vector<int> items(500);
  for (int i = 0; i < 500; ++i) items[static_cast<std::size_t>(i)] = i;
  std::mutex guard;
  std::multiset<int> seen;
  std::set<std::size_t> workers;
  std::latch both(2);  // each worker holds its first item until the other has one, too
  work_through(std::move(items), 2, [&](std::size_t worker, int item) {
    bool first = false;
    {
      std::lock_guard lock(guard);
      seen.insert(item);
      first = workers.insert(worker).second;
    }
    if (first) both.arrive_and_wait();
  });
  CHECK(workers == std::set<std::size_t>{0, 1});
  CHECK(seen.size() == 500);
  CHECK(std::set<int>(seen.begin(), seen.end()).size() == 500);
}

TEST_CASE("one worker keeps the order; an exception ends the work and comes out") {
  std::vector<int> order;
  work_through(std::vector<int>{3, 1, 2}, 1, [&](std::size_t, int item) { order.push_back(item); });
  CHECK(order == std::vector<int>{3, 1, 2});
  std::atomic<int> begun = 0;
  auto fail = [&](std::size_t, int) {
    ++begun;
    throw Error(Exit::store, "disk full");
  };
  CHECK_THROWS_AS(work_through(std::vector<int>(1000, 1), 2, fail), Error);
  CHECK(begun <= 2);
}
