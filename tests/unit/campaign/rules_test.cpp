// A campaign's state and end, from events that are written out.
#include <doctest/doctest.h>

#include "campaign/rules.h"

using namespace explog;
using namespace explog::campaign;

namespace {

Judged verdict(int version, const char* word, const char* reason, double lo = 0.999, double hi = 1.001) {
  Judged j;
  j.version = version, j.verdict = word, j.reason = reason;
  j.ms = 1, j.faster = {(lo + hi) / 2, lo, hi}, j.than_baseline = j.faster;
  return j;
}

// Events as a campaign of `contract` writes them, what follows by itself included.
struct Run {
  Contract contract;
  std::vector<Event> events;

  State state() const { return state_of(events); }
  void put(Happening what) {
    events.push_back({static_cast<int>(events.size()), "2026-01-02T03:04:05Z", std::move(what)});
    while (auto next = due(contract, state())) events.push_back({static_cast<int>(events.size()), "", *next});
  }
  void judged(const Judged& j) {
    Proposed p;
    p.version = j.version, p.source = "hash" + std::to_string(j.version), p.strategy = "unroll:up";
    put(p), put(Judging{j.version, 1}), put(j);
  }
  std::string rule() const { return state().stop ? state().stop->rule : ""; }
};

Run begun() {
  Run run;
  run.judged(verdict(0, "revert", "no_change"));
  return run;
}

}  // namespace

TEST_CASE("the baseline is kept when it is right, and asked for no gain") {
  Run run = begun();
  CHECK(run.state().phase == Phase::asking);
  CHECK(run.state().champion == 0);
  CHECK(run.state().next_version() == 1);
}

TEST_CASE("a baseline that is wrong, crashes or is not known well enough blocks the campaign") {
  Run wrong;
  Judged j = verdict(0, "revert", "wrong_values");
  j.correct = false;
  j.detail = "[0] is 1, not 2";
  wrong.judged(j);
  CHECK(wrong.rule() == "baseline_broken");
  CHECK(wrong.state().stop->sentence == "the baseline will not do: wrong_values: [0] is 1, not 2");
  CHECK(wrong.state().phase == Phase::blocked);
  Run noisy;
  noisy.judged(verdict(0, "inconclusive", "noise", 0.98, 1.02));
  CHECK(noisy.rule() == "baseline_noisy");
  Run untimed;
  untimed.judged(verdict(0, "inconclusive", "too_few_blocks", 0, 0));
  CHECK(untimed.rule() == "baseline_noisy");
  Run lenient;
  lenient.contract.limits.noise = 1;
  lenient.judged(verdict(0, "inconclusive", "too_few_blocks", 0, 0));
  CHECK(lenient.state().phase == Phase::asking);
  Run crashed;
  crashed.judged(verdict(0, "crash", "launch_error"));
  CHECK(crashed.rule() == "baseline_broken");
}

TEST_CASE("what is kept is the next champion; versions in a row without gain end it") {
  Run run = begun();
  run.judged(verdict(1, "keep", "faster", 1.4, 1.5));
  CHECK(run.state().champion == 1);
  run.judged(verdict(2, "revert", "no_change"));
  CHECK(run.rule().empty());
  CHECK(run.state().champion == 1);
  run.judged(verdict(3, "crash", "compile_error"));
  CHECK(run.rule() == "no_gain");
  CHECK(run.state().phase == Phase::finished);
  CHECK(run.state().stop->champion == 1);
}

TEST_CASE("a version that the machine left no time of is neither a gain nor none") {
  Run run = begun();
  run.judged(verdict(1, "revert", "no_change"));
  for (int v = 2; v <= 4; ++v) run.judged(verdict(v, "inconclusive", "machine_busy", 0, 0));
  CHECK(run.rule().empty());
  run.judged(verdict(5, "inconclusive", "undecided", 0.98, 1.03));
  CHECK(run.rule() == "no_gain");
}

TEST_CASE("the end says what may be done, and of what ended by itself not that it can be resumed") {
  CHECK(after_the_end({"stopped", "", 1}).find("resume") != std::string::npos);
  for (const char* rule : {"baseline_broken", "baseline_noisy", "no_gain", "max_versions"})
    CHECK(after_the_end({rule, "", 0}).find("resume") == std::string::npos);
  CHECK(after_the_end({"max_versions", "", 3}).find("campaign apply v3`") != std::string::npos);
  CHECK(after_the_end({"no_gain", "", 0}).find("--rules explore") != std::string::npos);
}

TEST_CASE("explore goes on without gain, to as many versions as agreed") {
  Run run = begun();
  run.contract.rules = Rules::explore;
  run.contract.limits.max_versions = 4;
  for (int v = 1; v <= 3; ++v) run.judged(verdict(v, "revert", "no_change"));
  CHECK(run.rule().empty());
  run.judged(verdict(4, "revert", "no_change"));
  CHECK(run.rule() == "max_versions");
}

TEST_CASE("a certain gain below the threshold: seed keeps it and ends, strict reverts it") {
  Run seed = begun();
  seed.judged(verdict(1, "revert", "below_threshold", 1.005, 1.009));
  CHECK(seed.state().champion == 1);
  CHECK(seed.rule() == "small_gain");
  Run strict = begun();
  strict.contract.rules = Rules::strict;
  strict.judged(verdict(1, "revert", "below_threshold", 1.005, 1.009));
  CHECK(strict.state().champion == 0);
  CHECK(strict.rule().empty());
}

TEST_CASE("the roof and the budget end it") {
  Run run = begun();
  Judged j = verdict(1, "keep", "faster", 1.4, 1.5);
  j.shapes.push_back({"N=1", 1, 0.5, {2, 1.9, 2.1}, 0.96, "faster"});
  run.judged(j);
  CHECK(run.rule() == "at_the_roof");
  Run exploring = begun();
  exploring.contract.rules = Rules::explore;
  exploring.contract.limits.no_gain = 2;
  exploring.judged(j);
  CHECK(exploring.rule().empty());
  exploring.judged(verdict(2, "revert", "no_change"));
  CHECK(exploring.rule().empty());
  exploring.judged(verdict(3, "revert", "no_change"));
  CHECK(exploring.rule() == "at_the_roof");
  Run budget = begun();
  budget.contract.limits.budget_s = 10;
  j = verdict(1, "revert", "no_change");
  j.wall_s = 11;
  budget.judged(j);
  CHECK(budget.rule() == "budget");
}

TEST_CASE("an interrupted version counts as none, and its number is given again") {
  Run run = begun();
  Proposed p;
  p.version = 1, p.source = "one";
  run.put(p), run.put(Judging{1, 1});
  CHECK(run.state().phase == Phase::judging);
  run.put(Interrupted{1, "killed"});
  CHECK(run.state().phase == Phase::asking);
  CHECK(run.state().next_version() == 1);
  CHECK(run.state().of_source("one") == nullptr);
  run.judged(verdict(1, "keep", "faster", 1.4, 1.5));
  CHECK(run.state().champion == 1);
}

TEST_CASE("a verdict that could not be reached is no answer to the same source or machine code") {
  Run run = begun();
  Proposed p;
  p.version = 1, p.source = "one", p.code = "code";
  run.put(p), run.put(Judging{1, 1}), run.put(verdict(1, "inconclusive", "noise", 0.98, 1.02));
  CHECK(run.state().next_version() == 2);
  CHECK(run.state().of_source("one") == nullptr);
  CHECK(run.state().of_code("code") == nullptr);
  CHECK(run.state().was_judged("one"));
  CHECK_FALSE(run.state().was_judged("two"));
  p.version = 2;
  run.put(p), run.put(Judging{2, 1}), run.put(verdict(2, "revert", "no_change"));
  REQUIRE(run.state().of_source("one") != nullptr);
  CHECK(run.state().of_source("one")->proposal.version == 2);
}

TEST_CASE("what was stopped by somebody goes on after a new start") {
  Run run = begun();
  run.put(Stopped{"stopped", "lunch", 0});
  CHECK(run.state().phase == Phase::finished);
  run.put(Started{"0.1.0", true});
  CHECK(run.state().phase == Phase::asking);
}

TEST_CASE("what failed on an earlier version is open again, until it is tried on the best one") {
  Run run = begun();
  run.contract.rules = Rules::explore;
  auto judged = [&](int version, const char* strategy, int parent, const char* word) {
    Proposed p;
    p.version = version, p.strategy = strategy, p.parent = parent;
    run.put(p), run.put(Judging{version, 1}), run.put(verdict(version, word, "x"));
  };
  judged(1, "loop_unroll", 0, "revert");
  judged(2, "fast_math", 0, "crash");
  CHECK(run.state().open_again().empty());  // both failed on what is the best
  judged(3, "smem_tiling", 0, "keep");
  REQUIRE(run.state().open_again().size() == 1);
  CHECK(run.state().open_again().front()->proposal.version == 1);
  judged(4, "loop_unroll", 3, "revert");
  CHECK(run.state().open_again().empty());
}

TEST_CASE("what nobody knows the bound of, twice running, is somebody's to look at") {
  auto counted = [](int version, const char* bound) {
    Judged j = verdict(version, "keep", "faster", 1.1, 1.2);
    j.profile = {"explog (CUPTI)", "kernel", {}, bound};
    return j;
  };
  Run run = begun();
  run.judged(counted(1, "unknown"));
  run.judged(counted(2, "memory"));
  run.judged(counted(3, "unknown"));
  CHECK(run.rule() == "");
  run.judged(verdict(4, "keep", "faster", 1.1, 1.2));  // without counters nothing is known to be unknown
  run.judged(counted(5, "unknown"));
  CHECK(run.rule() == "");
  run.judged(counted(6, "unknown"));
  CHECK(run.rule() == "escalate");
  CHECK(run.state().champion == 6);
  CHECK(after_the_end(*run.state().stop).find("show v6") != std::string::npos);
  Run explores;
  explores.contract.rules = Rules::explore;
  explores.judged(verdict(0, "revert", "no_change"));
  explores.judged(counted(1, "unknown"));
  explores.judged(counted(2, "unknown"));
  CHECK(explores.rule() == "");
}
