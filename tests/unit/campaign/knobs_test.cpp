#include "campaign/knobs.h"

#include <doctest/doctest.h>

#include "campaign/pages.h"

using namespace explog::campaign;

TEST_CASE("constants are doubled and halved where they are written out, and nothing else changes") {
  const std::string source =
      "#define UNROLL 4 // times\nconstexpr int threads = 256;\nconstexpr int warps = threads / 32;\n"
      "const float x = 2;\nint n = 8;\n#define NAME \"a 8\"\nconstexpr int one = 1;\n";
  auto edits = knob_edits(source);
  REQUIRE(edits.size() == 4);
  CHECK(edits[0].name == "UNROLL");
  CHECK(edits[0].to == 8);
  CHECK(edits[1].to == 2);
  CHECK(edits[2].name == "threads");
  CHECK(edits[2].text.find("threads = 512;") != std::string::npos);
  CHECK(edits[3].text.size() == source.size());
}

TEST_CASE("perf_results.md is the table that the skill for cuTile kernels prints") {
  State state;
  Version v;
  v.judged = Judged{}, v.judged->ms = 0.82, v.status = explog::Decision::keep;
  state.versions.push_back(v);
  v.proposal.version = 1, v.proposal.strategy = "TMA replace gather", v.judged->ms = 0.41;
  state.versions.push_back(v);
  CHECK(perf_results(state) ==
        "| iteration | optimization       | latency_ms | correctness | status |\n"
        "|----------:|:-------------------|-----------:|:------------|-------:|\n"
        "| 0         | baseline           |   0.820000 | PASS        | keep   |\n"
        "| 1         | TMA replace gather |   0.410000 | PASS        | keep   |\n");
}
