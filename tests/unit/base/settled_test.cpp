#include "base/settled.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace explog;
using std::chrono::milliseconds;

TEST_CASE("a figure that moves for some milliseconds is waited for") {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto moves_for = [&](milliseconds time) {
    return [=] { return std::min<Clock::duration>(Clock::now() - start, time); };
  };
  CHECK(settled(moves_for(milliseconds(12)), milliseconds(10'000)) == milliseconds(12));
  CHECK(settled(moves_for(milliseconds(60'000)), milliseconds(30)) < milliseconds(60'000));
}

TEST_CASE("a figure at rest is read twice") {
  int reads = 0;
  CHECK(settled([&] { return ++reads, 7; }, milliseconds(0)) == 7);
  CHECK(reads == 2);
}
