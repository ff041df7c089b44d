#include "intake/loop_version.h"

#include <doctest/doctest.h>

#include "intake/loop_pages.h"
#include "intake/perf_results.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

const std::string dram = "dram__throughput.avg.pct_of_peak_sustained_elapsed";

std::vector<Parsed> version(const std::string& name) {
  return drain(intake::loop_version(sample("loop/softmax/" + name + "/ncu_summary.md"), nullptr));
}

}  // namespace

TEST_CASE("loop: a version is compared with the fastest right one before it") {
  CHECK(version("v0").empty());
  auto list = version("v3");
  REQUIRE(list.size() == 1);
  REQUIRE(list[0].experience);
  const Experience& e = *list[0].experience;
  CHECK(e.kernel_type == "softmax");
  CHECK(list[0].usual_backend == "cuda");
  CHECK(e.gpu == "NVIDIA RTX A6000");
  CHECK(e.arch == "sm_86");
  CHECK(e.shape == Facts{{"N", 2048}, {"D", 512}});
  CHECK(e.latency_before_ms == 0.2);  // v2 is wrong, however fast
  CHECK(e.latency_after_ms == 0.1);
  CHECK(e.source == "softmax/v3 against softmax/v1");
  CHECK(e.iteration == 3);
  CHECK(fact(e.metrics_before, dram) == 61.5);
  CHECK(fact(e.metrics_after, dram) == 88);
  CHECK(e.metrics_after.size() == 3);  // what is no number is left out
  CHECK(e.strategy == "vectorized loads");
  CHECK(e.hypothesis == "vectorized loads");
  CHECK(e.notes == "four bytes a request; expected: " + dram + ": +20%");
  CHECK(e.condition == "time=ms stat=mean cache=unknown");
}

TEST_CASE("loop: without a hypothesis the final report names the change, and several at once credit none") {
  const Parsed first = version("v1").at(0), wrong = version("v2").at(0);
  CHECK(first.experience->strategy == "several_changes");
  CHECK(first.experience->strategy_text == "One block a row + Warps that reduce by shuffle");
  CHECK(has(first.remarks.at(0), "2 changes at once"));
  CHECK(wrong.experience->strategy == "Larger block (512)");
  CHECK(wrong.experience->correctness == "fail");
  CHECK(wrong.experience->cause == "wrong_values");
}

TEST_CASE("loop: times at another shape are not compared") {
  auto list = drain(intake::loop_version(sample("loop/reshaped/v1/ncu_summary.md"), nullptr));
  REQUIRE(list.size() == 1);
  CHECK(has(list[0].fault, "on this GPU at this shape"));
}

TEST_CASE("loop: counters alone are no record") {
  auto list = read_all(intake::loop_version, "# NCU Profile Summary\n");
  REQUIRE(list.size() == 1);
  CHECK(has(list[0].fault, "compared with those in v0/"));
  const std::string head = "# NCU Profile Summary";
  CHECK(intake::loop_page(sample("loop/softmax/v1/ncu_summary.md"), head).empty());
  CHECK(intake::loop_page(sample("loop/rows/v1/ncu_summary.md"), head) == "counters of one version");
}

TEST_CASE("perf_results: pages of its versions beside the table are read with it") {
  auto list = drain(intake::perf_results(sample("loop/rows/perf_results.md"), nullptr));
  REQUIRE(list.size() == 2);
  const Experience& first = *list[0].experience;
  CHECK(first.strategy == "tiling");
  CHECK(first.hypothesis == "each value is read once");
  CHECK(first.arch == "sm_86");
  CHECK(list[0].usual_backend == "cuda");
  CHECK(fact(first.metrics_before, dram) == 30);
  CHECK(fact(first.metrics_after, dram) == 61.5);
  const Experience& second = *list[1].experience;  // without pages of its own
  CHECK(fact(second.metrics_before, dram) == 61.5);
  CHECK(second.metrics_after.empty());
}
