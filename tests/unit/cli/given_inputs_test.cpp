// A candidate that holds the answer to a task's file of inputs: caught for every seed, which is secret.
#include <doctest/doctest.h>

#include "hostile_session.h"

using namespace explog;
using namespace explog::hostile;

TEST_CASE("who knows the file of a task's inputs is a cheat, whatever elements are stirred") {
  const std::string folder = std::string(EXPLOG_SOURCE_DIR) + "/tests/data/given";
  Session session;
  for (int seed = 0; seed < 4; ++seed) {
    Ran ran = session.run({"check", folder, folder + "/knows_the_file.cpp", "--quiet"});
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.out.starts_with("CHEAT knows_the_file.cpp for twice: stale_result"));
  }
}
