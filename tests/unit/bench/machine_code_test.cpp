#include "bench/machine_code.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.h"
#include "base/process.h"
#include "bench/harness/compilers.h"
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
