#include "bench/toolchain.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/process.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

Argument argument(const std::string& name, Dtype dtype, Role role) {
  Argument a;
  a.name = name;
  a.dtype = dtype;
  a.role = role;
  return a;
}

std::vector<std::string> included(const SourceFile& source) {
  std::vector<std::string> names;
  for (const auto& [name, text] : own_includes(source)) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("the calling convention passes pointers as they are and scalars by their type") {
  Task task;
  for (const auto& a : {argument("x", Dtype::f16, Role::in), argument("y", Dtype::f32, Role::out),
                        argument("z", Dtype::f32, Role::inout), argument("w", Dtype::u8, Role::workspace),
                        argument("n", Dtype::i32, Role::scalar), argument("m", Dtype::i64, Role::scalar),
                        argument("f", Dtype::f32, Role::scalar), argument("d", Dtype::f64, Role::scalar),
                        argument("u", Dtype::u8, Role::scalar)}) {
    task.arguments.push_back(a);
  }
  std::string call = calling_convention(task);
  CHECK(call.starts_with(
      "extern \"C\" void solve(void*, void*, void*, void*, int, long long, float, double, unsigned char);\n"
      "extern \"C\" void explog_call(void** a) { solve(*(void**)a[0], *(void**)a[1], *(void**)a[2], "
      "*(void**)a[3], *(int*)a[4], *(long long*)a[5], *(float*)a[6], *(double*)a[7], "
      "*(unsigned char*)a[8]); }\n"));
  CHECK(call.find("cudaGetLastError") != std::string::npos);
}

TEST_CASE("the calling convention is sound C++, with and without CUDA, also without arguments") {
  auto compiler = find_program("c++");
  REQUIRE(compiler);
  Scratch scratch;
  Task none, some;
  some.arguments = {argument("x", Dtype::f32, Role::in), argument("n", Dtype::i64, Role::scalar)};
  for (const Task* task : {&none, &some}) {
    put(scratch / "call.cpp", calling_convention(*task));
    for (const char* define : {"-DEXPLOG_HOST", "-DEXPLOG_CUDA"}) {
      Finished run = run_program(
          {*compiler, "-std=c++17", "-Wall", "-Werror", "-fsyntax-only", define, scratch / "call.cpp"},
          60000);
      CHECK_MESSAGE(run.status == 0, run.output);
    }
  }
}

TEST_CASE("own includes are found recursively, each once, in order of first use") {
  Scratch scratch;
  put(scratch / "k.cu",
      "#include <cuda_runtime.h>\n#include \"b.h\"\n  # include  \"sub/a.h\"\n#include \"b.h\"\n"
      "// #include \"comment.h\"\n#include \"missing.h\"\nint main;\n");
  put(scratch / "b.h", "#include \"c.h\"\n#include \"b.h\"\n");
  put(scratch / "c.h", "#include \"b.h\"\n");
  put(scratch / "sub/a.h", "#include \"inner.h\"\n");
  put(scratch / "sub/inner.h", "");
  put(scratch / "comment.h", "");
  SourceFile source = read_source(scratch / "k.cu");
  CHECK(source.name == "k.cu");
  CHECK(included(source) == std::vector<std::string>{"b.h", "c.h", "sub/a.h", "inner.h"});
  CHECK(own_includes(source)[1].second == "#include \"b.h\"\n");
}

TEST_CASE("a source without a folder has no own includes") {
  CHECK(included({"k.cu", "", "#include \"toolchain_test.cpp\"\n"}).empty());
}

TEST_CASE("the hash follows the source and every file it includes, and nothing else") {
  Scratch scratch;
  put(scratch / "k.cu", "#include \"a.h\"\n");
  put(scratch / "a.h", "#include \"b.h\"\n");
  put(scratch / "b.h", "int b = 1;\n");
  put(scratch / "other.h", "int c = 1;\n");
  auto hash = [&] { return Builder::hash(read_source(scratch / "k.cu")); };
  std::string first = hash();
  CHECK(first.size() == 32);
  CHECK(hash() == first);
  put(scratch / "other.h", "int c = 2;\n");
  CHECK(hash() == first);
  put(scratch / "b.h", "int b = 2;\n");
  std::string second = hash();
  CHECK(second != first);
  put(scratch / "a.h", "#include \"b.h\"\n// changed\n");
  CHECK(hash() != second);
  put(scratch / "a.h", "#include \"b.h\"\n");
  put(scratch / "b.h", "int b = 1;\n");
  CHECK(hash() == first);
  put(scratch / "k.cu", "#include \"a.h\"\n\n");
  CHECK(hash() != first);
  std::filesystem::remove(scratch / "b.h");
  put(scratch / "k.cu", "#include \"a.h\"\n");
  CHECK(hash() != first);
}

TEST_CASE("the hash does not depend on where the files lie") {
  Scratch one, two;
  for (Scratch* scratch : {&one, &two}) {
    put(*scratch / "k.cu", "#include \"a.h\"\n");
    put(*scratch / "a.h", "int a;\n");
  }
  CHECK(Builder::hash(read_source(one / "k.cu")) == Builder::hash(read_source(two / "k.cu")));
}

TEST_CASE("a source that is a folder or not there is refused") {
  Scratch scratch;
  CHECK_THROWS_AS(read_source(scratch / ""), Error);
  CHECK_THROWS_AS(read_source(scratch / "none.cu"), Error);
}

TEST_CASE("digests are BLAKE2b-128: the empty text's is known") {
  CHECK(Builder::digest_of("") == "cae66941d9efbd404e4d88758ea67670");
  CHECK(Builder::digest_of("a") != Builder::digest_of("b"));
  CHECK(harness_hash().size() == 32);
}

TEST_CASE("the ending of a source's name tells the backend") {
  CHECK(backend_of_file("a.cu") == "cuda");
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.c", ".cu.c"}) CHECK(backend_of_file(name) == "host");
  for (const char* name : {"", "cu", "a.cuh", "a.CU", "a.py", "a.cpp "}) CHECK(backend_of_file(name).empty());
}
