#include "bench/harness/python.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string fake_interpreter(const std::string& path) {
  write_file(path, "#!/bin/sh\n");
  chmod(path.c_str(), 0700);
  return path;
}

}  // namespace

TEST_CASE("an interpreter is the one that was said, then that of the environment") {
  Scratch scratch;
  std::string said = fake_interpreter(scratch / "said"), chosen = fake_interpreter(scratch / "chosen");
  setenv("EXPLOG_PYTHON", chosen.c_str(), 1);
  CHECK(find_python(said) == said);
  CHECK(find_python() == chosen);
  setenv("EXPLOG_PYTHON", (scratch / "missing").c_str(), 1);
  CHECK_THROWS_WITH_AS(find_python(), doctest::Contains("which cannot be run"), Error);
  unsetenv("EXPLOG_PYTHON");
}
