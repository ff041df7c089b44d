#include "model/backend.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

using namespace explog;

TEST_CASE("a backend is the one that is said, else the one of the file's ending") {
  CHECK(backend_meant("host", "a.cu") == "host");
  CHECK(backend_meant("", "a.cu") == "cuda");
  CHECK(backend_meant("", "dir.cu/a.cpp") == "host");
  try {
    backend_meant("", "notes.txt");
    FAIL("notes.txt has a backend");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) == "notes.txt: neither .cu, .cpp nor .py");
    CHECK(e.exit == Exit::usage);
  }
}
