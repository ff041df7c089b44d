#include "bench/cases.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "bench/find_task.h"

using namespace explog;
using namespace explog::bench;

TEST_CASE("timed shapes are checked three times, or once where their timing checks them too") {
  Workbench bench(find_task(EXPLOG_SOURCE_DIR "/kernels/softmax", ""), find_toolchain("host", "", {}, ""));
  auto timed = [&] {
    std::vector<PlannedCase> plan = plan_cases(bench, 1), cases;
    std::copy_if(plan.begin(), plan.end(), std::back_inserter(cases),
                 [](const PlannedCase& c) { return c.timed; });
    return cases;
  };
  const std::size_t shapes = bench.backend().timed.size(), of_all = plan_cases(bench, 1).size();
  REQUIRE(timed().size() == 3 * shapes);
  CHECK(timed()[2].distribution != bench.task().distributions[0]);

  bench.timed_once = true;
  CHECK(timed().size() == shapes);
  CHECK(timed()[0].distribution == bench.task().distributions[0]);
  CHECK(plan_cases(bench, 1).size() == of_all - 2 * shapes);  // hidden ones as before
}
