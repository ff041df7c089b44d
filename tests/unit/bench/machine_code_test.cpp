#include "bench/machine_code.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "bench/find_source.h"
#include "bench/harness/compilers.h"
#include "bench/harness/toolchain.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

// The machine code of a function built from `source`, in a folder of its own.
std::string code_of_source(const std::string& source) {
  Scratch folder;
  std::string file = folder / "f.cpp", product = folder / "f.so";
  write_file(file, source);
  Finished run = run_program({find_cxx(), "-O2", "-g", "-shared", "-fPIC", file, "-o", product}, 60'000);
  REQUIRE_MESSAGE(run.status == 0, run.output);
  return machine_code_of(read_file(product));
}

}  // namespace

TEST_CASE("two sources whose instructions are the same have the same machine code, others have not") {
  std::string one = code_of_source("extern \"C\" int f(int x) { return x * 2; }");
  CHECK(one.size() == 32);
  CHECK(code_of_source("#define UNUSED 7\nextern \"C\" int f(int x) { return x + x; }\n") == one);
  CHECK(code_of_source("extern \"C\" int f(int x) { return x * 5; }") != one);
  CHECK(code_of_source("extern \"C\" int f(int x) { static int n = 3; return x + n++; }") != one);
}

namespace {

// Of vector_add's baseline, compiled with `flags`, in which `what` became `by`; empty without nvcc.
std::string code_of_changed(const std::string& what, const std::string& by,
                            const std::vector<std::string>& flags) {
  FoundTask found = find_task("vector_add", "");
  SourceFile source = source_of(found, "naive.cu");
  std::size_t at = source.text.find(what);
  REQUIRE(at != std::string::npos);
  source.text.replace(at, what.size(), by);
  try {
    Built built = Builder(find_toolchain("cuda", "sm_90a", flags)).candidate(found.task, source);
    REQUIRE_MESSAGE(built.ok, built.log);
    return machine_code_of_product(built.path);
  } catch (const Error&) {
    MESSAGE("no nvcc: not compiled");
    return "";
  }
}

}  // namespace

TEST_CASE("what compiles to the same device code is the same program, however its PTX and its lines differ") {
  const std::string one = code_of_changed("// One", "// Just one", {});
  if (one.empty()) return;
  CHECK(one.size() == 32);
  CHECK(code_of_changed("__global__ void add", "\n\n__global__ void __launch_bounds__(256, 2) add", {}) ==
        one);
  CHECK(code_of_changed("x[i] + y[i]", "x[i] + 2 * y[i]", {}) != one);
  CHECK(code_of_changed("/ 256 + 1", "/ 256 + 2", {}) != one);
}

TEST_CASE("device code for several archs counts with all of them") {
  const std::vector<std::string> both = {"-gencode=arch=compute_100,code=sm_100"};
  const std::string one = code_of_changed("// One", "// Just one", both);
  if (one.empty()) return;
  const std::string other = code_of_changed(
      "z[i] = x[i] + y[i];",
      "\n#if __CUDA_ARCH__ == 1000\nz[i] = x[i];\n#else\nz[i] = x[i] + y[i];\n#endif\n", both);
  CHECK(other != one);
}

TEST_CASE("what is no shared object, or a part of one, has no machine code") {
  CHECK(machine_code_of("").empty());
  CHECK(machine_code_of("#!/bin/sh\n").empty());
  std::string head(
      "\x7f"
      "ELF\x02\x01",
      6);
  CHECK(machine_code_of(head).empty());
  head.resize(64, '\xff');
  CHECK(machine_code_of(head).empty());
}
