#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "bench/find_task.h"
#include "bench/harness/capture.h"

using namespace explog;
using namespace explog::bench;

namespace {

// In place of the program that captures, which needs a GPU: for each library that is named it leaves plans that say which one it
// was, and does what the library is called.
constexpr const char* program = R"(#!/bin/sh
number=0
while read -r library <&3; do
  case $library in
    wrong_number) echo "7 captured" >&4 ;;
    refused) echo "$number launch_error too many threads" >&4 ;;
    broken) echo "crash the device is lost" > plan.error; exit 1 ;;
    silent) exit 0 ;;
    *)
      for call in 0 1; do printf '%s %s' "$library" "$call" > "plan.$number.$call"; done
      printf '11\n11\n' > "plan.$number.left"
      echo "$number captured" >&4 ;;
  esac
  number=$((number + 1))
done
)";

struct StandIn {
  PrivateFolder folder;
  FoundTask found = find_task("vector_add", "");
  Capturing capturing;

  StandIn() : capturing(setup(), make_case(found.task, {{"N", 257}}, "normal"), {0, 1, 2}) {}
  RunnerSetup setup() const {
    std::string path = folder.path() + "/capture";
    write_file(path, program);
    chmod(path.c_str(), 0700);
    RunnerSetup setup;
    setup.program = path;
    return setup;
  }
  Captured of(const std::string& library) {
    capturing.name(library);
    return capturing.take();
  }
};

}  // namespace

TEST_CASE("one process captures one library after the other, and each gets its own plans") {
  StandIn stand_in;
  for (const char* library : {"one", "two", "three"}) {
    Captured captured = stand_in.of(library);
    CHECK(captured.error.empty());
    CHECK(captured.plans[0] == std::string(library) + " 0");
    CHECK(captured.plans[1] == std::string(library) + " 1");
    CHECK(captured.left == "11\n11\n");
  }
}

TEST_CASE("a library that cannot be captured is no hindrance to the next one") {
  StandIn stand_in;
  CHECK(stand_in.of("refused").error == "launch_error too many threads");
  CHECK(stand_in.of("one").plans[0] == "one 0");
  CHECK(stand_in.of("broken").error == "crash the device is lost");
  CHECK(stand_in.of("two").plans[0] == "two 0");
  CHECK(stand_in.of("silent").error.find("ended with status 0") != std::string::npos);
  CHECK(stand_in.of("three").plans[0] == "three 0");
}

TEST_CASE("an answer for another library gives no plan") {
  StandIn stand_in;
  Captured captured = stand_in.of("wrong_number");
  CHECK(captured.error == "an answer that nobody asked for");
  CHECK(captured.plans[0].empty());
  CHECK(stand_in.of("one").plans[0] == "one 0");
}

TEST_CASE("more libraries than one process may hold go to the next one") {
  StandIn stand_in;
  for (int i = 0; i < 205; ++i) {
    const std::string library = "library" + std::to_string(i);
    CHECK(stand_in.of(library).plans[1] == library + " 1");
  }
}
