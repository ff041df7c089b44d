#include "bench/harness/toolchain.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/error.h"
#include "base/process.h"
#include "bench/harness/build_folder.h"
#include "bench/harness/cache.h"
#include "bench/harness/unseen_inputs.h"
#include "scratch.h"
#include "unit/bench/own_cache.h"

using namespace explog;
using namespace explog::bench;

namespace {

void put_file(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

Argument plain_argument(const std::string& name, Dtype dtype, Role role) {
  Argument a;
  a.name = name;
  a.dtype = dtype;
  a.role = role;
  return a;
}

std::vector<std::string> included(const SourceFile& source) {
  std::vector<std::string> names;
  for (const IncludedFile& file : included_files(source)) names.push_back(file.name);
  return names;
}

}  // namespace

TEST_CASE("what assembler and linker read unseen is never taken from the cache") {
  for (const char* flag : {"-lmine", "-L/tmp", "-B/tmp", "-Wl,@file", "-Wa,@file", "-Xcompiler=-Wa,@file",
                           "-Xcompiler=-O2,-B/tmp", "-Xlinker=-Tx.ld", "-Tx.ld", "@options", "-fplugin=x.so",
                           "-fprofile-use=x", "-specs=x", "--options-file=x"})
    CHECK_MESSAGE(may_read_unseen({"-O3", flag}), flag);
  for (const char* flag :
       {"-O3", "-DN=4", "-I/tmp", "-std=c++20", "-funroll-loops", "-march=native", "-Wall", "--use_fast_math",
        "-maxrregcount=32", "-Xptxas=-v", "-Xcompiler=-fopenmp,-O2", "-lineinfo"})
    CHECK_MESSAGE(!may_read_unseen({"-O3", flag}), flag);
  Scratch scratch;
  put_file(scratch / "x.o", "");
  CHECK(may_read_unseen({scratch / "x.o"}));
  CHECK(!may_read_unseen({"-Xptxas", "-v", "32"}));
  CHECK(may_read_unseen({"-lcublas", "-lm"}) == (std::getenv("LIBRARY_PATH") != nullptr));
}

TEST_CASE("sources in C++ and CUDA that a Python file names travel with it, and what they include") {
  Scratch scratch;
  std::string folder = scratch / "candidate";
  put_file(folder + "/mine.py", "SOURCES = [\"main.cpp\", 'lib/rows.cu', \"../out.cu\", \"none.cu\"]\n");
  put_file(folder + "/main.cpp", "#include \"lib/rows.h\"\n");
  put_file(folder + "/lib/rows.cu", "#include \"rows.h\"\n#include \"../top.h\"\n");
  put_file(folder + "/lib/rows.h", "");
  put_file(folder + "/top.h", "");
  put_file(folder + "/../out.cu", "");
  std::vector<std::string> wanted = {"main.cpp", "lib/rows.h", "lib/rows.cu", "top.h"};
  CHECK(included(read_source(folder + "/mine.py")) == wanted);
}

TEST_CASE("the calling convention passes pointers as they are and scalars by their type") {
  Task task;
  for (const auto& a :
       {plain_argument("x", Dtype::f16, Role::in), plain_argument("y", Dtype::f32, Role::out),
        plain_argument("z", Dtype::f32, Role::inout), plain_argument("w", Dtype::u8, Role::workspace),
        plain_argument("n", Dtype::i32, Role::scalar), plain_argument("m", Dtype::i64, Role::scalar),
        plain_argument("f", Dtype::f32, Role::scalar), plain_argument("d", Dtype::f64, Role::scalar),
        plain_argument("u", Dtype::u8, Role::scalar)}) {
    task.arguments.push_back(a);
  }
  std::string call = calling_convention(task, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(call.starts_with(
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
      "void solve(void*, void*, void*, void*, int, long long, float, double, unsigned char);\n"
      "void explog_call(void** a) { solve(*(void**)a[0], *(void**)a[1], *(void**)a[2], "
      "*(void**)a[3], *(int*)a[4], *(long long*)a[5], *(float*)a[6], *(double*)a[7], "
      "*(unsigned char*)a[8]); }\n"));
  CHECK(call.find("cudaGetLastError") != std::string::npos);
  CHECK(calling_convention(task, {4, 0})
            .find("void solve(int, void*);\n"
                  "void explog_call(void** a) { solve(*(int*)a[4], *(void**)a[0]); }") != std::string::npos);
}

TEST_CASE("the calling convention is sound C++, with and without CUDA, also without arguments") {
  auto compiler = find_program("c++");
  REQUIRE(compiler);
  Scratch scratch;
  Task none, some;
  some.arguments = {plain_argument("x", Dtype::f32, Role::in), plain_argument("n", Dtype::i64, Role::scalar)};
  for (const Task* task : {&none, &some}) {
    std::vector<std::size_t> order(task->arguments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    put_file(scratch / "call.cpp", calling_convention(*task, order));
    put_file(scratch / "call.c", calling_convention(*task, order));
    for (const char* define : {"-DEXPLOG_HOST", "-DEXPLOG_CUDA"}) {
      Finished run = run_program(
          {*compiler, "-std=c++17", "-Wall", "-Werror", "-fsyntax-only", define, scratch / "call.cpp"},
          60000);
      CHECK_MESSAGE(run.status == 0, run.output);
      run = run_program({*compiler, "-x", "c", "-Wall", "-fsyntax-only", define, scratch / "call.c"}, 60000);
      CHECK_MESSAGE(run.status == 0, run.output);
    }
  }
}

TEST_CASE("own includes are found recursively, each once, in order of first use") {
  Scratch scratch;
  put_file(scratch / "k.cu",
           "#include <cuda_runtime.h>\n#include \"b.h\"\n  # include  \"sub/a.h\"\n#include \"b.h\"\n"
           "// #include \"comment.h\"\n#include \"missing.h\"\nint main;\n");
  put_file(scratch / "b.h", "#include \"c.h\"\n#include \"b.h\"\n");
  put_file(scratch / "c.h", "#include \"b.h\"\n");
  put_file(scratch / "sub/a.h", "#include \"inner.h\"\n");
  put_file(scratch / "sub/inner.h", "");
  put_file(scratch / "comment.h", "");
  SourceFile source = read_source(scratch / "k.cu");
  CHECK(source.name == "k.cu");
  CHECK(included(source) == std::vector<std::string>{"b.h", "c.h", "sub/a.h", "inner.h"});
  CHECK(included_files(source)[1].text == "#include \"b.h\"\n");
}

TEST_CASE("a source without a folder has no own includes") {
  CHECK(included({"k.cu", "", "#include \"toolchain_test.cpp\"\n"}).empty());
}

TEST_CASE("the hash follows the source and every file it includes, and nothing else") {
  Scratch scratch;
  put_file(scratch / "k.cu", "#include \"a.h\"\n");
  put_file(scratch / "a.h", "#include \"b.h\"\n");
  put_file(scratch / "b.h", "int b = 1;\n");
  put_file(scratch / "other.h", "int c = 1;\n");
  auto hash = [&] { return hash_of(read_source(scratch / "k.cu")); };
  std::string first = hash();
  CHECK(first.size() == 32);
  CHECK(hash() == first);
  put_file(scratch / "other.h", "int c = 2;\n");
  CHECK(hash() == first);
  put_file(scratch / "b.h", "int b = 2;\n");
  std::string second = hash();
  CHECK(second != first);
  put_file(scratch / "a.h", "#include \"b.h\"\n// changed\n");
  CHECK(hash() != second);
  put_file(scratch / "a.h", "#include \"b.h\"\n");
  put_file(scratch / "b.h", "int b = 1;\n");
  CHECK(hash() == first);
  put_file(scratch / "k.cu", "#include \"a.h\"\n\n");
  CHECK(hash() != first);
  std::filesystem::remove(scratch / "b.h");
  put_file(scratch / "k.cu", "#include \"a.h\"\n");
  CHECK(hash() != first);
}

TEST_CASE("the hash does not depend on where the files lie") {
  Scratch one, two;
  for (Scratch* scratch : {&one, &two}) {
    put_file(*scratch / "k.cu", "#include \"a.h\"\n");
    put_file(*scratch / "a.h", "int a;\n");
  }
  CHECK(hash_of(read_source(one / "k.cu")) == hash_of(read_source(two / "k.cu")));
}

TEST_CASE("a source that is a folder or not there is refused") {
  Scratch scratch;
  CHECK_THROWS_AS(read_source(scratch / ""), Error);
  CHECK_THROWS_AS(read_source(scratch / "none.cu"), Error);
}

TEST_CASE("the harness has a hash of its own") { CHECK(harness_hash().size() == 32); }

TEST_CASE("the ending of a source's name tells the backend") {
  CHECK(backend_of_file("a.cu") == "cuda");
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.c", ".cu.c"}) CHECK(backend_of_file(name) == "host");
  for (const char* name : {"", "cu", "a.cuh", "a.CU", "a.pyc", "a.cpp "})
    CHECK(backend_of_file(name).empty());
}

namespace {

Task one_output() {
  Task task;
  task.arguments = {plain_argument("y", Dtype::i32, Role::out)};
  return task;
}

// Builds the candidate at `path` with a cache of the test's own.
Built built_at(const std::string& path, const std::vector<std::string>& flags = {}) {
  return Builder(find_toolchain("host", "", flags)).candidate(one_output(), read_source(path));
}

const std::string writes_value = "extern \"C\" void solve(int* y) { *y = VALUE; }\n";

}  // namespace

TEST_CASE("what was learnt of a candidate in Python ends with the packages that it ran with") {
  auto python = find_program("python3");
  REQUIRE(python);
  Scratch scratch;
  put_file(scratch / "mine.py", "def solve(x):\n    pass\n");
  Task task;
  task.arguments = {plain_argument("x", Dtype::f32, Role::out)};
  Toolchain t;
  t.backend = "numpy", t.python = *python, t.packages = "numpy 1.24.2, python 3.11.2";
  CHECK(t.toolkit() == t.packages);
  auto product = [&] { return Builder(t).candidate(task, read_source(scratch / "mine.py")).path; };
  std::string before = product();
  CHECK(product() == before);
  t.packages = "numpy 1.26.0, python 3.11.2";
  CHECK(product() != before);
}

TEST_CASE("no way to include a file lets it change behind the build cache") {
  OwnCache cache;
  Scratch scratch;
  std::string folder = scratch / "other", file = folder + "/value.h", source = scratch / "k.cpp";
  std::vector<std::pair<std::string, std::string>> ways = {
      {"beside", "#include \"other/value.h\"\n"},
      {"angle", "#include <value.h>\n"},
      {"absolute", "#include \"" + file + "\"\n"},
      {"macro", "#define FILE_ <value.h>\n#include FILE_\n"},
      {"continued", "#inc\\\nlude <value.h>\n"},
      {"has_include", "#if __has_include(<flag.h>)\n#define VALUE 1\n#else\n#define VALUE 2\n#endif\n"},
  };
  for (const auto& way : ways) {
    const std::string include = way.second;
    CAPTURE(way.first);
    put_file(file, "#define VALUE 1\n");
    put_file(source, include + writes_value);
    Built first = built_at(source, {"-I" + folder}), again = built_at(source, {"-I" + folder});
    REQUIRE_MESSAGE(first.ok, first.log);
    CHECK(again.cached);
    CHECK(again.path == first.path);
    put_file(file, "#define VALUE 2\n");
    put_file(folder + "/flag.h", "");
    Built changed = built_at(source, {"-I" + folder});
    REQUIRE_MESSAGE(changed.ok, changed.log);
    CHECK(changed.path != first.path);
    std::filesystem::remove(folder + "/flag.h");
  }
}

TEST_CASE("a precompiled header does not take the place of what was read") {
  OwnCache cache;
  Scratch scratch;
  put_file(scratch / "value.h", "#define VALUE 1\n");
  put_file(scratch / "k.cpp", "#include \"value.h\"\n" + writes_value);
  put_file(scratch / "value.h.gch", "no precompiled header at all");
  CHECK(built_at(scratch / "k.cpp", {"-Winvalid-pch", "-Werror"}).ok);
}

TEST_CASE("a file that only the assembler reads is refused in words") {
  OwnCache cache;
  Scratch scratch;
  std::string data = scratch / "data.bin";
  put_file(data, "1234");
  for (const std::string& spelt :
       {std::string(".incbin"), std::string(".inc\" \"bin"), std::string("\\056incbin")}) {
    put_file(scratch / "k.cpp",
             "asm(\"" + spelt + " \\\"" + data + "\\\"\");\nextern \"C\" void solve(int* y) { *y = 1; }\n");
    Built built = built_at(scratch / "k.cpp");
    CHECK(!built.ok);
    CHECK(first_error(built.log) == "k.cpp: error: the assembler reads " + data +
                                        " (.incbin or .include), which could change unseen: put it into the "
                                        "source as an array");
  }
  put_file(scratch / "k.cpp",
           "asm(\".incbin \\\"data.bin\\\"\");\nextern \"C\" void solve(int* y) { *y = 1; }\n");
  CHECK(first_error(built_at(scratch / "k.cpp").log).find("the assembler reads beside/data.bin ") !=
        std::string::npos);
}

TEST_CASE("a source may not name a precompiled header") {
  OwnCache cache;
  Scratch scratch;
  for (const char* spelt : {"#pragma GCC pch_preprocess \"value.gch\"\n",
                            "_Pragma(\"GCC pch_preprocess \\\"value.gch\\\"\")\n"}) {
    put_file(scratch / "k.cpp", spelt + writes_value);
    CHECK(
        first_error(built_at(scratch / "k.cpp").log).find("k.cpp: error: #pragma GCC pch_preprocess reads") ==
        0);
  }
}

TEST_CASE("names of files and folders may hold any byte, and C is C") {
  OwnCache cache;
  Scratch scratch;
  std::string folder = scratch / "a @ b' $(x)";
  put_file(folder + "/value.h", "#define VALUE 3\n");
  for (const char* name : {"k@1.cpp", "explog_call.cpp", "two words.cc", "\xff;'\".cxx", "-o.cpp"}) {
    CAPTURE(name);
    put_file(folder + "/" + name, "#include \"value.h\"\n" + writes_value);
    Built built = built_at(folder + "/" + name);
    CHECK_MESSAGE(built.ok, built.log);
  }
  put_file(folder + "/k.c",
           "#include \"value.h\"\nvoid solve(int *restrict y) { int class = VALUE; *y = class; }\n");
  Built c = built_at(folder + "/k.c");
  CHECK_MESSAGE(c.ok, c.log);
  put_file(folder + "/k.c", "void solve(int* y) { *y = missing; }\n");
  CHECK(first_error(built_at(folder + "/k.c").log).find("k.c:1:") == 0);
}

TEST_CASE("dependencies as a compiler lists them") {
  CHECK(listed_dependencies("a.o: b.c c\\ d.h \\\n e$$f.h \\#g\n") ==
        std::vector<std::string>{"b.c", "c d.h", "e$f.h", "#g"});
  CHECK(listed_dependencies("").empty());
}

TEST_CASE("a cache that cannot be made is named, with what to do") {
  for (const char* place : {"/dev/null", "/proc"}) {
    OwnCache restores;
    setenv("XDG_CACHE_HOME", place, 1);
    try {
      cache_folder();
      FAIL("no cache can lie in ", place);
    } catch (const Error& e) {
      CHECK(e.exit == Exit::unavailable);
      CHECK(std::string(e.what()).starts_with("cannot create directory " + std::string(place)));
      CHECK(e.hint.find("XDG_CACHE_HOME") != std::string::npos);
    }
  }
}

TEST_CASE("a CUDA source is compiled with the flags that it asks for, and with no other") {
  Toolchain cuda, host;
  cuda.backend = "cuda", cuda.compiler = "nvcc", cuda.arch = "sm_90a";
  host.backend = "host", host.compiler = "c++";
  auto command = [](const Toolchain& toolchain, const std::string& text) {
    return candidate_command(toolchain, SourceFile{"mine.cu", ".", text});
  };
  const std::string asks = "// nvcc: -use_fast_math --maxrregcount=64\nint a;\n";
  const auto plain = command(cuda, "int a;\n"), with = command(cuda, asks);
  REQUIRE(with.size() == plain.size() + 2);
  CHECK(with[with.size() - 2] == "-use_fast_math");
  CHECK(with.back() == "--maxrregcount=64");
  CHECK(command(host, asks) == command(host, "int a;\n"));
  CHECK_THROWS_WITH_AS(command(cuda, "// nvcc: -DEXPLOG_CUDA=0\n"),
                       "mine.cu: '// nvcc: -DEXPLOG_CUDA=0' is no flag that a source may ask for", Error);
}
