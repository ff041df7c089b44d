#include <doctest/doctest.h>

#include "app/calibrate/ladder_steps.h"

using namespace explog;
using namespace explog::app;

namespace {

Measurement measured(const std::string& gpu, const std::vector<Dims>& shapes) {
  Measurement m;
  m.gpu = gpu, m.correctness = "pass";
  m.runs.emplace_back();
  for (const Dims& dims : shapes) {
    m.runs.back().shapes.emplace_back();
    m.runs.back().shapes.back().dims = dims;
  }
  return m;
}

}  // namespace

TEST_CASE("a step is measured where it was timed at all shapes on this GPU, or does not work there") {
  const Dims small = {{"N", 64}, {"D", 128}}, large = {{"N", 64}, {"D", 4096}};
  const std::vector<Dims> timed = {small, large};
  CHECK(is_measured(measured("NVIDIA H200", timed), "NVIDIA H200", timed));
  CHECK(is_measured(measured("NVIDIA H200", {large, small}), "NVIDIA H200", timed));
  CHECK_FALSE(is_measured(measured("NVIDIA H200", {large}), "NVIDIA H200", timed));
  CHECK_FALSE(is_measured(measured("NVIDIA H200", timed), "NVIDIA A100", timed));
  Measurement crashed = measured("NVIDIA H200", {});
  crashed.correctness = "crash";
  CHECK(is_measured(crashed, "NVIDIA H200", timed));
  CHECK_FALSE(is_measured(crashed, "NVIDIA A100", timed));
}
