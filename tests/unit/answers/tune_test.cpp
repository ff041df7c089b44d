#include "answers/tune.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

using namespace explog;
using namespace explog::answers;

namespace {

app::TuneAnswer example() {
  app::TuneAnswer a;
  a.tuned.key.task = "gemm_bf16";
  a.tuned.key.kernel = "mine.py";
  a.tuned.key.shape = {{"M", 512}, {"N", 512}, {"K", 512}};
  a.tuned.key.gpu = "NVIDIA H200";
  a.tuned.complete = true;
  a.tuned.configurations = a.tuned.successes = 3;
  a.tuned.original = {{"BLOCK_M", 64.0}};
  a.tuned.best = {{"BLOCK_M", 128.0}};
  a.tuned.original_wins = false;
  a.tuned.original_ms = 0.02;
  a.tuned.best_ms = 0.01;
  a.tuned.faster = a.tuned.lo = a.tuned.hi = 2;
  a.tuned.estimates = {{{{"BLOCK_M", 128.0}},
                        {{"BLOCK_M", 128.0}, {"num_stages", 7.0}},
                        "nvMatmulHeuristics 0.1.0",
                        0.012,
                        0.01}};
  a.tuned.controls = {{"fast.acf", 4711}};
  a.measured = 3;
  a.wall_s = 5;
  a.fastest = {{{{"BLOCK_M", "128"}}, 0.01, 0.01},
               {{{"BLOCK_M", "256"}}, 0.0101, 0.01},
               {{{"BLOCK_M", "64"}}, 0.02, 0.01}};
  a.shares = {{"BLOCK_M", 0.93, 2}};
  return a;
}

std::string printed(const app::TuneAnswer& a, int width) {
  std::ostringstream out, err;
  Terminal terminal{.out = out, .err = err};
  if (width > 0) terminal.interactive = true, terminal.width = width;
  print_tuned(terminal, a, false);
  return out.str();
}

}  // namespace

TEST_CASE("a search ends with its fastest, who is a tie, and what mattered") {
  CHECK(printed(example(), 0) ==
        "mine.py for gemm_bf16, M=512,N=512,K=512, NVIDIA H200\n"
        "  3 of 3 configurations right, 0 failed; 3 measured in 5 s\n"
        "  best      0.010000 ms  BLOCK_M=128, 2.000x faster (99% interval 2.000x to 2.000x)\n"
        "  original  0.020000 ms  BLOCK_M=64\n"
        "  expected  0.012000 ms by nvMatmulHeuristics 0.1.0, 0.010000 ms: BLOCK_M=128\n"
        "  controls  4711 is fast.acf\n"
        "the 3 fastest as the search timed them\n"
        "configuration       ms         99% interval  original / this\n"
        "BLOCK_M=128    0.01000  0.009900 to 0.01010           2.000x  first\n"
        "BLOCK_M=256    0.01010  0.010000 to 0.01020           1.980x  tie\n"
        "BLOCK_M=64     0.02000   0.01980 to 0.02020           1.000x\n"
        "what mattered: share of the variance of log time that a knob explains alone\n"
        "knob                       share of variance  spread\n"
        "BLOCK_M                                  93%  2.000x\n"
        "knobs together, and noise                 7%\n");
}

TEST_CASE("a narrow terminal does without the interval, and no line is wider than it") {
  std::string text = printed(example(), 60);
  CHECK(text.find("99% interval  ") == std::string::npos);
  CHECK(text.find("BLOCK_M=256") != std::string::npos);
  CHECK(text.find("tie") != std::string::npos);
}

TEST_CASE("one configuration alone makes no table") {
  app::TuneAnswer a = example();
  a.fastest.resize(1);
  CHECK(printed(a, 0).find("fastest") == std::string::npos);
}

TEST_CASE("the same as JSON") {
  Json said = Json::parse(tuned_json(example()));
  REQUIRE(said["fastest"].size() == 3);
  CHECK(said["fastest"][0]["params"]["BLOCK_M"] == 128);
  CHECK(said["fastest"][1]["tie"] == true);
  CHECK(said["fastest"][2]["tie"] == false);
  CHECK(said["knobs"][0]["share"] == 0.93);
  CHECK(said["estimates"][0]["estimate_ms"] == 0.012);
  CHECK(said["controls"]["fast.acf"] == 4711);
}

TEST_CASE("rows that were estimated are told before a search begins") {
  std::ostringstream out, err;
  Terminal terminal{.out = out, .err = err};
  app::TuneCandidate c{
      1, {{"BLOCK_M", 128.0}, {"STAGES", 4.0}}, "nvMatmulHeuristics 0.1.0", {{"num_warps", 8.0}}};
  c.moved = {{"num_stages", 7.0}};
  c.estimate_ms = 0.1568;
  print_tune_begin(terminal, {{"M", 512}}, 30, {}, {c});
  CHECK(out.str() ==
        "M=512: 30 configurations\n"
        "  first: BLOCK_M=128,STAGES=4, from nvMatmulHeuristics 0.1.0, which expects 0.1568 ms\n"
        "    it means: num_stages=7\n"
        "    no counterpart here: num_warps=8\n");
}
