// Knobs that are found by their text in tests/data/tune/knobs_*.py, and written where they were found.
#include "model/python_knobs.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness/source_file.h"

using namespace explog;

namespace {

bench::SourceFile source_of(const std::string& name) {
  return bench::read_source(EXPLOG_SOURCE_DIR "/tests/data/tune/" + name);
}

std::string found_text(const std::string& name) {
  bench::SourceFile source = source_of(name);
  DeclaredSpace found = found_in_python(source.text, name);
  Settings original = tuning_space(found, source.text, name).original;
  std::string text;
  for (std::size_t i = 0; i < found.knobs.size(); ++i) {
    text += found.knobs[i].name + "=" + scalar_text(original[i].second) + " of";
    for (double value : found.knobs[i].values) text += " " + number_text(value);
    text += "; " + found.knobs[i].place.substr(name.size() + 1) + "\n";
  }
  return text;
}

// The lines of a source that a configuration changes, as they are then.
std::string changed_lines(const std::string& name, const Settings& settings) {
  bench::SourceFile source = source_of(name), set = bench::configured(source, settings);
  auto before = split(source.text, '\n'), after = split(set.text, '\n');
  REQUIRE(before.size() == after.size());
  std::string text;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) text += std::string(trim(after[i])) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE(
    "Triton: the list of an autotuner, defaults of constexprs, settings of a launch; no comment, no text") {
  CHECK(found_text("knobs_triton.py") ==
        "EVEN=1 of 0 1; 5: constant\n"
        "algo_config=-1 of -1 0 1 2; 9: triton.Config list\n"
        "BLOCK=64 of 32 64 128; 22: constexpr default\n"
        "num_warps=4 of 1 2 4 8 16; 27: launch setting\n"
        "num_stages=2 of 1 2 3 4 5; 27: launch setting\n");
  CHECK(changed_lines("knobs_triton.py", {{"algo_config", 1.0}, {"BLOCK", 128.0}, {"num_warps", 8.0}}) ==
        "][1:2],\n"
        "def plain(x, n, BLOCK: tl.constexpr = 128, early: tl.constexpr = \"evict_first\", ROWS: "
        "tl.constexpr = 3):\n"
        "plain[(1,)](x, 10, num_warps=8, num_stages=2)\n");
  // A source that was configured once has the same knobs, and counts as the same source.
  bench::SourceFile source = source_of("knobs_triton.py");
  bench::SourceFile set = bench::configured(source, {{"algo_config", 2.0}});
  CHECK(bench::configured(set, {{"algo_config", 0.0}}).text.find("][0:1],") != std::string::npos);
  CHECK(bench::configured(set, {{"algo_config", -1.0}}).text.find("][:],") != std::string::npos);
  std::vector<std::string> names = {"algo_config", "BLOCK"};
  CHECK(without_knob_values(set.text, set.name, names) ==
        without_knob_values(source.text, source.name, names));
}

TEST_CASE("cuTile: constants, also several in a line, and hints; what depends on the target is not touched") {
  CHECK(found_text("knobs_cutile.py") ==
        "GROUP_SIZE_M=8 of 1 2 4 8 16; 3: constant\n"
        "occupancy=2 of 1 2 4 8; 6: hint\n"
        "tm=128 of 64 128 256; 7: constexpr default\n"
        "TILE_N=256 of 128 256 512; 12: constant\n"
        "TILE_K=64 of 32 64 128; 12: constant\n");
  CHECK(changed_lines("knobs_cutile.py", {{"occupancy", 4.0}, {"TILE_K", 32.0}}) ==
        "@ct.kernel(num_ctas=ct.ByTarget(sm_100=2, default=1), occupancy=4)\n"
        "TILE_N, TILE_K = 256, 32\n");
}

TEST_CASE("CuTe DSL: its four knobs, two of them pairs") {
  CHECK(found_text("knobs_cutedsl.py") ==
        "mma_tiler_m=256 of 64 128 256; 5: CuTe DSL\n"
        "mma_tiler_n=128 of 32 64 128 256; 5: CuTe DSL\n"
        "use_2cta_instrs=1 of 0 1; 5: CuTe DSL\n"
        "cluster_shape_m=2 of 1 2 4; 6: CuTe DSL\n"
        "cluster_shape_n=1 of 1 2 4; 6: CuTe DSL\n"
        "use_tma_store=0 of 0 1; 7: CuTe DSL\n");
  std::vector<std::string> rules;
  for (const Rule& rule : knobs_in_source(source_of("knobs_cutedsl.py").text, "k.py").rules)
    rules.push_back(rule.expression);
  CHECK(rules ==
        std::vector<std::string>{"mma_tiler_m IN (64 + 64 * use_2cta_instrs, 128 + 128 * use_2cta_instrs)",
                                 "use_2cta_instrs = 0 OR cluster_shape_m % 2 = 0"});
  CHECK(knobs_in_source("mma_tiler_mn = (128, 256)\ncluster_shape_mn = (2, 1)\n", "k.py").rules.empty());
  CHECK(changed_lines("knobs_cutedsl.py",
                      {{"mma_tiler_n", 64.0}, {"use_2cta_instrs", 0.0}, {"use_tma_store", 1.0}}) ==
        "def __init__(self, mma_tiler_mn: tuple = (256, 64), use_2cta_instrs: bool = False):\n"
        "self.use_tma_store = True\n");
}

TEST_CASE(
    "what is proposed for a tile of tl.dot compiles, and a constant called STAGES or GROUP is no flag") {
  auto values = [](const std::string& source) {
    std::string text;
    for (const DeclaredKnob& k : found_in_python(source, "k.py").knobs) {
      text += k.name;
      for (double value : k.values) text += " " + scalar_text(value);
      text += "; ";
    }
    return text;
  };
  const std::string constants = "BLOCK_M = 64\nBLOCK_K = 16\nTHREADS = 8\nSTAGES = 1\nGROUP = 1\nEVEN = 1\n";
  CHECK(values(constants + "c += tl.dot(a, b)\n") ==
        "BLOCK_M 32 64 128; BLOCK_K 16 32; THREADS 4 8 16; STAGES 1 2 3 4 5; GROUP 1 2 4 8 16; EVEN 0 1; ");
  CHECK(values(constants + "c += tl.sum(a * b)  # tl.dot(a, b)\n") ==
        "BLOCK_M 32 64 128; BLOCK_K 8 16 32; THREADS 4 8 16; STAGES 1 2 3 4 5; GROUP 1 2 4 8 16; EVEN 0 1; ");
}

TEST_CASE("nothing is found where places disagree, nothing in C++, and what is declared wins") {
  CHECK(found_in_python("def f():\n  N = 64\ndef g():\n  N = 128\n", "k.py").knobs.empty());
  CHECK(found_in_python("configs = [c for c in all if c]\nX = 'text'\n", "k.py").knobs.empty());
  CHECK(knobs_in_source("#define BLOCK 128\n", "k.cu").knobs.empty());
  CHECK(knobs_in_source("BLOCK = 128\n", "k.py").knobs.size() == 1);
  DeclaredSpace declared = knobs_in_source("BLOCK = 128\nROWS = 4\n# tune: ROWS 2 4\n", "k.py");
  REQUIRE(declared.knobs.size() == 1);
  CHECK(declared.knobs[0].name == "ROWS");
  CHECK_THROWS_AS(bench::configured({"k.py", "", "x = 1\n"}, {{"Y", 1.0}}), Error);
}

TEST_CASE("a large source that never closes a bracket is looked through in moments") {
  std::string source = "configs = [triton.Config(";
  for (int i = 0; i < 20000; ++i) source += "\nNAME" + std::to_string(i) + " = 64\nconfigs=[Config(";
  CHECK(found_in_python(source, "k.py").knobs.size() <= 16);
}
