#include "app/judge/bench_request.h"

#include <doctest/doctest.h>

#include "bench/cases.h"
#include "bench/find_task.h"

using namespace explog;
using namespace explog::app;

namespace {

bench::RowErrors allowed_by(bench::Workbench& bench, const bench::Binaries& binaries) {
  bench::TrustedProcesses trusted(bench, binaries);
  const Dims row_of_many = {{"N", 2}, {"D", 100'000}};
  return prepare_case(bench, trusted, {row_of_many, bench.task().distributions.front()}, 1).baseline;
}

}  // namespace

TEST_CASE("what is precise enough does not depend on what a candidate is compared with") {
  BenchRequest request;
  request.found = bench::find_task(EXPLOG_SOURCE_DIR "/kernels/softmax", "");
  request.candidate = bench::find_source(EXPLOG_SOURCE_DIR "/kernels/softmax/naive.cpp");
  request.baseline = request.candidate;
  request.toolchain = bench::find_toolchain("host", "", {}, "");
  bench::Workbench bench(request.found, request.toolchain);
  bench::Binaries own = build(bench, request, [](const std::string&) {}).binaries;
  CHECK(own.yardstick.empty());

  request.baseline = bench::find_source(EXPLOG_SOURCE_DIR "/kernels/softmax/vectorized.cpp");
  bench::Binaries precise = build(bench, request, [](const std::string&) {}).binaries;
  CHECK(precise.baseline_name == "vectorized.cpp");
  bench::Binaries alone = precise;
  alone.yardstick.clear();

  bench::RowErrors yardstick = allowed_by(bench, own);
  REQUIRE(allowed_by(bench, alone).at(0) < 0.9 * yardstick.at(0));
  CHECK(allowed_by(bench, precise) == yardstick);
}

TEST_CASE("shapes that are wanted stand in place of those that the task times for the backend alone") {
  BenchNames names;
  names.task = "softmax";
  names.candidate = EXPLOG_SOURCE_DIR "/kernels/softmax/vectorized.cpp";
  const bench::FoundTask own = bench::find_task("softmax", "");
  CHECK(read_request(names, Session()).found.task.backends[1].timed == own.task.backends[1].timed);
  names.shapes = "D=64,N=8192";
  BenchRequest request = read_request(names, Session());
  CHECK(request.found.task.backends[1].timed == std::vector<Dims>{{{"N", 8192}, {"D", 64}}});
  CHECK(request.found.task.backends[0].timed == own.task.backends[0].timed);
  CHECK(request.found.hash == own.hash);
}
