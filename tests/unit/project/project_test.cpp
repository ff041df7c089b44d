// The project keeps its own promises: layers, documents, playbook.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/embedded.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "model/packed_strategy.h"
#include "model/playbook.h"
#include "scratch.h"
#include "store/functions.h"
#include "store/query.h"

using namespace explog;

namespace {

const std::string root = EXPLOG_SOURCE_DIR;

Finished check(const std::string& name, const std::string& folder) {
  return run_program({root + "/scripts/check/" + name, folder}, 60000);
}

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("includes keep to the layers, and a breach of each rule is noticed") {
  Finished good = check("layers", root);
  CHECK_MESSAGE(good.status == 0, good.output);
  for (auto [file, include, why] : std::initializer_list<std::array<const char*, 3>>{
           {"src/base/a.h", "\"model/arch.h\"", "base may not include upward model/arch.h"},
           {"src/store/a.cpp", "\"app/session/session.h\"", "store may not include upward"},
           {"src/app/a.cpp", "\"answers/a.h\"", "app may not include upward"},
           {"src/answers/a.cpp", "\"cli/flags.h\"", "answers may not include upward"},
           {"src/store/a.cpp", "\"intake/source.h\"", "store may not include its neighbour"},
           {"src/mcp/a.cpp", "\"cli/run.h\"", "mcp may not include its neighbour"},
           {"src/bench/judge/a.h", "\"bench/harness/a.h\"", "bench/judge may not include upward"},
           {"src/bench/judge/a.h", "\"bench/a.h\"", "bench/judge may not include upward"},
           {"src/bench/harness/a.h", "\"bench/a.h\"", "bench/harness may not include upward"},
           {"src/newfolder/a.h", "\"base/text.h\"", "the folder src/newfolder has no layer"},
           {"src/base/a.h", "\"newfolder/a.h\"", "newfolder/a.h is in no known folder"},
           {"src/base/a.h", "\"text.h\"", "text.h is in no known folder"},
           {"src/bench/a.h", "\"harness/runner/device.h\"", "harness/runner/device.h is of kernels/"},
           {"kernels/harness/runner/a.cpp", "\"base/text.h\"", "base/text.h is not of kernels/"},
           {"kernels/harness/runner/a.cpp", "<fmt/format.h>", "fmt/format.h: kernels/ are compiled"},
           {"kernels/gemm/a.cu", "\"../../src/model/arch.h\"", "is not of kernels/"},
           {"src/model/a.h", "<sqlite3.h>", "only base/sqlite* may include it"},
           {"src/base/a.h", "<libpq-fe.h>", "only sync/ may include it"},
           {"src/store/a.h", "<CLI/CLI.hpp>", "only cli/ may include it"},
           {"src/base/a.h", "<nlohmann/json.hpp>", "base/ may not include it"},
           {"src/sync/a.h", "<sodium.h>", "only base/ may include it"},
           {"src/store/a.h", "<zstd.h>", "only base/ may include it"},
           {"src/intake/a.h", "<zlib.h>", "only base/ may include it"},
           {"src/model/a.cpp", "<re2/re2.h>", "few files know re2"},
           {"src/bench/a.cpp", "<cuda_runtime.h>", "src/ is built without CUDA"},
           {"src/bench/a.cpp", "<boost/any.hpp>", "is of no known library"},
           {"src/model/a.cpp", "<doctest/doctest.h>", "only tests/ may include it"},
           {"tests/unit/a.cpp", "\"nowhere/a.h\"", "neither of tests/ nor of a known folder"}}) {
    Scratch scratch;
    put(scratch / "src/model/arch.h", "#include <string>\n");
    put(scratch / file, std::string("#include <vector>\n#include ") + include + "\n");
    Finished bad = check("layers", scratch / "");
    CAPTURE(bad.output);
    CHECK(bad.status == 1);
    CHECK(bad.output.find(std::string(file) + ":2: ") == 0);
    CHECK(bad.output.find(why) != std::string::npos);
  }
}

TEST_CASE("files, functions and SQL that exceed their budget are noticed, others are not") {
  auto lines = [](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "int v" + std::to_string(i) + ";\n";
    return text;
  };
  auto function = [&](int n) { return "int sum() {\n" + lines(n - 2) + "}\n"; };
  const std::string sql = "auto q = \"SELECT 1\";\n";
  struct Row {
    std::string file, text, said;  // said: nothing where the file keeps to the budget
  };
  for (const Row& row : std::vector<Row>{
           {"src/cli/cmd_a.cpp", lines(121), "src/cli/cmd_a.cpp:121: 121 lines, 120 are allowed"},
           {"src/cli/cmd_a.cpp", lines(120), ""},
           {"src/model/a.h", lines(381), "src/model/a.h:381: 381 lines, 380 are allowed"},
           {"src/model/a.h", lines(380), ""},
           {"kernels/gemm/a.cu", lines(381), "kernels/gemm/a.cu:381: 381 lines"},
           {"tests/unit/a_test.cpp", lines(601), "tests/unit/a_test.cpp:601: 601 lines"},
           {"tests/adversarial/a.cu", lines(601), ""},
           {"src/model/a.cpp", "\n" + function(61), "src/model/a.cpp:2: sum has 61 lines, 60 are allowed"},
           {"src/model/a.cpp", function(60), ""},
           {"kernels/harness/runner/a.cpp", function(61), "kernels/harness/runner/a.cpp:1: sum has 61 lines"},
           {"kernels/gemm/a.cu", function(61), ""},
           {"src/app/a.cpp", sql, "src/app/a.cpp:1: SQL (SELECT) outside store/ and schema/"},
           {"src/cli/a.cpp", "auto q = R\"(\nx)\" R\"(DELETE FROM t)\";\n", "src/cli/a.cpp:2: SQL (DELETE)"},
           {"src/store/a.cpp", sql, ""},
           {"src/base/sqlite_a.cpp", sql, ""},
           {"src/app/a.cpp", "// as \"SELECT 1\" does\n", ""}}) {
    Scratch scratch;
    put(scratch / row.file, row.text);
    Finished done = check("budgets", scratch / "");
    CAPTURE(row.file);
    CAPTURE(done.output);
    CHECK(done.status == (row.said.empty() ? 0 : 1));
    CHECK(done.output.substr(0, row.said.size()) == row.said);
    CHECK(std::count(done.output.begin(), done.output.end(), '\n') == (row.said.empty() ? 0 : 1));
  }
}

TEST_CASE("a header that leans on another's #include is noticed, also behind a precompiled one") {
  const std::string good = "#pragma once\n#include <string>\nstruct Experience { std::string kernel; };\n";
  for (auto [file, text, alone] :
       {std::tuple("src/base/a.h", "#pragma once\n#include <string>\nstd::string a();\n", true),
        {"src/base/a.h", "#pragma once\nstd::string a();\n", false},
        {"src/app/a.h", "#pragma once\n#include \"model/experience.h\"\nstd::string a(Experience e);\n",
         true},
        {"src/app/a.h", "#pragma once\nvoid a(Experience e);\n", false},
        {"src/model/experience.h", "#pragma once\nstd::string a();\n", false}}) {
    Scratch scratch;
    put(scratch / "src/model/experience.h", good);
    put(scratch / file, text);
    Finished done = check("headers", scratch / "");
    CAPTURE(done.output);
    CHECK(done.status == (alone ? 0 : 1));
    CHECK(done.output.starts_with("FAIL " + std::string(file) + " does not compile alone\n") == !alone);
  }
}

TEST_CASE("lint refuses a folder in which there is nothing to read") {
  Finished lint = run_program({root + "/scripts/check/lint", root + "/nosuch"}, 60000);
  CHECK(lint.output == "scripts/check/lint: no C++ file of the project begins with nosuch\n");
  CHECK(lint.status == 1);
}

TEST_CASE("a check whose tool is missing fails and names it") {
  Scratch scratch;
  std::filesystem::create_directories(scratch / "bin");
  for (const char* program : {"git", "cmake", "shellcheck", "dirname", "bash"}) {  // all but the one
    std::filesystem::create_symlink("/usr/bin/" + std::string(program), scratch / "bin/" + program);
  }
  std::string path = "PATH=" + (scratch / "bin");
  Finished lint =
      run_program({"/usr/bin/env", path, "/usr/bin/python3", root + "/scripts/check/lint"}, 60000);
  CHECK(lint.status == 1);
  CHECK(lint.output == "scripts/check/lint needs clang-tidy: scripts/setup test installs what is missing\n");
  Finished format = run_program({"/usr/bin/env", path, "bash", root + "/scripts/check/format"}, 60000);
  CHECK(format.status == 1);
  CHECK(format.output == "scripts/check/format needs clang-format: scripts/setup test installs it\n");
}

TEST_CASE("what a run of ctest came to is summed case by case, and each skip has its reason") {
  Scratch scratch;
  auto summary = [&](const std::string& cases) {
    put(scratch / "tests.xml", "<testsuite>" + cases + "</testsuite>");
    return run_program({root + "/scripts/check/summary", scratch / "tests.xml"}, 60000);
  };
  auto suite = [](const std::string& name, const std::string& status, const std::string& inside,
                  const std::string& said) {
    return "<testcase name='" + name + "' status='" + status + "' time='1'>" + inside + "<system-out>" +
           said + "</system-out></testcase>";
  };
  const std::string good =
      suite("unit", "run", "", "test cases:  401 |  401 passed | 0 failed | 0 skipped\nStatus: SUCCESS!\n") +
      suite("fault", "run", "", "ok a\nskip b - no disk\n1 passed, 0 failed, 1 skipped\n") +
      suite("layers", "run", "", "") +
      suite("gpu", "notrun", "<skipped message='77'/>", "skip gpu: no GPU\n");
  Finished all_good = summary(good);
  CHECK(all_good.status == 0);
  CHECK(all_good.output ==
        "skip b - no disk\nskip gpu: no GPU\neverything that can be tested here works\n"
        "403 passed, 0 failed, 2 skipped\n");
  auto ends_with = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
  };
  const std::string failed = "<failure message=''/>";
  for (auto [name, said] : {std::pair("counted", "ok a\nFAIL b - x\n1 passed, 1 failed\n"),
                            {"ended early", "ok a\n"},
                            {"failed after it counted", "1 passed, 0 failed\n"}}) {
    Finished bad = summary(good + suite(name, "fail", failed, said));
    CAPTURE(bad.output);
    CHECK(bad.status == 1);
    CHECK(bad.output.substr(0, 5 + std::string(name).size()) == "FAIL " + std::string(name));
    CHECK(bad.output.find("ok a") == std::string::npos);
    CHECK(ends_with(bad.output, " passed, 1 failed, 2 skipped\n"));
  }
  put(scratch / "idle.xml", "<testsuite>" + suite("lint", "run", "", "") + "</testsuite>");
  put(scratch / "tests.xml", "<testsuite>" + good + "</testsuite>");
  Finished both =
      run_program({root + "/scripts/check/summary", scratch / "tests.xml", scratch / "idle.xml"}, 60000);
  CHECK(ends_with(both.output, "\n404 passed, 0 failed, 2 skipped\n"));
  Finished one =
      run_program({root + "/scripts/check/summary", scratch / "tests.xml", scratch / "none.xml"}, 60000);
  CHECK(one.status == 1);
  CHECK(one.output.find("none.xml: no run of ctest has written it\n") != std::string::npos);
  CHECK(ends_with(one.output, "\n403 passed, 1 failed, 2 skipped\n"));
  CHECK(summary("").status == 1);  // nothing was run
}

TEST_CASE("a journal page says what was measured where, and is never written over") {
  Scratch scratch;
  auto journal = [&] {
    return run_program({"/usr/bin/env", "JOURNALS=" + (scratch / ""), "MACHINE=here",
                        root + "/scripts/perf/journal", "trial", "sh", "-c", "echo '| a | 1 |'; exit 3"},
                       60000);
  };
  CHECK(journal().status == 3);
  std::vector<std::string> pages = files_in(scratch / "");
  REQUIRE(pages.size() == 1);
  CHECK(pages[0].substr(pages[0].size() - 14) == "_here_trial.md");
  std::string page = read_file(pages[0]);
  for (const char* part :
       {"- date: 20", "- commit: ", "- machine: ", "- toolkit: ", "ended with status 3", "\n| a | 1 |\n"}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
  CHECK(journal().status == 2);
  CHECK(read_file(pages[0]) == page);
}

TEST_CASE("a journal makes its folder, and measures nothing where it cannot") {
  Scratch scratch;
  auto journal = [&](const std::string& folder) {
    return run_program({"/usr/bin/env", "JOURNALS=" + folder, "MACHINE=here", root + "/scripts/perf/journal",
                        "trial", "touch", scratch / "ran"},
                       60000);
  };
  CHECK(journal("/proc/none").status == 2);
  CHECK(!std::filesystem::exists(scratch / "ran"));
  CHECK(journal(scratch / "new/folder").status == 0);
  CHECK(files_in(scratch / "new/folder").size() == 1);
}

TEST_CASE("the README's command table is the one of --help, related commands in one row") {
  std::size_t found = 0;
  std::string page = read_file(root + "/README.md");
  for (std::string_view row : split(page, '\n')) {
    if (!row.starts_with("| `explog ")) continue;
    std::string forms, summaries;
    for (std::size_t at = row.find("`explog "); at != row.npos; at = row.find("`explog ", at + 1)) {
      std::string_view name = row.substr(at + 8);
      const cli::Command* command = cli::find_command(name.substr(0, name.find_first_of(" `")));
      REQUIRE_MESSAGE(command, row);
      std::string form = replace_all(std::string(command->form), "|", "\\|");
      std::string between = forms.empty() ? "" : "<br>";
      forms += between + "`explog " + std::string(command->name) + (form.empty() ? "" : " " + form) + "`";
      summaries += between + std::string(command->summary);
      ++found;
    }
    CHECK(row == "| " + forms + " | " + summaries + " |");
  }
  CHECK(found == cli::commands().size());
}

TEST_CASE("every command has help and a transcript, every query a help line") {
  std::string sessions;
  for (const std::string& file : files_in(root + "/tests/cli")) sessions += read_file(file);
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    bool printed = command.name == "completion" || command.name == "man";  // checked by tests/completion/run
    CHECK((printed || sessions.find("$ explog " + std::string(command.name)) != std::string::npos));
    CHECK(command.summary.size() > 10);
  }
  for (const store::NamedQuery& query : store::named_queries()) {
    CAPTURE(query.name);
    CHECK(query.help.size() > 10);
    CHECK(query.sql.substr(0, 3) == "-- ");
  }
}

TEST_CASE("the playbook is whole: enough of it, no loose ends, packed without loss") {
  Playbook playbook = Playbook::load("");
  CHECK(playbook.all().size() >= 70);
  CHECK(check_playbook(playbook).empty());
  for (const EmbeddedFile& file : embedded_files()) {
    std::filesystem::path path(file.path);
    if (path.parent_path() != "strategies" || path.filename() == "README.md") continue;
    CAPTURE(file.path);
    Strategy strategy = parse_strategy(path.filename().string(), file.text);
    const Strategy* packed = playbook.find(strategy.id);
    REQUIRE(packed != nullptr);
    CHECK(Playbook::prose(*packed) == strategy.prose);
    strategy.prose.clear();
    CHECK(unpack_strategy(pack_strategy(strategy)) == strategy);
    CHECK(*packed == strategy);
  }
}

TEST_CASE("reading a database that does not exist makes none") {
  Scratch scratch;
  for (const char* command : {"list", "stats", "query", "doctor"}) {
    std::ostringstream out, err;
    cli::Context context{.terminal = {.out = out, .err = err}, .no_color = true};
    context.session.clock = [] { return std::int64_t{1}; };
    cli::run({"--db", scratch / "none.db", command}, context);
    CHECK_FALSE(std::filesystem::exists(scratch / "none.db"));
  }
}
