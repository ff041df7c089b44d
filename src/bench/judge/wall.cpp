#include "bench/judge/wall.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "bench/judge/effect.h"
#include "bench/judge/shape_verdict.h"

namespace explog::bench {
namespace {

using Samples = std::vector<double>;

constexpr double hidden_by_noise =
    0.1;  // a larger part of the baseline's time must show by the supervisor's clock

double middle(const Samples& ms) { return median(ms); }
double mean(const Samples& ms) {
  return std::accumulate(ms.begin(), ms.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(ms.size(), 1));
}

// What a call of the candidate's saves in each block, in milliseconds.
std::vector<double> savings(const std::vector<BlockSamples>& blocks, Samples PassResult::*clock,
                            double (*of)(const Samples&)) {
  std::vector<double> result;
  for (const BlockSamples& block : blocks) {
    auto time = [&](Arm arm) { return of(of_arm(block.passes, arm).*clock); };
    result.push_back((time(Arm::baseline) + time(Arm::baseline_again)) / 2 - time(Arm::candidate));
  }
  return result;
}

double baseline_time(const std::vector<BlockSamples>& blocks) {
  Samples all;
  for (const BlockSamples& block : blocks)
    all.push_back(middle(of_arm(block.passes, Arm::baseline).event_ms));
  return median(all);
}

// The mean without the slowest twentieth: what else runs on the machine disturbs few calls, and a cheat that makes up for
// the others in so few is seen by their own length.
double mean_of_most(Samples ms) {
  std::sort(ms.begin(), ms.end());
  ms.resize(ms.size() - ms.size() / 20);
  return mean(ms);
}

// What a call saves, over the calls of all blocks together: a block may have too few to hold one that makes up for them.
double saved_over_all(const std::vector<BlockSamples>& blocks) {
  std::array<Samples, 3> all;  // by Arm
  for (const BlockSamples& block : blocks) {
    for (Arm arm : all_arms) {
      const Samples& ms = of_arm(block.passes, arm).event_ms;
      of_arm(all, arm).insert(of_arm(all, arm).end(), ms.begin(), ms.end());
    }
  }
  double baseline =
      (mean_of_most(of_arm(all, Arm::baseline)) + mean_of_most(of_arm(all, Arm::baseline_again))) / 2;
  return baseline - mean_of_most(of_arm(all, Arm::candidate));
}

// What is seen beyond half of what is claimed.
std::vector<double> beyond_half(const std::vector<double>& seen, const std::vector<double>& claimed) {
  std::vector<double> result;
  for (std::size_t i = 0; i < seen.size(); ++i) result.push_back(seen[i] - claimed[i] / 2);
  return result;
}

// Of a gain, where baseline and candidate do not meet.
double least_seen(const ClaimedGain& claimed) {
  constexpr double of_large = 0.25, of_small = 0.5, between_processes = 0.03;
  return claimed.saved_ms -
         std::max(of_large * claimed.saved_ms,
                  std::min(of_small * claimed.saved_ms, between_processes * claimed.baseline_ms));
}

bool certainly_negative(const std::vector<double>& values) {
  auto interval = median_interval(values, level);
  return interval && interval->hi < 0;
}

}  // namespace

std::optional<Fault> speaks_against(const std::string& shape, const std::vector<BlockSamples>& blocks,
                                    bool waited_for) {
  std::vector<double> claimed = savings(blocks, &PassResult::event_ms, middle);
  double claim = median(claimed);
  if (!(claim > 0)) return std::nullopt;
  std::vector<double> on_average = savings(blocks, &PassResult::event_ms, mean);
  double over_all = saved_over_all(blocks);
  // Two equal kernels differ by a few thousandths in the median and by others on average: that is no gain to doubt.
  bool counts = claim >= least_gain * baseline_time(blocks);
  if (counts && (certainly_negative(beyond_half(on_average, claimed)) || over_all < claim / 2))
    return Fault{
        "unconfirmed",
        fmt::format("{}: most calls save {:.4f} ms, but on average a call saves {:.4f} ms: some make up for "
                    "the others",
                    shape, claim, std::min(over_all, median(on_average)))};
  if (!waited_for) return std::nullopt;
  std::vector<double> seen = savings(blocks, &PassResult::call_wall_ms, middle);
  std::vector<double> seen_on_average = savings(blocks, &PassResult::call_wall_ms, mean);
  std::string text =
      fmt::format("{}: by this process's clock a call saves {:.4f} ms, by the runner's {:.4f} ms", shape,
                  std::min(median(seen), median(seen_on_average)), claim);
  if (certainly_negative(beyond_half(seen, claimed)) ||
      certainly_negative(beyond_half(seen_on_average, claimed)))
    return Fault{"forged", text, true};
  // Where this clock's own noise leaves room for all of a small claim, it says nothing against it. A large one is seen
  // through the noise, or there is no verdict.
  auto interval = median_interval(beyond_half(seen, claimed), level);
  bool leaves_room = interval && interval->hi >= claim / 2 && claim < hidden_by_noise * baseline_time(blocks);
  if (median(beyond_half(seen, claimed)) < 0 && !leaves_room) return Fault{"unconfirmed", text};
  return std::nullopt;
}

ClaimedGain claimed_by(const ShapeRun& run) {
  std::vector<double> baseline, saved;
  for (const Block& b : run.blocks) {
    auto time = [&](Arm arm) { return median(of_arm(b.passes, arm).ms); };
    baseline.push_back((time(Arm::baseline) + time(Arm::baseline_again)) / 2);
    saved.push_back(baseline.back() - time(Arm::candidate));
  }
  return {median(baseline), median(saved)};
}

bool is_small(const ClaimedGain& claimed) { return claimed.saved_ms < hidden_by_noise * claimed.baseline_ms; }

double own_ms(double wall_ms, double waited_ms, double worked_ms) {
  return std::min(wall_ms, std::max(worked_ms, wall_ms - waited_ms));
}

Seen seen_apart(const ClaimedGain& claimed, const SavedApart& saved) {
  auto by_clock = median_interval(saved.own_ms, level), by_work = median_interval(saved.worked_ms, level);
  double least = least_seen(claimed);
  auto shows = [&](const auto& interval) { return interval && interval->lo > least; };
  auto lacks = [&](const auto& interval) { return interval && interval->hi < least; };
  if (shows(by_clock) || (is_small(claimed) && shows(by_work))) return Seen::yes;
  return lacks(by_clock) && (!is_small(claimed) || lacks(by_work)) ? Seen::no : Seen::open;
}

bool may_be_there(const ClaimedGain& claimed, const SavedApart& saved) {
  auto shows = [&](const Samples& ms) {
    auto interval = median_interval(ms, level);
    return interval && interval->lo > 0 && median(ms) >= least_seen(claimed);
  };
  return shows(saved.own_ms) || (is_small(claimed) && shows(saved.worked_ms));
}

const Samples& told_apart(const ClaimedGain& claimed, const SavedApart& saved) {
  bool by_work = is_small(claimed) && median(saved.worked_ms) > median(saved.own_ms);
  return by_work ? saved.worked_ms : saved.own_ms;
}

Fault unseen_apart(const std::string& shape, const ClaimedGain& claimed, const SavedApart& saved) {
  return {
      "unconfirmed",
      fmt::format("{}: baseline slower beside the candidate than without it: there a call of the candidate's "
                  "saves {:.4f} ms, against a baseline in a process of its own {:.4f} ms",
                  shape, claimed.saved_ms, median(told_apart(claimed, saved)))};
}

std::optional<Fault> work_outside(const std::vector<BurstPair>& pairs, int calls, double call_ms) {
  auto unseen = [](const BurstPair& p) {
    return p[1].wall_ms - p[0].wall_ms - (p[1].device_ms - p[0].device_ms);
  };
  auto by_unseen = [&](const BurstPair& a, const BurstPair& b) { return unseen(a) < unseen(b); };
  auto least = std::min_element(pairs.begin(), pairs.end(), by_unseen);
  if (least == pairs.end()) return std::nullopt;
  double outside = unseen(*least) / calls;
  if (outside <= 0.5 * call_ms + 0.02) return std::nullopt;
  return Fault{"work_escaped",
               fmt::format("a call takes {:.4f} ms by this process's clock, {:.4f} ms by the runner's",
                           call_ms + outside, call_ms),
               true};
}

}  // namespace explog::bench
