// Objects and archives that a source is linked with by its own text: `// link: inner.o`.
#include <doctest/doctest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "bench/code/fatbin.h"
#include "bench/harness/toolchain.h"
#include "scratch.h"
#include "unit/bench/own_cache.h"

using namespace explog;
using namespace explog::bench;

namespace {

constexpr const char* calls_inner =
    "extern \"C\" int inner();\nextern \"C\" void solve(int* y) { *y = inner(); }\n";

// The object of a function that gives `value`, by the compiler of this machine.
void make_inner(const std::string& object, int value) {
  write_file(object + ".cpp", "extern \"C\" int inner() { return " + std::to_string(value) + "; }\n");
  Finished made = run_program({*find_program("c++"), "-fPIC", "-c", object + ".cpp", "-o", object}, 60000);
  REQUIRE_MESSAGE(made.status == 0, made.output);
}

Built built_with(const SourceFile& source) {
  Task task;
  task.arguments.emplace_back();
  task.arguments.back().name = "y";
  task.arguments.back().dtype = Dtype::i32;
  task.arguments.back().role = Role::out;
  return Builder(find_toolchain("host", "", {})).candidate(task, source);
}

std::string lack_of_linked(const std::string& text, const std::string& folder) {
  try {
    included_files({"k.cpp", folder, text});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a source is linked with the objects it names, and one that changes makes another candidate") {
  OwnCache cache;
  Scratch scratch;
  make_inner(scratch / "inner.o", 1);
  SourceFile source = {"k.cpp", scratch / "", std::string("// link: inner.o\n") + calls_inner};
  const std::string hash = hash_of(source);
  Built first = built_with(source), again = built_with(source);
  REQUIRE_MESSAGE(first.ok, first.log);
  CHECK(again.cached);
  CHECK(again.path == first.path);
  make_inner(scratch / "inner.o", 2);
  Built changed = built_with(source);
  REQUIRE_MESSAGE(changed.ok, changed.log);
  CHECK(changed.path != first.path);
  CHECK(hash_of(source) != hash);
  source.text = std::string("// linked: inner.o\n") + calls_inner;
  CHECK(included_files(source).empty());
}

TEST_CASE("device code among the data of an object is found, and what only begins like it is not") {
  Scratch scratch;
  const std::string source = scratch / "data.cpp", object = scratch / "data.o";
  const std::string numbers = "0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, ";
  write_file(source, "extern const unsigned char code[] = {7, 7, 7, 7, 7, 7, 7, 7, " + numbers +
                         "2, 0, 0, 0, 0, 0, 0, 0, 65, 66, " + numbers + "200, 0, 0, 0, 0, 0, 0, 0, 67};\n");
  Finished made = run_program({*find_program("c++"), "-c", source, "-o", object}, 60000);
  REQUIRE_MESSAGE(made.status == 0, made.output);
  const std::string bytes = read_file(object);
  auto found = fatbins_in_data(bytes);
  REQUIRE(found.size() == 1);
  CHECK(found[0].size() == 18);
  CHECK(found[0].ends_with("AB"));
  CHECK(fatbins_in_data("no ELF").empty());
  CHECK(cubins_in_data(bytes).empty());
}

TEST_CASE("what cannot be linked is named") {
  Scratch scratch;
  write_file(scratch / "there.o", "");
  CHECK(lack_of_linked("// link: there.o gone.a\n", scratch / "") ==
        "k.cpp: '// link: gone.a': no such file");
  CHECK(lack_of_linked("// link: there.o -lcublas\n", scratch / "") ==
        "k.cpp: '// link: -lcublas' is neither an object (.o) nor an archive (.a)");
  CHECK(lack_of_linked("// link: there.o\n", scratch / "").empty());
  CHECK(lack_of_linked("// link: https://example.org/how\n", scratch / "").empty());
  CHECK(lack_of_linked(" // link: gone.o\n", scratch / "").empty());
  CHECK(included_files({"k.sh", scratch / "", "// link: gone.o\n"}).empty());
}
