#include "bench/judge/wall.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace explog;
using namespace explog::bench;

namespace {

// Blocks in which the runner says that a call takes `said` and the supervisor sees `seen`, each with a jitter that differs
// from block to block; the baseline takes 10 ms, and what surrounds a call another 5 ms.
std::vector<BlockSamples> blocks(std::vector<double> said, std::vector<double> seen, double jitter = 0.1,
                                 double seen_jitter = 0) {
  std::vector<BlockSamples> list;
  for (int i = 0; i < 24; ++i) {
    BlockSamples block;
    double noise = jitter * (i % 5 - 2), other = std::max(jitter, seen_jitter) * (i * 7 % 5 - 2);
    for (Arm arm : all_arms) {
      PassResult& pass = of_arm(block.passes, arm);
      bool candidate = arm == Arm::candidate;
      pass.event_ms = candidate ? said : std::vector<double>(said.size(), 10);
      pass.call_wall_ms = candidate ? seen : std::vector<double>(seen.size(), 15);
      for (double& ms : pass.event_ms) ms += candidate ? noise : 0;
      for (double& ms : pass.call_wall_ms) ms += candidate ? other : 0;
    }
    list.push_back(block);
  }
  return list;
}

std::string reason(const std::vector<BlockSamples>& list, bool waited_for = true) {
  auto fault = speaks_against("N=1", list, waited_for);
  return fault ? fault->reason : "";
}

}  // namespace

TEST_CASE("a gain that the supervisor's clock sees as well stands") {
  CHECK(reason(blocks({5, 5, 5}, {10, 10, 10})).empty());
  CHECK(reason(blocks({9.5, 9.5, 9.5}, {14.5, 14.5, 14.5})).empty());
  CHECK(reason(blocks({5, 5, 5}, {12, 12, 12})).empty());  // more than half of it
}

TEST_CASE("a gain that only the runner sees is forged") {
  CHECK(reason(blocks({5, 5, 5}, {15, 15, 15})) == "forged");
  CHECK(reason(blocks({5, 5, 5}, {13, 13, 13})) == "forged");  // less than half of it
  CHECK(speaks_against("N=1", blocks({5, 5, 5}, {15, 15, 15}), true)->cheat);
}

TEST_CASE("a gain that the supervisor's noise leaves room for stands: its clock cannot see so little") {
  CHECK(reason(blocks({9.9, 9.9, 9.9}, {15, 15, 15}, 0.3)).empty());
}

TEST_CASE("noise is no way for most of the time to go unseen") {
  CHECK(reason(blocks({0.1, 0.1, 0.1}, {15, 15, 15}, 0.1, 12)) == "unconfirmed");
  CHECK(reason(blocks({8.9, 8.9, 8.9}, {15, 15, 15}, 0.1, 3)) == "unconfirmed");
}

TEST_CASE("the supervisor's mean shows what a median hides") {
  CHECK(reason(blocks({5, 5, 5, 5, 5}, {10, 10, 10, 10, 40})) == "forged");
}

TEST_CASE("calls that make up for the fast ones, by the runner's own clock") {
  CHECK(reason(blocks({5, 5, 5, 5, 40}, {10, 10, 10, 10, 45})) == "unconfirmed");
  CHECK(reason(blocks({5, 5, 5, 5, 40}, {10, 10, 10, 10, 45}), false) == "unconfirmed");
}

TEST_CASE("calls that make up for the others show although no block need hold one") {
  auto list = blocks({5, 5, 5}, {10, 10, 10});
  for (std::size_t i = 0; i < list.size(); i += 3) {
    of_arm(list[i].passes, Arm::candidate).event_ms.back() = 80;
    of_arm(list[i].passes, Arm::candidate).call_wall_ms.back() = 85;
  }
  CHECK(reason(list) == "unconfirmed");
}

TEST_CASE("less than any keep needs is not held against the average: equal kernels differ by as much") {
  CHECK(reason(blocks({9.97, 9.97, 9.97, 9.97, 10.12}, {15, 15, 15, 15, 15}, 0.01), false).empty());
  CHECK(reason(blocks({9.7, 9.7, 9.7, 9.7, 11.2}, {15, 15, 15, 15, 15}, 0.01), false) == "unconfirmed");
}

TEST_CASE("a few slow calls among many are the machine's") {
  auto list = blocks(std::vector<double>(20, 5), std::vector<double>(20, 10));
  for (std::size_t i = 0; i < list.size(); i += 4)
    of_arm(list[i].passes, Arm::candidate).event_ms.back() = 900;
  CHECK(reason(list).empty());
}

TEST_CASE("no gain, and calls that are not waited for, need no confirmation") {
  CHECK(reason(blocks({10, 10, 10}, {15, 15, 15}, 0)).empty());
  CHECK(reason(blocks({12, 12, 12}, {10, 10, 10})).empty());
  CHECK(reason(blocks({5, 5, 5}, {15, 15, 15}), false).empty());
}

TEST_CASE("a gain must be seen where the baseline is in a process of its own") {
  auto around = [](double saved, double noise = 0.01) {
    std::vector<double> list;
    for (int i = 0; i < 24; ++i) list.push_back(saved + noise * (i * 7 % 24 - 12));
    return list;
  };
  auto turns = [&](double saved) { return SavedApart{around(saved, 0.002), around(saved, 0.002)}; };
  const ClaimedGain large{10, 6}, little{10, 0.5};
  CHECK_FALSE(is_small(large));
  CHECK(is_small(little));
  CHECK(seen_apart(large, turns(6)) == Seen::yes);
  CHECK(seen_apart(large, turns(4.7)) == Seen::yes);
  CHECK(seen_apart(large, turns(4.4)) == Seen::no);
  CHECK(seen_apart(large, turns(-1)) == Seen::no);
  CHECK(seen_apart(little, turns(0.3)) == Seen::yes);
  CHECK(seen_apart(little, turns(0.2)) == Seen::no);
  CHECK(seen_apart({10, 1.8}, turns(0)) == Seen::no);  // a baseline that is 18% slower beside it
  CHECK(seen_apart(little, turns(0.25)) == Seen::open);
  CHECK(seen_apart(little, {{0.5, 0.5}, {0.5, 0.5}}) == Seen::open);
  // Threads that share the work save none of it; and where the clock is noisy, the work tells.
  CHECK(seen_apart(little, {around(0.5), around(-0.5)}) == Seen::yes);
  SavedApart noisy{around(0.2, 0.1), around(0.5)};
  CHECK(seen_apart(little, noisy) == Seen::yes);
  CHECK(median(told_apart(little, noisy)) == doctest::Approx(0.495));
  CHECK(seen_apart({10, 1.2}, noisy) == Seen::no);
  noisy.worked_ms = around(0);
  CHECK(seen_apart(little, noisy) == Seen::open);
  CHECK_FALSE(may_be_there(little, noisy));  // the clock's noise alone
  CHECK(may_be_there(little, turns(0.26)));
  CHECK_FALSE(may_be_there(little, turns(0.24)));
  CHECK(may_be_there(little, {around(0.2, 0.1), around(0.26, 0.02)}));
  CHECK(own_ms(10, 4, 6) == doctest::Approx(6));    // something else had its processor
  CHECK(own_ms(10, 4, 9) == doctest::Approx(9));    // a thread of its own
  CHECK(own_ms(10, 0, 2) == doctest::Approx(10));   // it slept
  CHECK(own_ms(10, 1, 38) == doctest::Approx(10));  // four threads at work
  Fault fault = unseen_apart("N=1", large, turns(0));
  CHECK(fault.reason == "unconfirmed");
  CHECK(fault.detail.find("N=1: baseline slower beside the candidate than without it: there") == 0);
}

TEST_CASE("work that the runner's clock does not see is found, and a processor that others use is none") {
  auto pairs = [](double outside, double waited) {
    std::vector<BurstPair> list;
    for (double share : {1.0, 0.8, 1.3}) {  // of 40 calls, and of 80; 3 ms surround a burst
      double one = 40 * (0.5 + waited * share), two = 80 * (0.5 + waited * share);
      list.push_back({BurstResult{one, one + 3 + 40 * outside}, BurstResult{two, two + 3 + 80 * outside}});
    }
    return list;
  };
  CHECK_FALSE(work_outside(pairs(0, 0), 40, 0.5));
  CHECK_FALSE(work_outside(pairs(0, 0.5), 40, 0.5));  // each burst takes twice as long
  CHECK_FALSE(work_outside(pairs(0.2, 0), 40, 0.5));
  auto fault = work_outside(pairs(0.3, 0), 40, 0.5);
  REQUIRE(fault);
  CHECK(fault->reason == "work_escaped");
  CHECK(fault->cheat);
  CHECK(work_outside(pairs(0.3, 0.5), 40, 0.5));
  auto once = pairs(0.3, 0);
  once[1] = pairs(0, 0)[1];  // one pair without it: what disturbed the others
  CHECK_FALSE(work_outside(once, 40, 0.5));
}
