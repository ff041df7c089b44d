#include "app/calibrate/turns.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

namespace {

using explog::app::Turn;
using explog::app::Turns;

TEST_CASE("work gets ready side by side and is done one after the other, in order") {
  constexpr std::size_t all = 4;
  Turns turns(all);
  std::atomic<int> getting_ready = all, inside = 0;
  std::vector<std::size_t> order;
  std::vector<int> seen_busy, seen_inside;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = all; i-- > 0;)
      threads.emplace_back([&, i] {
        Turn turn(turns, i);
        std::this_thread::sleep_for(std::chrono::milliseconds(5 * i));
        --getting_ready;
        if (i == 1) return;  // it failed, and wants no turn
        turn.wait();
        turn.wait();  // has it already
        seen_busy.push_back(getting_ready);
        seen_inside.push_back(++inside);
        order.push_back(i);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --inside;
      });
  }
  CHECK(order == std::vector<std::size_t>{0, 2, 3});
  CHECK(seen_busy == std::vector<int>{0, 0, 0});
  CHECK(seen_inside == std::vector<int>{1, 1, 1});
}

TEST_CASE("a turn that was ended lets the next begin, whatever is still done") {
  Turns turns(2);
  Turn first(turns, 0);
  std::jthread second([&] { Turn(turns, 1).wait(); });
  first.wait();
  first.end();
  turns.wait_for_all();  // though the first is still there
  first.end();           // as often as one likes
}

TEST_CASE("one alone has its turn at once") {
  Turns turns(1);
  Turn turn(turns, 0);
  turn.wait();
  CHECK(turn.alone());
}

}  // namespace
