// Files that commands of the user's name, however they quote them.
#include "app/campaign/command_files.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.h"
#include "scratch.h"

using namespace explog;

TEST_CASE("a file is found in a command by its name, quoted, within a quoted command, behind cd, = and <") {
  Scratch folder;
  std::filesystem::create_directory(folder / "tools");
  for (const char* name : {"a.sh", "b c.sh", "tools/d.sh"}) write_file(folder / name, "");
  auto named = [&](const std::string& command) {
    std::string names;
    for (const std::string& file : app::files_named_in(command, folder / ""))
      names += std::filesystem::path(file).filename().string() + ";";
    return names;
  };
  CHECK(named("sh a.sh $EXPLOG_FILE") == "a.sh;");
  CHECK(named("sh 'b c.sh' \"./a.sh\"") == "b c.sh;a.sh;");
  CHECK(named("sh b\\ c.sh") == "b c.sh;");
  CHECK(named("sh -c 'exec ./a.sh fast'") == "a.sh;");
  CHECK(named("cd tools&&./d.sh") == "d.sh;");
  CHECK(named("X=a.sh; sh $X<tools/d.sh|cat") == "d.sh;a.sh;");
  CHECK(named(folder / "a.sh") == "a.sh;");
  CHECK(named("make bench").empty());
}
