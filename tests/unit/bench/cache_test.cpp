#include "bench/harness/cache.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "scratch.h"

namespace fs = std::filesystem;

TEST_CASE("folders of builds that were ended go after a day, those of builds that run stay") {
  Scratch cache;
  for (const char* name : {"build-old", "build-new", "plans"}) {
    fs::create_directories(cache / name);
    std::ofstream(cache / name + "/half.o") << "half";
  }
  fs::file_time_type before = fs::file_time_type::clock::now() - std::chrono::hours(25);
  for (const char* name : {"build-old", "plans"}) fs::last_write_time(cache / name, before);

  explog::bench::prune_cache(cache / ".");
  CHECK_FALSE(fs::exists(cache / "build-old"));
  CHECK(fs::exists(cache / "build-new/half.o"));
  CHECK(fs::exists(cache / "plans/half.o"));
}
