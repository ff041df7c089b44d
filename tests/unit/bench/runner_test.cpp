#include "bench/harness/runner.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

// A program that answers every command with `members`, and writes the commands down.
std::string answering(const Scratch& scratch, const std::string& members) {
  std::string path = scratch / "runner";
  std::ofstream(path) << "#!/bin/sh\nwhile read -r token command <&3; do\n  echo \"$command\" >> "
                      << scratch / "commands"
                      << "\n"
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

RunnerSetup replaying(const std::string& program) {
  RunnerSetup setup;
  setup.program = program;
  setup.replays = true;
  return setup;
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

TEST_CASE("a process opens its device before anybody waits for it") {
  Scratch scratch;
  std::string program = answering(scratch, R"("ok":true,"clock":"cupti","protocol":)" + ours);
  PrivateFolder folder;
  Runner begun(replaying(program), folder, Hello::later);
  for (int i = 0; i < 1000 && !std::filesystem::exists(scratch / "commands"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(std::filesystem::exists(scratch / "commands"));
  CHECK(begun.has_begun());
  CHECK(read_file(scratch / "commands") == "hello " + ours + "\n");  // said once
}

TEST_CASE("a runner may say words of failure only, and none that is the supervisor's") {
  for (const char* word : {"crash", "launch_error", "out_of_memory", "thread_left"})
    CHECK(word_of_failure("\"" + std::string(word) + "\"") == word);
  for (const char* word : {"\"pass\"", "\"unconfirmed\"", "\"machine_busy\"", "\"forged\"", "\"\"", "7"})
    CHECK(word_of_failure(word) == "protocol");
}

TEST_CASE("calls of a plan are asked for at once, and another process can draw the same") {
  Scratch scratch;
  std::string program = answering(
      scratch,
      R"("ok":true,"clock":"cupti","hashes":["7","8","9"],"event_ms":[1,1,1],"kernel_ms":[1,1,1],"activities":[1,1,1],"protocol":)" +
          ours);
  PrivateFolder folder;
  Runner first(replaying(program), folder), second(replaying(program), folder);
  CHECK(first.pass(RunnerArm::candidate, 3, 42).hashes == std::vector<std::string>{"7", "8", "9"});
  second.draw_like(first.draws());
  second.pass(RunnerArm::candidate, 3, 42);
  second.pass(RunnerArm::candidate, 3, 43);
  std::vector<std::string> drawn;
  const std::string commands = read_file(scratch / "commands");
  for (std::string_view line : split(commands, '\n')) {
    if (line.starts_with("samples ")) drawn.emplace_back(line);
  }
  REQUIRE(drawn.size() == 3);
  CHECK(split(drawn[0], ' ').size() == 1 + 3 * 3);
  CHECK(drawn[0] == drawn[1]);
  CHECK(drawn[0] != drawn[2]);
  CHECK_THROWS_AS(first.pass(RunnerArm::candidate, 4, 42), Failed);  // three hashes for four calls
}

TEST_CASE("what a plan leaves of given inputs is asked for by their seed and the poison before them") {
  Scratch scratch;
  auto program = [&](const std::string& hashes) {
    return answering(scratch, R"("ok":true,"clock":"cupti","hashes":)" + hashes + R"(,"protocol":)" + ours);
  };
  PrivateFolder folder;
  Runner replay(replaying(program(R"(["7"])")), folder);
  CHECK(replay.left_by(RunnerArm::candidate, {0, 5, 9}) == "7");
  CHECK(read_file(scratch / "commands").ends_with("begin 1\nsamples 0 9 5\nend\n"));
  Runner silent(replaying(program("[]")), folder);
  CHECK_THROWS_AS(silent.left_by(RunnerArm::candidate, {0, 5, 9}), Failed);
}

TEST_CASE("a payload begins where a texture of linear memory may, and no kernel may count on more") {
  CHECK(protocol::payload_offset(protocol::guard_bytes) % 512 == 0);
  CHECK(protocol::payload_offset(protocol::guard_bytes) % 1024 != 0);
  CHECK(protocol::payload_offset(0) == 0);
}
