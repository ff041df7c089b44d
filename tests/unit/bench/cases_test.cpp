#include "bench/cases.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
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

TEST_CASE("a baseline is held against the reference unless it was judged before") {
  Workbench bench(find_task("vector_add", ""), find_toolchain("host", "", {}, ""));
  SourceFile own = bench.file(bench.backend().baseline), wrong = own;
  wrong.text =
      "extern \"C\" void solve(const float* x, const float* y, float* z, int N) {\n"
      "  for (int i = 0; i < N; ++i) z[i] = x[i];\n}\n";
  Builder& builder = bench.builder();
  const std::string right = builder.candidate(bench.task(), own).path;
  Binaries binaries{builder.reference(bench.file(bench.task().reference)).path,
                    builder.candidate(bench.task(), wrong).path, right, "wrong.cpp", right};
  const PlannedCase planned = plan_cases(bench, 1).front();
  {
    TrustedProcesses trusted(bench, binaries);
    CHECK_THROWS_WITH_AS(prepare_case(bench, trusted, planned, 1),
                         doctest::Contains("the baseline wrong.cpp fails its own task"), Error);
  }
  bench.baseline_passed = true;
  TrustedProcesses trusted(bench, binaries);
  CHECK_FALSE(prepare_case(bench, trusted, planned, 1).baseline.empty());
  CHECK(&trusted.own_baseline() == trusted.yardstick.get());
  CHECK(trusted.baseline().device().clock == "steady");  // begins for who asks
}
