// The project keeps its own promises: layers, documents, playbook.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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

Finished layers(const std::string& src) { return run_program({root + "/scripts/layers", src}, 60000); }

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("includes go down only, and a breach is noticed") {
  Finished good = layers(root + "/src");
  CHECK_MESSAGE(good.status == 0, good.output);
  for (auto [file, include] : {std::pair("base/a.h", "\"model/arch.h\""),
                               {"store/a.cpp", "\"intake/source.h\""},
                               {"model/a.h", "<sqlite3.h>"},
                               {"store/a.h", "<CLI/CLI.hpp>"},
                               {"base/a.h", "<nlohmann/json.hpp>"},
                               {"newfolder/a.h", "\"base/text.h\""}}) {
    Scratch scratch;
    put(scratch / file, std::string("#include ") + include + "\n");
    Finished bad = layers(scratch / "");
    CAPTURE(include);
    CHECK(bad.status == 1);
    CHECK(bad.output.find(file) != std::string::npos);
  }
}

TEST_CASE("the README's command table is the one of --help") {
  std::string table;
  for (const cli::Command& command : cli::commands()) {
    std::string form = replace_all(std::string(command.form), "|", "\\|");
    table += "| `explog " + std::string(command.name) + (form.empty() ? "" : " " + form) + "` | " +
             std::string(command.summary) + " |\n";
  }
  CHECK_MESSAGE(read_file(root + "/README.md").find(table) != std::string::npos, "README.md should have:\n",
                table);
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
    cli::Context context{nullptr, out,   err, [] { return std::int64_t{1}; }, false, 100, "", "",
                         false,   false, true};
    cli::run({"--db", scratch / "none.db", command}, context);
    CHECK_FALSE(std::filesystem::exists(scratch / "none.db"));
  }
}
