#include "bench/ladder.h"
#include "bench/find_source.h"
#include "bench/harness/toolchain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "model/json.h"
#include "model/ladder.h"
#include "model/playbook.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

// What stands below the line of the prediction: prose that follows without an empty comment line is the rest of
// a prediction that was wrapped.
std::string_view line_after_prediction(std::string_view text) {
  std::size_t head = text.find("// predicts: ");
  std::size_t end = text.find('\n', head);
  if (head == std::string_view::npos || end == std::string_view::npos) return "";
  std::string_view rest = text.substr(end + 1);
  return rest.substr(0, rest.find('\n'));
}

bool is_whole_line(std::string_view text) {
  std::string_view next = line_after_prediction(text);
  return next == "//" || !next.starts_with("//");
}

// Predictions end without a full stop, so a cut one shows by what it leaves open: a bracket, a mark, a word that
// wants another.
bool is_whole_sentence(const std::string& prediction) {
  static const std::set<std::string> wants_more = {"a",  "an",   "the",  "and", "or",   "of",    "in",
                                                   "to", "at",   "by",   "as",  "from", "than",  "that",
                                                   "is", "this", "most", "not", "are",  "which", "no"};
  if (prediction.empty() || std::string(",;:-=(/+").find(prediction.back()) != std::string::npos)
    return false;
  if (std::count(prediction.begin(), prediction.end(), '(') !=
      std::count(prediction.begin(), prediction.end(), ')'))
    return false;
  return !wants_more.contains(prediction.substr(prediction.rfind(' ') + 1));
}

// {"step": "b.cu", ...} with one key changed, in a ladder.
std::string ladder_with(const std::string& key, const Json& value) {
  Json row = {{"step", "b.cu"},  {"file", "a.cu"},  {"set", {{"ROWS", 8}}},
              {"after", "a.cu"}, {"strategy", "s"}, {"predicts", "2x"}};
  row[key] = value;
  if (value.is_null()) row.erase(key);
  return Json{{"format", 1}, {"steps", Json::array({row})}}.dump();
}

std::string refusal(const std::string& ladder) {
  try {
    parse_ladder(ladder);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string complaint_about(const std::string& path) {
  try {
    find_source(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the head of a variant: strategy, what it changes, what it predicts") {
  Step step = parse_step(
      "softmax", "x.cu",
      "// strategy: online_softmax\n// after: y.cu\n// predicts: 2x, because: of it\n//\n// strategy: no\n",
      "naive.cu");
  CHECK(step.strategy == "online_softmax");  // an empty comment line ends the head
  CHECK(step.after == "y.cu");
  CHECK(step.predicts == "2x, because: of it");
  CHECK(parse_step("softmax", "x.cu", "#include <a>\n// strategy: late\n", "naive.cu").strategy.empty());
  CHECK(parse_step("softmax", "x.cu", "// strategy: s\n", "naive.cu").after == "naive.cu");
  CHECK(parse_step("softmax", "x.cu", "", "naive.cu").strategy.empty());
}

TEST_CASE("the head of a Python file is a comment of Python") {
  Step step = parse_step("softmax", "x.py",
                         "# strategy: s\n# after: y.py\n# predicts: 2x\n#\n# after: z.py\n", "n.py");
  CHECK(step.strategy == "s");
  CHECK(step.after == "y.py");
  CHECK(step.predicts == "2x");
  CHECK(parse_step("softmax", "x.py", "// strategy: s\n", "n.py").strategy.empty());
}

TEST_CASE(
    "every step of a Python ladder names a strategy, changes a file that is there, and predicts in a "
    "sentence") {
  Playbook playbook = Playbook::load("");
  std::map<std::string, int> steps;
  std::set<std::string> seen, sources;
  for (const char* backend : {"triton", "cutile", "cutedsl"}) {
    for (const Step& step : ladder_steps(backend)) {
      CAPTURE(step.task + "/" + step.file + ": " + step.predicts);
      CHECK(step.file.starts_with(std::string(backend) + "_"));
      CHECK(playbook.find(step.strategy) != nullptr);
      CHECK(embedded_source(step.task, step.after).has_value());
      CHECK((step.after.ends_with("_naive.py") || seen.contains(step.task + "/" + step.after)));
      CHECK(is_whole_sentence(step.predicts));
      CHECK(sources.insert(hash_of(embedded_source(step.task, step.file).value())).second);
      seen.insert(step.task + "/" + step.file);
      ++steps[std::string(backend) + " " + step.task];
    }
  }
  for (const char* family : {"triton softmax", "triton rmsnorm", "triton gemm_bf16", "triton attention_bf16"})
    CHECK(steps[family] >= 6);
}

TEST_CASE(
    "every step names a strategy of the playbook, changes a file that is there, and predicts something") {
  Playbook playbook = Playbook::load("");
  for (const char* backend : {"cuda", "host"}) {
    std::set<std::string> seen;
    for (const Step& step : ladder_steps(backend)) {
      CAPTURE(step.task + "/" + step.file);
      CHECK(playbook.find(step.strategy) != nullptr);
      CHECK(embedded_source(step.task, step.after).has_value());
      CHECK_FALSE(step.predicts.empty());
      // A step comes behind the one it changes: no rings.
      bool from_baseline = step.after.starts_with("naive.");
      CHECK((from_baseline || seen.contains(step.task + "/" + step.after)));
      seen.insert(step.task + "/" + step.file);
    }
    CHECK(seen.size() > 5);
  }
}

TEST_CASE("each family has a ladder of at least four steps for CUDA") {
  std::map<std::string, int> steps;
  for (const Step& step : ladder_steps("cuda")) ++steps[step.task];
  CHECK(steps.size() >= 18);
  for (const auto& [task, count] : steps) {
    const std::string family = task;
    CAPTURE(family);
    CHECK(count >= 4);
  }
}

TEST_CASE("a prediction is one whole sentence on one line") {
  CHECK_FALSE(is_whole_line("// strategy: s\n// predicts: 2x, because no warp\n// waits Three stages.\n"));
  CHECK(is_whole_line("// strategy: s\n// predicts: 2x\n//\n// Three stages.\n"));
  CHECK(is_whole_line("// strategy: s\n// predicts: 2x\n#include <a>\n"));
  for (const char* cut :
       {"2x, as no", "2x (as no warp waits", "2x at N =", "2x, a row of scores is", "2x;", ""}) {
    CAPTURE(cut);
    CHECK_FALSE(is_whole_sentence(cut));
  }
  for (const char* backend : {"cuda", "host"}) {
    for (const Step& step : ladder_steps(backend)) {
      CAPTURE(step.task + "/" + step.file + ": " + step.predicts);
      CHECK(is_whole_sentence(step.predicts));
      CHECK(is_whole_line(embedded_file("kernels/" + step.task + "/" + step.file).value_or("")));  // or a row
    }
  }
}

TEST_CASE("every shipped record of a step holds the step's whole prediction") {
  std::map<std::string, std::string> predictions;
  for (const char* backend : {"cuda", "host", "triton", "cutile", "cutedsl"}) {
    for (const Step& step : ladder_steps(backend)) predictions[step.task + "/" + step.file] = step.predicts;
  }
  for (auto [name, records] :
       {std::pair("h200_ladders", 530), std::pair("h200_attention_nhd", 10), std::pair("h100_ladders", 45),
        std::pair("h100_python", 158), std::pair("h200_python", 24)}) {
    std::string text =
        unpacked(*embedded_file(std::string("strategies/evidence/") + name + ".jsonl.gz"), "evidence");
    int compared = 0;
    for (std::string_view line : split(text, '\n')) {
      if (line.empty()) continue;
      Json record = parse_json(line);
      CAPTURE(record["kernel"].dump());
      CHECK(record["hypothesis"] == predictions[record["kernel"].get<std::string>()]);
      ++compared;
    }
    CHECK(compared == records);
  }
}

TEST_CASE("ladder.json reads back as it was written") {
  auto rows = parse_ladder(ladder_with("set", {{"ROWS", 8}, {"COLUMNS", -4}}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].step == "b.cu");
  CHECK(rows[0].file == "a.cu");
  CHECK(rows[0].set == Settings{{"ROWS", 8.0}, {"COLUMNS", -4.0}});
  CHECK(rows[0].after == "a.cu");
  CHECK(rows[0].strategy == "s");
  CHECK(rows[0].predicts == "2x");
  CHECK(to_json(parse_ladder(to_json(rows))) == to_json(rows));
}

TEST_CASE("what is wrong in ladder.json is said in one line with its step") {
  CHECK(refusal(ladder_with("fil", 1)) == "step 1 of the list: unknown key 'fil' (did you mean 'file'?)");
  CHECK(refusal(ladder_with("predicts", nullptr)) == "step 1 of the list: \"predicts\" is missing");
  CHECK(refusal(ladder_with("step", 7)) == "step 1 of the list: \"step\" must be one line of text");
  CHECK(refusal(ladder_with("predicts", "2x\nor")) == "step b.cu: \"predicts\" must be one line of text");
  CHECK(refusal(ladder_with("file", "x/a.cu")) ==
        "step b.cu: \"file\" must lie beside the ladder: no folders");
  CHECK(refusal(ladder_with("file", "a.rs")) == "step b.cu: \"file\" must end in .cu, .cpp or .py");
  CHECK(refusal(ladder_with("file", "a.py")) == "step b.cu: a.py is of another backend");
  CHECK(refusal(ladder_with("file", "a.cpp")) == "step b.cu: a.cpp is of another backend");
  CHECK(refusal(ladder_with("file", "b.cu")) == "step b.cu configures itself");
  CHECK(refusal(ladder_with("set", Json::object())) ==
        "step b.cu: \"set\" must be an object of 1 to 16 macros");
  CHECK(refusal(ladder_with("set", {{"A B", 1}})) ==
        "step b.cu: 'A B' is no name of a macro (letters, digits and _)");
  CHECK(refusal(ladder_with("set", {{"ROWS", 0.5}})) == "step b.cu: ROWS must be a whole number");
  CHECK(refusal(ladder_with("set", {{"ROWS", 1LL << 32}})) == "step b.cu: ROWS is beyond 2^31");
  CHECK(refusal(R"({"format": 2, "steps": []})") == "\"format\" is 2, this program reads 1");
  CHECK(refusal(R"({"format": 2, "rungs": []})") == "\"format\" is 2, this program reads 1");
  CHECK(refusal(R"({"format": 1})") == "a ladder: \"steps\" is missing");
  CHECK(refusal(R"({"format": 1, "steps": []})") == "\"steps\" must be a list of 1 to 256 steps");
  Json twice = Json::parse(ladder_with("after", "a.cu"));
  twice["steps"].push_back(twice["steps"][0]);
  CHECK(refusal(twice.dump()) == "step b.cu is listed twice");
  twice["steps"][1]["step"] = "c.cu", twice["steps"][1]["file"] = "b.cu";
  CHECK(refusal(twice.dump()) == "step c.cu: \"file\" must be a source, not the step b.cu");
}

TEST_CASE("a step of ladder.json is found by its name, with its constants in front of the source") {
  Scratch scratch;
  put(scratch / "a.cu", "int rows = ROWS;\n");
  CHECK(complaint_about(scratch / "b.cu").find("b.cu") != std::string::npos);
  put(scratch / "ladder.json", ladder_with("after", "a.cu"));
  SourceFile step = find_source(scratch / "b.cu");
  CHECK(step.name == "b.cu");
  CHECK(step.text == "#define ROWS 8\n#line 1 \"a.cu\"\nint rows = ROWS;\n");
  CHECK(find_source(scratch / "a.cu").text == "int rows = ROWS;\n");
  CHECK(hash_of(step) != hash_of(find_source(scratch / "a.cu")));
  put(scratch / "ladder.json", ladder_with("file", "c.cu"));
  CHECK(complaint_about(scratch / "b.cu").ends_with("step b.cu: no file c.cu beside the ladder"));
  put(scratch / "ladder.json", ladder_with("after", "c.cu"));
  CHECK(complaint_about(scratch / "b.cu").ends_with("step b.cu: no step or file c.cu"));
}

TEST_CASE("a row of a Python file sets the module's own constants") {
  SourceFile source{"a.py", "", "ROWS = 4  # of a tile\nNROWS = 1\ndef f(ROWS=2):\n    ROWS = 3\n"};
  SourceFile step = configured(source, Settings{{"ROWS", 8.0}, {"NROWS", 9.0}}, "b.py");
  CHECK(step.name == "b.py");
  CHECK(step.text == "ROWS = 8  # of a tile\nNROWS = 9\ndef f(ROWS=2):\n    ROWS = 3\n");
  CHECK_THROWS_WITH_AS(configured(source, Settings{{"COLUMNS", 8.0}}, "b.py"),
                       "a.py has no line 'COLUMNS = ...' to configure", Error);
}

TEST_CASE("no two steps of a family compile the same source") {
  std::map<std::string, std::string> seen;
  for (const char* backend : {"cuda", "host"}) {
    for (const Step& step : ladder_steps(backend)) {
      CAPTURE(step.task + "/" + step.file);
      SourceFile source = embedded_source(step.task, step.file).value();
      std::string hash = hash_of(source);
      CHECK(source.name == step.file);
      CHECK(hash == hash_of(embedded_source(step.task, step.file).value()));
      CHECK(seen.emplace(hash, step.file).second);
    }
  }
}

TEST_CASE("embedded sources are hashed with the embedded files they include") {
  SourceFile source{"x.cu", "kernels/softmax", "#include \"../harness/reference/explog_reference.h\"\n",
                    true};
  auto included = included_files(source);
  REQUIRE(included.size() == 1);
  CHECK(included[0].name == "../harness/reference/explog_reference.h");
  CHECK(included[0].text == embedded_file("kernels/harness/reference/explog_reference.h"));
  SourceFile elsewhere{"x.cu", "kernels", source.text, true};
  CHECK(included_files(elsewhere).empty());
  CHECK(hash_of(source) != hash_of(elsewhere));
}

TEST_CASE("an embedded source is compiled with the embedded files it includes") {
  Scratch scratch;
  setenv("XDG_CACHE_HOME", (scratch / "cache").c_str(), 1);
  SourceFile source{"x.cpp", "kernels/softmax", "", true};
  source.text =
      "#include \"../harness/reference/explog_reference.h\"\n"
      "extern \"C\" void solve() { explog::Rounded<8> unused(1.0); (void)unused; }\n";
  Built built = Builder(find_toolchain("host", "", {})).candidate(Task(), source);
  CHECK_MESSAGE(built.ok, built.log);
  unsetenv("XDG_CACHE_HOME");
}
