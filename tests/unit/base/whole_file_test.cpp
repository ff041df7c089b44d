#include "base/whole_file.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/error.h"
#include "scratch.h"

using namespace explog;

TEST_CASE("of many who make a file once, one does") {
  Scratch scratch;
  for (int round = 0; round < 20; ++round) {
    std::string path = scratch / ("claim-" + std::to_string(round));
    std::atomic<int> made = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 8; ++i)
        threads.emplace_back([&, i] { made += put_once(path, "worker " + std::to_string(i)) ? 1 : 0; });
    }
    CHECK(made == 1);
    CHECK(look_into(path)->starts_with("worker "));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(scratch / ""), {}) == 20);  // no drafts are left
}

TEST_CASE("a folder that is away can be tried again") {
  Scratch scratch;
  std::string path = scratch / "gone/beat";
  CHECK_THROWS_AS(put_over(path, "1"), Error);
  CHECK_THROWS_AS(put_once(path, "1"), Error);
  CHECK(!look_into(path));
  std::filesystem::create_directory(scratch / "gone");
  put_over(path, "1");
  put_over(path, "2");
  CHECK(look_into(path) == "2");
  CHECK(!put_once(path, "3"));
}
