#include "bench/judge/verify.h"

#include <doctest/doctest.h>

#include <cstring>

#include "bench/find_task.h"

using namespace explog;
using namespace explog::bench;

namespace {

// What is said of a one-element result that is off by `relative`, or nothing.
std::string said(const std::string& task, const Dims& dims, double relative) {
  const FoundTask found = embedded_task(task);
  const Case c = make_case(found.task, dims, "normal");
  std::vector<char> bytes(slots_bytes(c));
  const double want = 0.75, magnitude = 0.75;
  std::size_t output = 0;
  while (!c.operands[output].argument->is_output()) ++output;
  const auto got = static_cast<float>(want * (1 + relative));
  std::memcpy(bytes.data() + (slot_of(c, {bytes.data()}, output) - bytes.data()) + payload_offset, &got,
              sizeof got);
  const Expected expected{&want, &magnitude};
  std::vector<Comparison> errors;
  auto fault = wrong(c, {bytes.data()}, {&expected, 1}, {}, errors);
  return fault ? fault->detail : "";
}

}  // namespace

TEST_CASE("A product in f32 that is as near as TF32 is told what would allow that") {
  const Dims one = {{"M", 1}, {"N", 1}, {"K", 1}};
  const std::string hint = R"(as near as products in TF32, which "intermediate": "tf32" in task.json allows)";
  CHECK(said("gemm_f32", one, 3e-4).find("1 of 1 elements wrong; " + hint) != std::string::npos);
  CHECK(said("gemm_f32", one, 1e-7).empty());
  CHECK(said("gemm_f32", one, 0.05).find("TF32") == std::string::npos);  // no TF32 errs so much
  CHECK(said("gemm_tf32", one, 3e-4).empty());
  const std::string other = said("softmax", {{"N", 1}, {"D", 1}}, 3e-4);  // no product of matrices
  CHECK(!other.empty());
  CHECK(other.find("TF32") == std::string::npos);
}
