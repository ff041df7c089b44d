// Records that come through a pipe with a name: what a shell's `explog import <(zcat old.jsonl.gz)` hands over.
#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "hostile_session.h"

using namespace explog;

TEST_CASE("import reads a pipe that has a name, though it can be read only once") {
  constexpr std::string_view record =
      "{\"kernel_type\":\"gemm\",\"backend\":\"cuda\",\"arch\":\"sm_90\",\"strategy\":\"split_k\","
      "\"outcome\":\"success\"}\n";
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], record.data(), record.size()) == static_cast<ssize_t>(record.size()));
  close(ends[1]);
  hostile::Session session;
  hostile::Ran ran = session.run({"import", "/dev/fd/" + std::to_string(ends[0])});
  close(ends[0]);
  CHECK(ran.code == 0);
  CHECK(ran.out == "added 1, skipped 0 (known already), rejected 0\n");
}
