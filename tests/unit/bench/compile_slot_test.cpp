#include "bench/harness/compile_slot.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "scratch.h"

using namespace explog;
using namespace explog::bench;

TEST_CASE("no more compilers work at once than there are slots") {
  Scratch scratch;
  std::atomic<int> at_work = 0, most = 0, done = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        auto slot = take_compile_slot(scratch / "slots", 2);
        int now = ++at_work;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        --at_work;
        done += slot ? 1 : 0;
      });
    }
  }
  CHECK(done == 6);
  CHECK(most <= 2);
}

TEST_CASE("where no lock can be kept, nobody is kept from compiling") {
  CHECK(take_compile_slot("/proc/no/such/folder", 1) == nullptr);
  CHECK(compile_slots() >= 1);
}
