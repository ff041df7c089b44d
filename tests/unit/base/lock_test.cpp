#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "scratch.h"

using namespace explog;

TEST_CASE("a lock that goes leaves no file, one that stays does, and neither is had twice") {
  Scratch scratch;
  for (auto after : {FileLock::File::stays, FileLock::File::goes}) {
    std::string path = scratch / "a.lock";
    {
      FileLock lock(path, 0, after);
      CHECK_THROWS_AS(FileLock(path, 1, after), Error);
    }
    CHECK(std::filesystem::exists(path) == (after == FileLock::File::stays));
  }
}

TEST_CASE("who waited for a lock whose file is gone holds the new one") {
  Scratch scratch;
  std::string path = scratch / "a.lock";
  std::optional<FileLock> first(std::in_place, path, 0, FileLock::File::goes);
  std::atomic<bool> held = false, enough = false;
  std::thread waiter([&] {
    FileLock second(path, 10'000, FileLock::File::goes);
    held = true;
    while (!enough) std::this_thread::yield();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(held);
  first.reset();
  while (!held) std::this_thread::yield();
  CHECK_THROWS_AS(FileLock(path, 1, FileLock::File::goes), Error);
  enough = true;
  waiter.join();
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("many threads never hold a lock that goes at the same time") {
  Scratch scratch;
  std::string path = scratch / "a.lock";
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        FileLock lock(path, 60'000, FileLock::File::goes);
        most = std::max<int>(most, ++inside);
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 1);
}
