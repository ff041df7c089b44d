#include "bench/harness/runner.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

// A program that answers every command with `members`, after `before`.
std::string answering(const Scratch& scratch, const std::string& members) {
  std::string path = scratch / "runner";
  std::ofstream(path) << "#!/bin/sh\nwhile read -r token command <&3; do\n"
                         "  printf '{\"token\":\"%s\",\"command\":\"%s\","
                      << members << "}\\n' \"$token\" \"$command\" >&4\ndone\n";
  chmod(path.c_str(), 0755);
  return path;
}

Runner start(const std::string& program) {
  RunnerSetup setup;
  setup.program = program;
  PrivateFolder folder;
  return Runner(setup, folder);
}

std::string runner_refusal(const std::string& program) {
  try {
    start(program);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string word_of_failure(const std::string& reason) {
  try {
    Scratch scratch;
    start(answering(scratch, R"("ok":false,"detail":"it says so","reason":)" + reason));
  } catch (const Failed& f) {
    return f.reason;
  } catch (const Error&) {
    return "error";
  }
  return "";
}

const std::string ours = std::to_string(protocol::number);

}  // namespace

TEST_CASE("a runner of another protocol is refused before it is asked for anything") {
  Scratch scratch;
  std::string program = answering(scratch, R"("ok":true,"protocol":1)");
  CHECK(runner_refusal(program) ==
        "the runner " + program + " speaks protocol 1, this explog speaks " + ours);
  program = answering(scratch, R"("ok":true)");
  CHECK(runner_refusal(program) ==
        "the runner " + program + " names no protocol, this explog speaks " + ours);
}

TEST_CASE("a runner of this protocol is taken at its word about the device") {
  Scratch scratch;
  std::string members =
      R"("ok":true,"protocol":)" + std::to_string(protocol::number) + R"(,"gpu":"A","arch":"host")";
  CHECK(start(answering(scratch, members)).device().gpu == "A");
}

TEST_CASE("a runner may say words of failure only, and none that is the supervisor's") {
  for (const char* word : {"crash", "launch_error", "out_of_memory", "thread_left"})
    CHECK(word_of_failure("\"" + std::string(word) + "\"") == word);
  for (const char* word : {"\"pass\"", "\"unconfirmed\"", "\"machine_busy\"", "\"forged\"", "\"\"", "7"})
    CHECK(word_of_failure(word) == "protocol");
}
