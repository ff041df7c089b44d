#include "model/tuning_space.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/text.h"

using namespace explog;

namespace {

const std::string kernel =
    "// tune: BLOCK 128 256 512\n"
    "// tune: VEC 1 4\n"
    "// tune where: BLOCK * VEC <= 1024\n"
    "#ifndef BLOCK\n"
    "#define BLOCK 192  // threads\n"
    "#endif\n"
    "int f() { return BLOCK * VEC; }\n";

TuningSpace space_of(const std::string& source) {
  return tuning_space(declared_in_source(source, "k.cu"), source, "k.cu");
}

std::vector<std::string> rows_of(const std::string& source, std::vector<PrunedCount>* pruned = nullptr) {
  TuningSpace space = space_of(source);
  TuningRows rows = tuning_rows(space, limits_of("sm_90a"));
  if (pruned) *pruned = rows.pruned;
  std::vector<std::string> list;
  for (const Configuration& row : rows.rows) list.push_back(settings_text(settings_of(space.space, row)));
  return list;
}

template <class Body>
std::string space_refusal(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string refused(const std::string& source) {
  return space_refusal([&] { rows_of(source); });
}

}  // namespace

TEST_CASE("the original is the first row, also where a rule or the lists leave it out") {
  std::vector<PrunedCount> pruned;
  CHECK(rows_of(kernel, &pruned) ==
        std::vector<std::string>{"BLOCK=192,VEC=1", "BLOCK=128,VEC=1", "BLOCK=128,VEC=4", "BLOCK=256,VEC=1",
                                 "BLOCK=256,VEC=4", "BLOCK=512,VEC=1", "BLOCK=192,VEC=4"});
  REQUIRE(pruned.size() == 1);
  CHECK(pruned[0].rule == "where BLOCK * VEC <= 1024");
  CHECK(pruned[0].n == 1);
  CHECK(rows_of("// tune: A 1 2\n// tune where: A = 2\n#ifndef A\n#define A 1\n#endif\nint a = A;").front() ==
        "A=1");
}

TEST_CASE("what the device limits is a rule of its own, where the limit is known") {
  std::vector<PrunedCount> pruned;
  std::string source =
      "// tune: T 16 32 64 256\n// tune threads: T * T\n// tune shared_bytes: 8 * T * T\nint t = T;";
  CHECK(rows_of(source, &pruned) == std::vector<std::string>{"T=16", "T=32"});
  REQUIRE(pruned.size() == 2);
  CHECK(pruned[0].rule == "threads");
  CHECK(pruned[0].n == 2);
  CHECK(limits_of("sm_90a").shared_bytes == 227 * 1024);
  CHECK(limits_of("sm_100").shared_bytes == 227 * 1024);
  CHECK(limits_of("host").shared_bytes == 0);
}

TEST_CASE("a fault in declared knobs is one line with file and line") {
  CHECK(refused("// tune: BLOCK\n") == "k.cu:1: knob BLOCK has no values");
  CHECK(refused("\n// tune: BLOCK 1 x\n") == "k.cu:2: knob BLOCK: 'x' is no whole number within 2^31");
  CHECK(refused("// tune: BLOCK 1 1\n") == "k.cu:1: knob BLOCK: 1 is listed twice");
  CHECK(refused("// tune: 4B 1\n") == "k.cu:1: '4B' is no name of a macro (letters, digits and _)");
  CHECK(refused("// tune: A 1\n// tune: a 2\n") == "k.cu:2: knob a is declared twice, first in k.cu:1");
  CHECK(refused("// tune: A 1 2\nint b;") == "k.cu:1: knob A does not occur in k.cu");
  CHECK(refused("// tune wheer: A\n") == "k.cu:1: `tune wheer:` is not known (did you mean 'where'?)");
  CHECK(refused("// tune: A 1 2\n#define A 1\nint a = A;") ==
        "k.cu:1: knob A has its value fixed in line 2 of k.cu");
  CHECK(refused("// tune: A 1 2\n#ifndef A\n#define A (1+1)\n#endif\nint a = A;") ==
        "k.cu:1: knob A is no number but '(1+1)' in line 3 of k.cu");
  CHECK(refused("// tune: A 1 2\n// tune where: A = 3\nint a = A;") ==
        "k.cu:2: its conditions leave no configuration");
  CHECK(refused("// tune: A 1 2\n// tune where: B = 3\nint a = A;") == "k.cu:2: cannot evaluate 'B = 3'");
}

TEST_CASE("prose and strings that speak of tuning declare nothing; Python declares behind #") {
  CHECK(declared_in_source("// tune this one day\n// tuned: A 1\n# tune: A 1\n", "k.cu").knobs.empty());
  CHECK(declared_in_source("# tune: A 1 2\n// tune: B 1\n", "k.py").knobs.size() == 1);
}

TEST_CASE("knobs on the command line") {
  DeclaredSpace d = declared_in_words(" BLOCK=128, 256;VEC=1;", "--space");
  REQUIRE(d.knobs.size() == 2);
  CHECK(d.knobs[0].values == std::vector<double>{128, 256});
  CHECK(space_refusal([] { declared_in_words("BLOCK", "--space"); }) ==
        "--space: 'BLOCK' is no NAME=VALUE,VALUE");
  CHECK(space_refusal([] { declared_in_words("A=1;A=2", "--space"); }) ==
        "--space: knob A is declared twice, first in --space");
}

TEST_CASE("a space file names the line of what is wrong in it") {
  std::string head = "{\n\"format\": 1,\n\"parameters\": {\n";
  auto says = [](const std::string& json) {
    return space_refusal([&] { declared_in_json(json, "s.json"); });
  };
  CHECK(says(head + "\"A\": [1, 2],\n\"B\": [1.5]}}") ==
        "s.json:5: knob B: '1.5' is no whole number within 2^31");
  CHECK(says(head + "\"A\": 1}}") == "s.json:4: knob A: its values are no list");
  CHECK(says(head + "\"A\": [1]},\n\"original\": {\"C\": 1}}") ==
        "s.json:5: \"original\" names C, which is no knob");
  CHECK(says("{\"format\": 2}") == "s.json: \"format\" is 2, this program reads 1");
  DeclaredSpace d = declared_in_json(
      head + "\"A\": [1, 2]},\n\"where\": [\"A > 0\",\n\"A < 9\"],\n\"original\": {\"A\": 2}}", "s.json");
  REQUIRE(d.rules.size() == 2);
  CHECK(d.rules[1].place == "s.json:6");
  TuningSpace space = tuning_space(d, "int a = A;", "k.cu");
  CHECK(settings_text(space.original) == "A=2");
}

TEST_CASE("a source is the same whatever values its knobs have, and another when anything else changes") {
  auto bare = [](const std::string& text) { return without_knob_values(text, "k.cu", {"BLOCK", "VEC"}); };
  std::string tuned =
      "// tune: BLOCK 64\n#ifndef BLOCK\n#define BLOCK 512\n#endif\nint f() { return BLOCK * VEC; }\n";
  CHECK(bare(kernel) == bare(tuned));
  CHECK(bare(kernel) != bare(kernel + "int g;\n"));
  CHECK(without_knob_values(kernel, "k.cu", {"VEC"}) != without_knob_values(tuned, "k.cu", {"VEC"}));
}

TEST_CASE("in Python a knob's own value is what the module gives it in the first column") {
  std::string source =
      "N = 9 // 2\nBLOCK = 64  # tune: BLOCK 32 64\nif BLOCK == 1:\n    STAGES = 7\nSTAGES=3\n# tune: STAGES "
      "2 "
      "3\n";
  TuningSpace space = tuning_space(declared_in_source(source, "k.py"), source, "k.py");
  CHECK(settings_text(space.original) == "BLOCK=64,STAGES=3");
  auto bare = [](const std::string& text) { return without_knob_values(text, "k.py", {"BLOCK", "STAGES"}); };
  std::string tuned = replace_all(replace_all(source, "BLOCK = 64", "BLOCK = 32"), "STAGES=3", "STAGES=2");
  CHECK(bare(source) == bare(tuned));
  CHECK(bare(source) != bare(replace_all(source, "9 // 2", "9 // 4")));
  CHECK(bare(source) != bare(replace_all(source, "STAGES = 7", "STAGES = 8")));
}
