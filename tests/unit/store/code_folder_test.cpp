#include "store/code_folder.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "scratch.h"

using namespace explog;
using namespace explog::store;

namespace {

const std::string code_hash(32, 'a'), other_hash(32, 'b');

}  // namespace

TEST_CASE("device code comes back as it was kept, and only under its own hash and kind") {
  Scratch folder;
  CodeFolder code(folder / "explog.db");
  CHECK_FALSE(code.find(code_hash, "ptx").has_value());
  code.keep(code_hash, "ptx", ".version 9.0\n");
  code.keep(code_hash, "ptx", "what comes later does not replace it");
  CHECK(code.find(code_hash, "ptx") == ".version 9.0\n");
  CHECK_FALSE(code.find(code_hash, "sass").has_value());
  CHECK_FALSE(code.find(other_hash, "ptx").has_value());
}

TEST_CASE("a hash from a stranger's record names no other file") {
  Scratch folder;
  CodeFolder code(folder / "explog.db");
  for (const char* hash : {"", "../../etc/passwd", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "abc"}) {
    code.keep(hash, "ptx", "text");
    CHECK_FALSE(code.find(hash, "ptx").has_value());
  }
  CHECK_FALSE(std::filesystem::exists(folder / "explog.db.code"));
}

TEST_CASE("the oldest codes go when the folder is full") {
  Scratch folder;
  std::string text;  // of digits that do not repeat: half of it is left when it is packed
  for (int i = 0; i < 100; ++i) text += hex(blake2b_128(std::to_string(i)));
  CodeFolder code(folder / "explog.db", 3000);
  code.keep(code_hash, "ptx", text);
  REQUIRE(code.find(code_hash, "ptx").has_value());
  std::filesystem::last_write_time(folder / ("explog.db.code/1/" + code_hash + ".ptx.zst"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  code.keep(other_hash, "ptx", text);
  CHECK_FALSE(code.find(code_hash, "ptx").has_value());
  CHECK(code.find(other_hash, "ptx").has_value());
}

TEST_CASE("what is erased is gone in every kind") {
  Scratch folder;
  CodeFolder code(folder / "explog.db");
  for (const char* kind : {"ptx", "sass"})
    code.keep(code_hash, kind, "text"), code.keep(other_hash, kind, "text");
  code.erase(code_hash);
  CHECK_FALSE(code.find(code_hash, "ptx").has_value());
  CHECK_FALSE(code.find(code_hash, "sass").has_value());
  CHECK(code.find(other_hash, "sass").has_value());
}

TEST_CASE("a damaged text is an error in words") {
  Scratch folder;
  CodeFolder code(folder / "explog.db");
  code.keep(code_hash, "ptx", std::string(5000, 'x'));
  std::string path = folder / ("explog.db.code/1/" + code_hash + ".ptx.zst");
  std::string bytes = "\x28\xB5\x2F\xFD broken";
  write_file(path, bytes);
  CHECK_THROWS_AS(code.find(code_hash, "ptx"), Error);
}
