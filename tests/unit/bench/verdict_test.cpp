#include "bench/judge/verdict.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bench/judge/speed_of_light.h"

using namespace explog;
using bench::Decision;
using bench::ShapeStatus;
using bench::Verdict;

namespace {

// Noise of one pass, in ln of its time.
struct Noise {
  double sigma = 0.01;  // of a block's log-ratio
  double rho = 0;       // AR(1) from block to block
  double heavy = 0;     // share of passes with ten times the noise
};

// A device that times kernels with noise from a fixed stream. Sums of 12 uniforms: unlike
// std::normal_distribution, the same on every platform.
class SimulatedDevice {
 public:
  SimulatedDevice(Noise noise, std::uint64_t seed) : noise_(noise), random_(seed) {
    for (double& state : states_) state = normal();
  }

  // `gain`: part of the baseline's time that the candidate saves.
  Block block(double gain) {
    Block block;
    for (std::size_t arm = 0; arm < 3; ++arm) {
      double ln = noise_.sigma / std::sqrt(1.5) * next(arm) + (arm == 1 ? std::log1p(-gain) : 0);
      block.passes[arm].ms = {0.5 * std::exp(ln)};
    }
    return block;
  }

  // One shape by the real stopping rule.
  ShapeRun shape(double gain, std::int64_t n = 4096, const bench::Narrow& narrow = bench::to_report) {
    ShapeRun run;
    run.dims = {{"N", n}};
    run.stop = "blocks";
    while (bench::may_continue(run.blocks.size())) {
      run.blocks.push_back(block(gain));
      if (!bench::precise_enough(run, narrow)) continue;
      run.stop = "precision";
      break;
    }
    return run;
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
  double next(std::size_t arm) {
    states_[arm] = noise_.rho * states_[arm] + std::sqrt(1 - noise_.rho * noise_.rho) * normal();
    return states_[arm] * (uniform() < noise_.heavy ? 10 : 1);
  }

  Noise noise_;
  std::mt19937_64 random_;
  std::array<double, 3> states_{};
};

Measurement measured(std::vector<ShapeRun> shapes) {
  Measurement m;
  m.correctness = "pass";
  m.runs = {{std::move(shapes)}};
  return m;
}

struct Counts {
  int runs = 0, keep = 0, excludes_zero = 0;
};

Counts simulate(Noise noise, double gain, int runs, const bench::Narrow& narrow = bench::to_report) {
  Counts counts;
  SimulatedDevice device(noise, 20);
  for (counts.runs = 0; counts.runs < runs; ++counts.runs) {
    Verdict v = bench::judge(measured({device.shape(gain, 4096, narrow)}));
    counts.keep += v.verdict == Decision::keep;
    counts.excludes_zero += v.gain_lo > 0 || v.gain_hi < 0;
  }
  return counts;
}

Verdict verdict(double gain, Noise noise = {0.003}) {
  return bench::judge(measured({SimulatedDevice(noise, 1).shape(gain)}));
}

void set_clocks(ShapeRun& run, double baseline, double candidate) {
  for (Block& block : run.blocks) {
    for (std::size_t arm = 0; arm < 3; ++arm) block.passes[arm].sm_mhz = arm == 1 ? candidate : baseline;
  }
}

void discard(ShapeRun& run, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) run.blocks[i].discarded = "throttled";
}

}  // namespace

TEST_CASE("what is told of a gain is no more than was seen with both in processes of their own") {
  ShapeRun run = SimulatedDevice({0.003}, 1).shape(0.3);
  Verdict beside = bench::judge(measured({run}));
  run.apart_saved_ms = {0.18, 0.18, 0.18};  // of 0.5 ms
  CHECK(bench::judge(measured({run})).gain == beside.gain);
  run.apart_saved_ms = {0.1, 0.12, 0.1};
  Verdict v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::keep);
  CHECK(v.gain == doctest::Approx(0.2).epsilon(0.01));
  CHECK(v.gain_lo == v.gain);
  CHECK(v.gain_hi == beside.gain_hi);
  CHECK(v.detail.find("1.25") == 0);
  CHECK(v.shapes[0].speedup == doctest::Approx(1.25).epsilon(0.01));
  CHECK(v.shapes[0].lo == v.shapes[0].speedup);
  CHECK(v.shapes[0].candidate_ms * v.shapes[0].speedup == doctest::Approx(v.shapes[0].baseline_ms));
  run.apart_saved_ms = {0.015};
  CHECK(bench::judge(measured({run})).reason == "slightly_faster");
}

TEST_CASE("two equal kernels: the interval seldom excludes 0, and nothing is ever kept") {
  for (Noise noise : {Noise{0.003}, Noise{0.01}}) {
    Counts c = simulate(noise, 0, 1000);
    CHECK(c.excludes_zero <= 0.02 * c.runs);
    CHECK(c.keep == 0);
  }
}

TEST_CASE("two equal kernels whose blocks resemble the block before (AR(1), rho 0.5)") {
  Counts c = simulate({0.01, 0.5}, 0, 1000);
  CHECK(c.excludes_zero <= 0.02 * c.runs);
  CHECK(c.keep == 0);
}

TEST_CASE("two equal kernels with heavy-tailed noise") {
  Counts c = simulate({0.01, 0, 0.05}, 0, 1000);
  CHECK(c.excludes_zero <= 0.02 * c.runs);
  CHECK(c.keep == 0);
}

TEST_CASE("two equal kernels with heavy-tailed noise whose blocks resemble the block before") {
  Counts c = simulate({0.01, 0.5, 0.05}, 0, 1000);
  CHECK(c.excludes_zero <= 0.02 * c.runs);
  CHECK(c.keep == 0);
}

TEST_CASE("a gain of 5% is found, a loss of 5% never kept") {
  Counts gain = simulate({0.01}, 0.05, 1000);
  CHECK(gain.keep >= 0.95 * gain.runs);
  for (Noise noise : {Noise{0.01}, Noise{0.05, 0.5, 0.05}}) CHECK(simulate(noise, -0.05, 500).keep == 0);
}

TEST_CASE("measuring stops on precision at the looks only, and after 153 blocks at the latest") {
  ShapeRun run = SimulatedDevice({0.0005}, 3).shape(0);
  CHECK(run.blocks.size() == 20);
  run.blocks.push_back(run.blocks.back());
  CHECK_FALSE(bench::precise_enough(run));
  discard(run, 1);
  CHECK(bench::precise_enough(run));  // 20 blocks count again
  run = SimulatedDevice({0.05}, 3).shape(0);
  run.blocks.resize(20);
  CHECK_FALSE(bench::precise_enough(run));
  CHECK(bench::precise_enough(run, bench::to_report, 0.1));  // as much as somebody else wants to know
  CHECK(bench::may_continue(152));
  CHECK_FALSE(bench::may_continue(153));
  CHECK(SimulatedDevice({0.2}, 3).shape(0).blocks.size() == 153);
}

TEST_CASE("a first process ends early on a gain of 20%, and on no noise") {
  CHECK(SimulatedDevice({0.005}, 3).shape(0.2, 4096, bench::to_decide).blocks.size() == 10);
  CHECK(SimulatedDevice({0.005}, 3).shape(0.2).blocks.size() == 20);
  for (Noise noise : {Noise{0.003}, Noise{0.01, 0.5}, Noise{0.01, 0, 0.05}, Noise{0.05, 0.5, 0.05}}) {
    Counts c = simulate(noise, 0, 1000, bench::to_decide);
    CHECK(c.excludes_zero <= 0.02 * c.runs);
    CHECK(c.keep == 0);
  }
}

TEST_CASE("without an interval measuring goes on behind its time") {
  ShapeRun run = SimulatedDevice({0.0005}, 3).shape(0);
  CHECK_FALSE(bench::out_of_time(run, 1, 1, 45));
  CHECK(bench::out_of_time(run, 1.1, 1, 45));  // there is one
  for (std::size_t i = 0; i < 20; ++i) run.blocks[i].passes[1].ms = {i % 8 < 4 ? 0.5 : 0.51};
  CHECK(bench::judge(measured({run})).reason == "too_few_blocks");  // each resembles the one before
  CHECK_FALSE(bench::out_of_time(run, 10, 1));
  CHECK(bench::out_of_time(run, 10.1, 1));
  CHECK_FALSE(bench::out_of_time(run, 100, 1, 21));
  CHECK(bench::out_of_time(run, 100, 1, 20));
}

TEST_CASE("a large effect is looked at after 10 blocks, a small one and a noisy one are not believed then") {
  CHECK(SimulatedDevice({0.0005}, 3).shape(0.5).blocks.size() == bench::early_look);
  CHECK(SimulatedDevice({0.0005}, 3).shape(-0.6).blocks.size() == bench::early_look);
  CHECK(SimulatedDevice({0.0005}, 3).shape(0.3).blocks.size() == bench::early_look);  // 1.43x
  CHECK(SimulatedDevice({0.0005}, 3).shape(0.15).blocks.size() == 20);                // 1.18x
  CHECK(SimulatedDevice({0.2}, 3).shape(0.5).blocks.size() > 20);
}

TEST_CASE("effects are paired within a block, by medians of its passes") {
  ShapeRun run;
  Block block;
  block.passes[0].ms = {2, 2, 90};
  block.passes[1].ms = {1, 1, 1};
  block.passes[2].ms = {8};
  run.blocks = {block, block};
  run.blocks[1].discarded = "throttled";
  REQUIRE(bench::log_ratios(run).size() == 1);
  CHECK(bench::log_ratios(run)[0] == doctest::Approx(-std::log(4)));
  CHECK(bench::noise_ratios(run)[0] == doctest::Approx(std::log(4)));
}

TEST_CASE("gains are named by their size") {
  CHECK(verdict(0.10).verdict == Decision::keep);
  CHECK(verdict(0.10).reason == "faster");
  CHECK(verdict(0.03).verdict == Decision::keep);
  CHECK(verdict(0.03).reason == "slightly_faster");
  CHECK(verdict(0.01).verdict == Decision::revert);
  CHECK(verdict(0.01).reason == "below_threshold");
  CHECK(verdict(0.01).detail.find("only if it is simpler") != std::string::npos);
  CHECK(verdict(0).reason == "no_change");
  CHECK(verdict(-0.01).reason == "slower");
  CHECK(verdict(-0.01).verdict == Decision::revert);
  CHECK(verdict(-0.05).reason == "regression");
}

TEST_CASE("a keep says how much, how sure and on how many shapes") {
  SimulatedDevice device({0.0005}, 4);
  Verdict v = bench::judge(measured({device.shape(0.5), device.shape(0.5, 64)}));
  CHECK(v.verdict == Decision::keep);
  CHECK(v.detail.starts_with("2.000x faster (50.00% less time; 99% interval "));
  CHECK(v.detail.ends_with("x) on all 2 shapes"));
  CHECK(v.gain == doctest::Approx(0.5).epsilon(0.001));
  CHECK(v.gain_lo < v.gain);
  CHECK(v.gain < v.gain_hi);
  REQUIRE(v.shapes.size() == 2);
  CHECK(v.shapes[0].status == ShapeStatus::faster);
  CHECK(v.shapes[0].speedup == doctest::Approx(2).epsilon(0.001));
  CHECK(v.shapes[0].baseline_ms == doctest::Approx(0.5).epsilon(0.001));
  CHECK(v.shapes[0].candidate_ms == doctest::Approx(0.25).epsilon(0.001));
  CHECK(v.shapes[0].notes.empty());
}

TEST_CASE("a regression in one of two shapes reverts, whatever the other gains") {
  SimulatedDevice device({0.003}, 5);
  Verdict v = bench::judge(measured({device.shape(0.6), device.shape(-0.05, 64)}));
  CHECK(v.verdict == Decision::revert);
  CHECK(v.reason == "regression");
  CHECK(v.detail.rfind("N=64: ", 0) == 0);
  CHECK(v.detail.find("more time") != std::string::npos);
  CHECK(v.gain > 0.3);
}

TEST_CASE("shapes count by their weights") {
  SimulatedDevice device({0.0005}, 6);
  std::vector<ShapeRun> shapes = {device.shape(0), device.shape(0.1, 64)};
  CHECK(bench::judge(measured(shapes)).verdict == Decision::keep);
  shapes[0].weight = 15;  // what is gained seldom happens
  Verdict v = bench::judge(measured(shapes));
  CHECK(v.verdict == Decision::revert);
  CHECK(v.reason == "below_threshold");
  CHECK(v.detail.find(" over 2 shapes weighted 15:1: ") != std::string::npos);
  CHECK(v.gain == doctest::Approx(1 - std::pow(0.9, 1 / 16.0)).epsilon(0.1));
  CHECK(v.shapes[0].weight == 15);
  shapes[1].weight = 15;
  CHECK(bench::judge(measured(shapes)).detail.ends_with("over 2 shapes"));
}

TEST_CASE("a shape that may lose more than 2% leaves the verdict open") {
  SimulatedDevice quiet({0.003}, 6), noisy({0.05}, 6);
  Verdict v = bench::judge(measured({quiet.shape(0.6), noisy.shape(-0.02, 64)}));
  CHECK(v.verdict == Decision::inconclusive);
  CHECK(v.reason == "undecided");
  CHECK(v.detail.find("N=64") == 0);
  CHECK(v.detail.find("machine noise") != std::string::npos);
}

TEST_CASE("a gain that the machine's noise could explain is no gain") {
  Verdict v = verdict(0.04, {0.1});
  CHECK(v.verdict == Decision::inconclusive);
  CHECK(v.noise_floor > 0.02);
  CHECK(v.detail.find("hides gains under") != std::string::npos);
  // The second baseline pass is always 2% slower: 3% cannot be told from that, however narrow the interval.
  ShapeRun run = SimulatedDevice({0.001}, 7).shape(0.03);
  for (Block& block : run.blocks) block.passes[2].ms[0] *= 1.02;
  v = bench::judge(measured({run}));
  CHECK(v.reason == "noise");
  CHECK(v.noise_floor >= 0.02);
}

TEST_CASE("more than 10x is kept and pointed at") {
  Verdict v = verdict(0.95);
  CHECK(v.verdict == Decision::keep);
  CHECK(v.detail.find("more than 10x: look at it by hand") != std::string::npos);
  CHECK(v.shapes[0].notes == std::vector<std::string>{"more than 10x: look at it by hand"});
  ShapeRun large = SimulatedDevice({0.001}, 7).shape(0.95), small = SimulatedDevice({0.001}, 8).shape(0.5);
  large.dims = {{"N", 4096}}, small.dims = {{"N", 64}};
  v = bench::judge(measured({small, large}));
  CHECK(v.detail.ends_with("on all 2 shapes; more than 10x at N=4096: look at it by hand"));
}

TEST_CASE("faster than the device can be is refused") {
  ShapeRun run = SimulatedDevice({0.003}, 8).shape(0.5);
  run.floor_ms = run.sol_ms = 0.26;
  Verdict v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::keep);  // 0.25 ms is within 5% of it
  CHECK(v.shapes[0].sol > 1);
  run.floor_ms = 0.27;
  v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::revert);
  CHECK(v.reason == "too_fast");
  CHECK(v.shapes[0].status == ShapeStatus::too_fast);
  run.floor_ms = 0.9;
  CHECK(bench::judge(measured({run})).detail.find("the baseline is too fast as well") != std::string::npos);
}

TEST_CASE("a gain that exists only at a higher clock is inconclusive") {
  ShapeRun run = SimulatedDevice({0.001}, 9).shape(0.025);
  set_clocks(run, 1900, 1900);
  CHECK(bench::judge(measured({run})).verdict == Decision::keep);
  set_clocks(run, 1900, 1945);
  Verdict v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::inconclusive);
  CHECK(v.reason == "clock");
  CHECK(v.shapes[0].notes.back().rfind("clock: ", 0) == 0);
  run.blocks[0].passes[1].sm_mhz = 0;  // not known in all blocks: no second opinion
  CHECK(bench::judge(measured({run})).verdict == Decision::keep);
  // A loss in time stays one.
  ShapeRun slow = SimulatedDevice({0.001}, 9).shape(-0.01);
  set_clocks(slow, 1900, 1800);
  CHECK(bench::judge(measured({slow})).verdict == Decision::revert);
}

TEST_CASE("discarded blocks do not count, and more than a fifth of them spoils the measurement") {
  ShapeRun run = SimulatedDevice({0.02}, 10).shape(0.1);
  REQUIRE(run.blocks.size() > 100);
  for (std::size_t i = 0; i < 20; ++i) run.blocks[i].passes[1].ms = {50};
  discard(run, 20);
  Verdict v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::keep);
  CHECK(v.gain == doctest::Approx(0.1).epsilon(0.1));
  CHECK(v.shapes[0].discarded == 20);
  discard(run, run.blocks.size() / 5 + 1);
  v = bench::judge(measured({run}));
  CHECK(v.verdict == Decision::inconclusive);
  CHECK(v.reason == "unstable");
  CHECK(v.shapes[0].status == ShapeStatus::unstable);
}

TEST_CASE("a loss by half in every block is one, however much each resembles the one before") {
  ShapeRun run = SimulatedDevice({0.0005}, 3).shape(0);
  auto candidate = [&](double fast, double slow) {
    for (std::size_t i = 0; i < run.blocks.size(); ++i)
      run.blocks[i].passes[1].ms = {i % 8 < 4 ? fast : slow};
    return bench::judge(measured({run}));
  };
  Verdict v = candidate(50, 70);  // 100x and 140x slower
  CHECK(v.verdict == Decision::revert);
  CHECK(v.reason == "regression");
  CHECK(v.shapes[0].status == ShapeStatus::slower);
  CHECK(v.shapes[0].lo == doctest::Approx(1 / 140.0).epsilon(0.01));
  CHECK(v.shapes[0].hi == doctest::Approx(1 / 100.0).epsilon(0.01));
  CHECK(bench::out_of_time(run, 1.1, 1));
  CHECK(candidate(0.9, 70).reason == "too_few_blocks");     // some lose less than that
  CHECK(candidate(0.05, 0.01).reason == "too_few_blocks");  // a gain has to be proved
  run.blocks.resize(7);
  CHECK(candidate(50, 70).reason == "too_few_blocks");
}

TEST_CASE("too few blocks decide nothing") {
  ShapeRun run = SimulatedDevice({0.003}, 11).shape(0.5);
  run.blocks.resize(7);
  CHECK(bench::judge(measured({run})).reason == "too_few_blocks");
  run.blocks.clear();
  CHECK(bench::judge(measured({run})).verdict == Decision::inconclusive);
  CHECK(bench::judge(measured({})).reason == "not_measured");
}

TEST_CASE("a block without valid times does not count") {
  ShapeRun run = SimulatedDevice({0.003}, 13).shape(0.2);
  run.blocks[0].passes[1].ms = {};
  run.blocks[1].passes[1].ms = {0};
  run.blocks[2].passes[1].ms = {std::nan("")};
  Verdict v = bench::judge(measured({run}));
  CAPTURE(v.detail);
  CHECK(v.verdict == Decision::keep);
  CHECK(bench::judge_shape(run).discarded == 3);
}

TEST_CASE("the last run counts; a first that was better is mentioned") {
  SimulatedDevice device({0.003}, 12);
  Measurement m = measured({device.shape(0.06)});
  m.runs.push_back({{device.shape(0)}});
  Verdict v = bench::judge(m);
  CHECK(v.verdict == Decision::revert);
  CHECK(v.detail.find("the first run's gain of ") != std::string::npos);
  m.runs.push_back({{device.shape(0.03)}});
  v = bench::judge(m);
  CHECK(v.verdict == Decision::keep);
  CHECK(v.gain == doctest::Approx(0.03).epsilon(0.1));
  m.runs.back().shapes[0].dims = {{"N", 1}};
  CHECK(bench::judge(m).reason == "missing_shape");
}

TEST_CASE("a run that ended before a timed shape lacks it") {
  SimulatedDevice device({0.003}, 12);
  MeasurementRun run{{device.shape(0.06)}};
  Dims there = run.shapes[0].dims, other = {{"N", 2}};
  CHECK(!bench::lacks_shape(run, {there}));
  auto fault = bench::lacks_shape(run, {there, other});
  REQUIRE(fault);
  CHECK(fault->reason == "missing_shape");
  CHECK(fault->detail == "N=2 was not timed");
}

TEST_CASE("a wrong result is reverted and a crash is one, whatever the times say") {
  Measurement m = measured({SimulatedDevice({0.003}, 13).shape(0.5)});
  m.correctness = "wrong_values";
  m.correctness_detail = "y[3] = 2, expected 1";
  Verdict v = bench::judge(m);
  CHECK(v.verdict == Decision::revert);
  CHECK(v.reason == "wrong_values");
  CHECK(v.detail == "y[3] = 2, expected 1");
  for (const char* reason :
       {"compile_error", "launch_error", "timeout", "crash", "exit", "out_of_memory", "sanitizer"}) {
    m.correctness = reason;
    CHECK(bench::judge(m).verdict == Decision::crash);
    CHECK(bench::judge(m).reason == reason);
  }
  m.correctness = "";
  CHECK(bench::judge(m).reason == "not_checked");
}

TEST_CASE("notes: drift, autocorrelation, outliers, short kernels") {
  ShapeRun run = SimulatedDevice({0.003}, 14).shape(0);
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    for (Pass& pass : run.blocks[i].passes) pass.ms[0] *= 1 + 0.002 * static_cast<double>(i);
  }
  run.blocks[5].passes[1].ms = {3};
  run.empty_ms = 0.06;
  auto notes = bench::judge_shape(run).notes;
  REQUIRE(notes.size() == 3);
  CHECK(notes[0].rfind("drift: ", 0) == 0);
  CHECK(notes[1] == "outliers: 1 of 20 blocks");
  CHECK(notes[2].rfind("short kernel: ", 0) == 0);
  run.launch_ms = 0.6;  // of calls that take half a millisecond
  notes = bench::judge_shape(run).notes;
  REQUIRE(notes.size() == 4);
  CHECK(notes[3].rfind("host-bound: solve() takes 0.600000 ms to return, the device ", 0) == 0);
  run.launch_ms = 0.4;
  CHECK(bench::judge_shape(run).notes.size() == 3);
  ShapeRun slow = SimulatedDevice({0.003, 0.9}, 14).shape(0);
  CHECK(bench::judge_shape(slow).notes.at(0).rfind("autocorrelated: ", 0) == 0);
}

TEST_CASE("a recorded measurement gives its verdict again") {
  SimulatedDevice device({0.01}, 15);
  Measurement m = measured({device.shape(0.06), device.shape(0.04, 64)});
  m.runs.push_back({{device.shape(0.06), device.shape(0.04, 64)}});
  Verdict a = bench::judge(m), b = bench::judge(parse_measurement(to_json(m)));
  CHECK(a.verdict == Decision::keep);
  CHECK(a.verdict == b.verdict);
  CHECK(a.detail == b.detail);
  CHECK(a.gain == b.gain);
  CHECK(a.gain_lo == b.gain_lo);
  CHECK(a.noise_floor == b.noise_floor);
}

TEST_CASE("a candidate that is many times faster wins on a noisy machine") {
  CHECK(verdict(0.95, {0.5}).verdict ==
        Decision::keep);  // two noise floors of a gain would be more than all time
  CHECK(verdict(0.5, {1.5}).verdict != Decision::keep);
}

TEST_CASE("a gain that the supervisor's clock did not confirm is open") {
  Measurement m = measured({SimulatedDevice({0.003}, 1).shape(0.3)});
  m.correctness = "unconfirmed";
  CHECK(bench::judge(m).verdict == Decision::inconclusive);
}

TEST_CASE("a gain by the clock of the candidate's own process needs the user's word") {
  Measurement m = measured({SimulatedDevice({0.003}, 1).shape(0.3)});
  m.runner = "in_process", m.runner_reason = "solve() reads device memory on the host";
  Verdict v = bench::judge(m);
  CHECK(v.verdict == Decision::inconclusive);
  CHECK(v.reason == "in_process");
  CHECK(v.detail.find("because solve() reads device memory on the host: --allow-in-process") !=
        std::string::npos);
  m.in_process_allowed = true;
  CHECK(bench::judge(m).verdict == Decision::keep);
  m.in_process_allowed = false, m.runner = "replay";
  CHECK(bench::judge(m).verdict == Decision::keep);
  m.runner = "in_process",
  m.runs = {{{SimulatedDevice({0.003}, 1).shape(-0.3)}}};  // a loss needs nobody's word
  CHECK(bench::judge(m).verdict == Decision::revert);
}

TEST_CASE("the score of SOL-ExecBench: half at the baseline, one at the speed of light") {
  CHECK(bench::sol_score(2, 2, 1) == 0.5);
  CHECK(bench::sol_score(1, 2, 1) == 1);
  CHECK(bench::sol_score(0.5, 2, 1) == 1);  // beyond the anchor
  CHECK(bench::sol_score(3, 2, 1) == doctest::Approx(1.0 / 3));
  CHECK(bench::sol_score(1.5, 1, 1) == 0);  // the baseline is at the speed of light already
  CHECK(bench::sol_score(1, 1, 1) == 1);
}

TEST_CASE("a score is given for tasks of SOL-ExecBench whose speed of light is known") {
  SimulatedDevice device({}, 7);
  Measurement m = measured({device.shape(0.2)});
  m.runs[0].shapes[0].sol_ms = 0.1;
  CHECK_FALSE(bench::judge(m).shapes[0].score);
  m.imported_from = TaskOrigin{flashinfer_bench, "x", {}};
  CHECK_FALSE(bench::judge(m).shapes[0].score);
  m.imported_from->format = sol_exec_bench;
  bench::ShapeVerdict shape = bench::judge(m).shapes[0];
  REQUIRE(shape.score);
  CHECK(*shape.score == doctest::Approx(bench::sol_score(shape.candidate_ms, shape.baseline_ms, 0.1)));
  CHECK(*shape.score > 0.5);
  m.runs[0].shapes[0].sol_ms = 0;
  CHECK_FALSE(bench::judge(m).shapes[0].score);
}
