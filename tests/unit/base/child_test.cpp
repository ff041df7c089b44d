#include "base/child.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/process.h"
#include "base/shared_memory.h"
#include "scratch.h"

using namespace explog;
using Heard = Child::Heard;

namespace {

constexpr int patience_ms = 20000;  // for what must happen; a loaded machine may take its time

// A child that runs a shell script in a folder of its own.
class Shell {
 public:
  explicit Shell(const std::string& script, std::vector<int> shared = {})
      : child({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, folder_ / "", std::move(shared)}) {}

  // The next line, which must come.
  std::string line() {
    std::string text;
    REQUIRE(child.listen(text, patience_ms) == Heard::line);
    return text;
  }

 private:
  Scratch folder_;

 public:
  Child child;
};

bool alive(const std::string& pid) {
  pid_t process = std::atoi(pid.c_str());
  REQUIRE(process > 1);
  return kill(process, 0) == 0 || errno != ESRCH;
}

// A process that was killed is gone when its parent has taken note, which may be a moment later.
bool gone_soon(const std::string& pid) {
  for (int i = 0; i < 200 && alive(pid); ++i) {
    waitpid(std::atoi(pid.c_str()), nullptr, WNOHANG);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !alive(pid);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("lines go to descriptor 3 and come from descriptor 4") {
  Shell sh("while read line <&3; do echo \"got $line\" >&4; done; exit 7");
  for (const char* text : {"one", "two words", "3"}) {
    sh.child.send(text);
    CHECK(sh.line() == "got " + std::string(text));
  }
  Child::Ending ending = sh.child.finish(patience_ms);  // closing the commands ends the loop
  CHECK(ending.status == 7);
  CHECK(ending.left_behind == 0);
  CHECK(sh.child.output().empty());
}

TEST_CASE("lines that arrive together are given one at a time") {
  Shell sh("printf 'a\\n\\nb\\nrest' >&4");
  CHECK(sh.line() == "a");
  CHECK(sh.child.has_more());
  CHECK(sh.line().empty());
  CHECK(sh.line() == "b");
  std::string text;
  CHECK(sh.child.listen(text, patience_ms) == Heard::end);  // what has no line end is no line
}

TEST_CASE("a long line arrives whole") {
  Shell sh("head -c 3000000 /dev/zero | tr '\\0' x >&4; echo >&4");
  CHECK(sh.line() == std::string(3000000, 'x'));
}

TEST_CASE("a silent child is a timeout, and can be heard again afterwards") {
  Shell sh("read line <&3; echo awake >&4; read line <&3");
  std::string text;
  auto start = std::chrono::steady_clock::now();
  CHECK(sh.child.listen(text, 50) == Heard::timeout);
  CHECK(sh.child.listen(text, 0) == Heard::timeout);
  CHECK(seconds_since(start) < 10);
  sh.child.send("go");
  CHECK(sh.line() == "awake");
}

TEST_CASE("a child that ends is heard as the end; talking to it is harmless") {
  Shell sh("exit 3");
  std::string text;
  CHECK(sh.child.listen(text, patience_ms) == Heard::end);
  for (int i = 0; i < 100; ++i) sh.child.send("anyone there?");
  CHECK(sh.child.listen(text, 0) == Heard::end);
  CHECK(sh.child.finish(patience_ms).status == 3);
}

TEST_CASE("a child that closes its replies but lives on is heard as the end") {
  Shell sh("exec 4>&-; read line <&3");
  std::string text;
  CHECK(sh.child.listen(text, patience_ms) == Heard::end);
  CHECK(sh.child.finish(patience_ms).left_behind == 0);
}

TEST_CASE("finishing twice is harmless and tells the same") {
  Shell sh("exit 5");
  CHECK(sh.child.finish(patience_ms).status == 5);
  CHECK(sh.child.finish(0).status == 5);
  CHECK(sh.child.finish(patience_ms).status == 5);
  sh.child.send("too late");
}

TEST_CASE("a child that does not end is killed at the time limit") {
  Shell sh("trap '' TERM INT HUP; echo ready >&4; while :; do sleep 1; done");
  CHECK(sh.line() == "ready");
  auto start = std::chrono::steady_clock::now();
  Child::Ending ending = sh.child.finish(100);
  CHECK(ending.status == 128 + SIGKILL);
  CHECK(seconds_since(start) < 10);
}

TEST_CASE("the signal that ended a child is told") {
  Shell sh("kill -SEGV $$");
  CHECK(sh.child.finish(patience_ms).status == 128 + SIGSEGV);
}

TEST_CASE("an orphan in a session of its own is counted and killed") {
  Shell sh("setsid sleep 600 </dev/null >/dev/null 2>&1 3>&- 4>&- & echo $! >&4; exit 0");
  std::string orphan = sh.line();
  CHECK(alive(orphan));
  Child::Ending ending = sh.child.finish(patience_ms);
  CHECK(ending.status == 0);
  CHECK(ending.left_behind == 1);
  CHECK(gone_soon(orphan));
  CHECK(sh.child.finish(0).left_behind == 1);
}

TEST_CASE("several orphans, in the group and out of it, are counted and killed") {
  Shell sh(
      "sleep 600 & echo $! >&4; setsid sleep 600 & echo $! >&4; (setsid sleep 600 & echo $! >&4); exit 0");
  std::vector<std::string> orphans = {sh.line(), sh.line(), sh.line()};
  CHECK(sh.child.finish(patience_ms).left_behind == 3);
  for (const std::string& orphan : orphans) CHECK(gone_soon(orphan));
}

TEST_CASE("a child that is dropped without finish dies, and so does what it started") {
  std::string child, orphan;
  {
    Shell sh("setsid sleep 600 & echo $! >&4; echo $$ >&4; sleep 600");
    orphan = sh.line();
    child = sh.line();
  }
  CHECK(gone_soon(child));
  CHECK(gone_soon(orphan));
}

TEST_CASE("one child's end leaves another child and its processes alone") {
  Shell other("sleep 600 & echo $! >&4; while read line <&3; do echo $line >&4; done");
  std::string helper = other.line();
  {
    Shell sh("exit 0");
    CHECK(sh.child.finish(patience_ms).left_behind == 0);
  }
  CHECK(alive(helper));
  other.child.send("still here");
  CHECK(other.line() == "still here");
  CHECK(other.child.finish(100).left_behind <= 1);
  CHECK(gone_soon(helper));
}

TEST_CASE("of a chatty child the first 64 KiB are kept, and it is never blocked by them") {
  Shell sh(
      "head -c 1000000 /dev/zero | tr '\\0' x; echo told >&4; head -c 1000000 /dev/zero | tr '\\0' y >&2; "
      "exit 0");
  CHECK(sh.line() == "told");
  CHECK(sh.child.output() == std::string(65536, 'x'));
  CHECK(sh.child.finish(patience_ms).status == 0);  // the second million was read while waiting
  CHECK(sh.child.output() == std::string(65536, 'x'));
}

TEST_CASE("standard output and error are kept apart from the replies") {
  Shell sh("echo out; echo '{\"ok\":true}'; echo err >&2; echo reply >&4");
  CHECK(sh.line() == "reply");
  CHECK(sh.child.finish(patience_ms).status == 0);
  CHECK(sh.child.output() == "out\n{\"ok\":true}\nerr\n");
}

TEST_CASE("a child that prints without end is ended all the same") {
  Shell sh("yes");
  std::string text;
  CHECK(sh.child.listen(text, 100) == Heard::timeout);
  auto start = std::chrono::steady_clock::now();
  CHECK(sh.child.finish(100).status == 128 + SIGKILL);
  CHECK(seconds_since(start) < 10);
  CHECK(sh.child.output().size() == 65536);
}

TEST_CASE("nothing of our environment is inherited, and the folder is the one asked for") {
  setenv("EXPLOG_SECRET_OF_THE_TEST", "1", 1);
  Shell sh("echo \"${EXPLOG_SECRET_OF_THE_TEST:-none}\" >&4; echo \"${HOME:-none}\" >&4; pwd >&4");
  CHECK(sh.line() == "none");
  CHECK(sh.line() == "none");
  CHECK(sh.line().find("explog-test-") != std::string::npos);
  unsetenv("EXPLOG_SECRET_OF_THE_TEST");
}

TEST_CASE("shared descriptors become 5 and 6, and no others are open") {
  SharedMemory memory;
  memory.reserve(16);
  int inherited = dup2(0, 40);  // not closed by exec: as a careless caller's
  REQUIRE(inherited == 40);
  Shell sh(
      "printf hello >&5; for i in 3 4 5 6 7 8 40; do [ -e /proc/$$/fd/$i ] && printf \"$i \" >&4; done; echo "
      ">&4",
      {memory.fd(), memory.fd()});
  CHECK(sh.line() == "3 4 5 6 ");
  CHECK(std::string(memory.data(), 5) == "hello");
  close(inherited);
}

TEST_CASE("a program that is not there is an error, not a child") {
  CHECK_THROWS_AS(Child({{"/no/such/program"}, {}, "/", {}}), Error);
  CHECK_THROWS_AS(Child({{"/bin/sh"}, {}, "/no/such/folder", {}}), Error);
}

TEST_CASE("threads are counted, and a child that is gone has none") {
  Shell sh("echo up >&4; read line <&3");
  CHECK(sh.line() == "up");
  CHECK(sh.child.threads() == 1);
  sh.child.finish(patience_ms);
  CHECK(sh.child.threads() == 0);
}

TEST_CASE("a child may end while its threads are being counted") {
  for (int i = 0; i < 200; ++i) {
    Child child({{"/bin/true"}, {}, "/", {}});
    for (int look = 0; look < 20; ++look) child.threads();
    child.finish(patience_ms);
  }
}

TEST_CASE("a stopped child that was waited for has no more of a processor, however busy they are") {
  std::vector<std::jthread> busy;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    busy.emplace_back([](const std::stop_token& enough) {
      while (!enough.stop_requested()) {
      }
    });
  Child child({{"/bin/sh", "-c", "while :; do :; done"}, {}, "/", {}});
  for (int i = 0; i < 200; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    REQUIRE(child.stop());
    child.wait_until_off();
    const double before = child.cpu_ms();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(child.cpu_ms() == before);
    child.resume();
  }
  child.finish(0);
  child.wait_until_off();  // it is gone: nothing to wait for
}

// Who joins a thread goes on while the system still closes the files of a table that was the thread's alone.
TEST_CASE("a thread that was joined and still ends is waited for as well") {
  const std::string script = R"(
import ctypes, os, resource, threading
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
libc = ctypes.CDLL(None)
def work():
    libc.unshare(0x400)  # CLONE_FILES
    for _ in range(min(most, 200000)):
        if libc.eventfd(0, 0) < 0:
            break
while True:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    os.write(4, b"joined\n")
    os.read(3, 1)
)";
  Child child({{"/usr/bin/env", "python3", "-c", script}, {"PATH=/usr/bin:/bin"}, "/", {}});
  for (int i = 0; i < 5; ++i) {
    std::string line;
    REQUIRE(child.listen(line, patience_ms) == Heard::line);
    REQUIRE(child.stop());
    child.wait_until_off();
    const double before = child.cpu_ms();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(child.cpu_ms() - before < 0.02);
    child.resume();
    child.send("");
  }
}

TEST_CASE("hundreds of children leave no descriptors and no zombies behind") {
  auto descriptors = [] {
    int n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++n;
    return n;
  };
  int before = descriptors();
  for (int i = 0; i < 100; ++i) Child({{"/bin/true"}, {}, "/", {}}).finish(patience_ms);
  CHECK(descriptors() == before);
  CHECK(waitpid(-1, nullptr, WNOHANG) <= 0);
}

TEST_CASE("children that run side by side are not taken for each other's leftovers") {
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested())
      CHECK(run_program({"/bin/sh", "-c", "sleep 0.05; exit 3"}, patience_ms).status == 3);
  });
  for (int i = 0; i < 40; ++i) {
    Shell sh("read line <&3");
    CHECK(sh.child.finish(patience_ms).left_behind == 0);
  }
}
