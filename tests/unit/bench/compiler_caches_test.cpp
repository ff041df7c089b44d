#include "bench/compiler_caches.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/process.h"
#include "bench/cases.h"
#include "bench/find_task.h"

using namespace explog;
using namespace explog::bench;

namespace {

// Leaves a file named `number` and the shape's D where compilers keep things, then does `more`.
SourceFile leaving(int number, const std::string& more) {
  std::string name = std::to_string(number);
  return {"mine.py", "",
          "import os\n\n\ndef solve(x, scaled, sums, factor):\n    open(os.environ['XDG_CACHE_HOME'] + '/" +
              name + "_' + str(x.shape[1]), 'w').close()\n    " + more + "\n"};
}

}  // namespace

TEST_CASE("compilers' caches are filled side by side, whatever one configuration does to its process") {
  const std::string python = "/usr/bin/python3";
  if (run_program({python, "-c", "import numpy"}, 20'000).status != 0) {
    MESSAGE("skipped: ", python, " has no NumPy");
    return;
  }
  Toolchain toolchain = find_toolchain("numpy", "", {}, python);
  FoundTask task = find_task(EXPLOG_SOURCE_DIR "/tests/python/rows", "");
  CompilerCaches caches(task, toolchain);
  Builder builder(toolchain);
  std::vector<std::string> products;
  for (int i = 0; i < 6; ++i) {
    std::string more = i == 1 ? "os._exit(3)" : i == 2 ? "1 / 0" : "pass";
    products.push_back(builder.candidate(task.task, leaving(i, more)).path);
  }
  const TaskBackend& backend = backend_of(task.task, "numpy");
  Case small = make_case(task.task, task.task.hidden.front(), task.task.distributions.front());
  Case timed = make_case(task.task, backend.timed.front(), task.task.distributions.front());
  auto left = [&](int number, const Case& c) {
    std::string file =
        caches.folder() + "/" + std::to_string(number) + "_" + std::to_string(c.dims.back().second);
    return access(file.c_str(), F_OK) == 0;
  };
  REQUIRE(small.dims.back().second != timed.dims.back().second);

  caches.start(3);
  caches.fill(std::span(products).first(3), small, [] { return false; });
  for (int i : {0, 1, 2}) CHECK_MESSAGE(left(i, small), i);
  caches.fill(std::span(products).subspan(3), timed,
              [] { return false; });  // by workers that lost their process too
  for (int i : {3, 4, 5}) CHECK_MESSAGE(left(i, timed), i);

  products = {builder.candidate(task.task, leaving(7, "pass")).path};
  caches.fill(products, small, [] { return true; });
  CHECK_FALSE(left(7, small));
}
