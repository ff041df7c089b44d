#include "diagnose/roofline.h"

#include <doctest/doctest.h>

#include "diagnose/diagnose.h"
#include "unit/diagnose/launches.h"

using namespace explog;
using namespace explog::diagnose;
using namespace explog::test;
using doctest::Approx;

namespace {

double flops(const Work& work, Roof roof) { return work.flops[static_cast<std::size_t>(roof)]; }

constexpr const char* duration = "gpu__time_duration.sum";
constexpr const char* dram_clock = "dram__cycles_elapsed.avg.per_second";
constexpr const char* sm_clock = "sm__cycles_elapsed.avg.per_second";

std::string sass(const std::string& operation) {
  return "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
}

}  // namespace

// harness.md, 6.3: a vector addition of 2^24 floats on an RTX 3080, for which Nsight Compute itself
// says 91.98%.
TEST_CASE("golden: bytes, time and bus width give the share that the profiler reports") {
  Launch launch = with({{duration, 297504},
                        {"dram__bytes_read.sum", 2.0 * 4 * 16777216},
                        {"dram__bytes_write.sum", 1.0 * 4 * 16777216},
                        {dram_clock, 9.2417e9},
                        {"device__attribute_global_memory_bus_width", 320}},
                       "sm_86");
  Peaks peaks = peaks_of_launch(launch);
  CHECK(peak(peaks, Roof::dram).value == Approx(739.336e9));
  CHECK(peak(peaks, Roof::dram).source == "counters");
  Work work = work_of_launch(launch);
  CHECK(work.bytes == 201326592);
  auto r = roofline_of(work, peaks);
  REQUIRE(r);
  CHECK(r->bytes_rate == Approx(676.7e9).epsilon(1e-4));
  CHECK(r->memory_share == Approx(0.915).epsilon(0.001));
}

TEST_CASE("captures of an H200: the share of the bandwidth is the profiler's own") {
  struct Row {
    const char* name;
    double bytes, ns, percent;
  };
  // dram__bytes_read.sum + dram__bytes_write.sum, gpu__time_duration.sum, gpu__dram_throughput.avg.pct...
  for (const Row& row :
       std::initializer_list<Row>{{"vector_add.naive", 268451840.0 + 122182912, 117408, 69.15},
                                  {"vector_add.vectorized", 268461056.0 + 115088128, 95648, 83.39},
                                  {"reduction.two_stage", 268447488.0 + 2224896, 62144, 90.56},
                                  {"softmax.naive", 201496320.0 + 50519552, 1562752, 3.35},
                                  {"layernorm.row_per_block", 67155712.0 + 42199552, 33408, 68.03}}) {
    CAPTURE(row.name);
    Launch launch = captured(row.name);
    Work work = work_of_launch(launch);
    CHECK(work.bytes == row.bytes);
    CHECK(work.seconds == Approx(row.ns * 1e-9));
    Peaks peaks = peaks_of_launch(launch);
    CHECK(peak(peaks, Roof::dram).value == Approx(4.81e12).epsilon(0.002));  // 1504 bytes a cycle of 3.2 GHz
    auto r = roofline_of(work, peaks);
    REQUIRE(r);
    CHECK(100 * r->memory_share == Approx(row.percent).epsilon(0.002));
  }
}

TEST_CASE("captures: operations are those of the algorithm") {
  // 2048^3 multiplications and additions; the counters are rates over a clock of their own pass.
  Work gemm = work_of_launch(captured("gemm_f32.register_tile"));
  CHECK(flops(gemm, Roof::fp32) == Approx(2.0 * 2048 * 2048 * 2048).epsilon(0.01));
  CHECK(flops(gemm, Roof::half) == 0);  // the compiler's constants are no arithmetic
  Work bf16 = work_of_launch(captured("gemm_bf16.tensor_cores"));
  CHECK(flops(bf16, Roof::f16) == 34359738368.0);
  CHECK(bf16.total_flops() == 34359738368.0);
  CHECK(flops(work_of_launch(captured("gemm_tf32.tensor_cores")), Roof::tf32) == 17179869184.0);
  // 2^25 additions.
  Work add = work_of_launch(captured("vector_add.naive"));
  CHECK(add.total_flops() == Approx(33554432).epsilon(0.01));
  CHECK(add.flops_known);
}

TEST_CASE("captures: arithmetic peaks of an H200") {
  Launch launch = captured("reduction.two_stage");
  Peaks peaks = peaks_of_launch(launch);
  double clock = 1960283837.34;
  CHECK(peak(peaks, Roof::fp32).value == Approx(16896 * 2 * clock));  // 132 * 128 units
  CHECK(peak(peaks, Roof::fp64).value == Approx(8448 * 2 * clock));
  CHECK(peak(peaks, Roof::f16).value == Approx(132 * 4096.0 * clock));
  CHECK(peak(peaks, Roof::tf32).value == Approx(132 * 2048.0 * clock));
  CHECK(peak(peaks, Roof::fp8).value == Approx(132 * 8192.0 * clock));
  for (const Peak& p : peaks) CHECK(p.source == "counters");
  // A details page names its clock otherwise and has no attributes.
  Launch details = captured("reduction.two_stage", 0, "details");
  CHECK(peak(peaks_of_launch(details), Roof::f16).value == Approx(132 * 4096.0 * 1974460527.16));
}

TEST_CASE("operations are counted, or rates times the clock and the time") {
  Work counted = work_of_launch(with({{duration, 1000},
                                      {sass("fadd"), 5},
                                      {sass("fmul"), 7},
                                      {sass("ffma"), 11},
                                      {sass("dfma"), 2},
                                      {sass("hadd"), 3},
                                      {sass("hmul"), 1},
                                      {sass("hfma"), 4}}));
  CHECK(flops(counted, Roof::fp32) == 5 + 7 + 2 * 11);
  CHECK(flops(counted, Roof::fp64) == 4);
  CHECK(flops(counted, Roof::half) == 2 * 3 + 2 * 1 + 4 * 4);
  CHECK(counted.source == "counters");
  Work rates = work_of_launch(with({{duration, 1000},
                                    {sass("ffma") + ".per_cycle_elapsed", 100},
                                    {"smsp__cycles_elapsed.avg.per_second", 2e9},
                                    {sm_clock, 9e9}}));
  CHECK(flops(rates, Roof::fp32) == Approx(2 * 100 * 2e9 * 1e-6));
  CHECK_FALSE(work_of_launch(with({{duration, 1000}})).flops_known);
  CHECK(work_of_launch(with({{sass("ffma"), 5}})).seconds == 0);
}

TEST_CASE("few packed half FMAs alone are the compiler's constants") {
  auto halves = [](double hfma, double hadd) {
    return flops(work_of_launch(with({{duration, 1000},
                                      {"smsp__inst_executed.sum", 100},
                                      {sass("hfma"), hfma},
                                      {sass("hadd"), hadd},
                                      {sass("hmul"), 0}})),
                 Roof::half);
  };
  CHECK(halves(159, 0) == 0);
  CHECK(halves(160, 0) == 640);  // 5% of 32 * 100
  CHECK(halves(159, 1) == 638);
}

TEST_CASE("DRAM bytes: read and written, or all, or a rate") {
  CHECK(work_of_launch(with({{duration, 10}, {"dram__bytes_read.sum", 3}, {"dram__bytes_write.sum", 4}}))
            .bytes == 7);
  CHECK(work_of_launch(with({{duration, 10}, {"dram__bytes_read.sum", 3}, {"dram__bytes.sum", 9}})).bytes ==
        9);
  CHECK(work_of_launch(with({{duration, 1000}, {"dram__bytes.sum.per_second", 5e9}})).bytes == Approx(5000));
  CHECK(work_of_launch(with({{duration, 1000}})).bytes == 0);
}

TEST_CASE("intensity against the ridge: below a half memory, to two balanced, above compute") {
  Peaks peaks;
  peak(peaks, Roof::dram) = {1e12, "given"};
  peak(peaks, Roof::fp32) = {2e13, "given"};  // the ridge is at 20
  auto at = [&](double intensity) {
    Work work;
    work.flops[static_cast<std::size_t>(Roof::fp32)] = intensity * 1e6;
    work.bytes = 1e6;
    work.seconds = 1e-3;
    work.flops_known = true;
    return *roofline_of(work, peaks);
  };
  CHECK(at(9.99).ridge == 20);
  CHECK(at(9.99).label == "memory");
  CHECK(at(10).label == "balanced");
  CHECK(at(40).label == "balanced");
  CHECK(at(40.01).label == "compute");
  CHECK(at(9.99).seed_label == "memory");
  CHECK(at(10).seed_label == "balanced");
  CHECK(at(50).seed_label == "balanced");
  CHECK(at(50.01).seed_label == "compute");
  CHECK(at(40).intensity == Approx(40));
  CHECK(at(40).flops_rate == Approx(4e10));
  CHECK(at(40).compute_share == Approx(0.002));
  CHECK(at(40).memory_share == Approx(0.001));
  CHECK(at(40).reached == Approx(0.002));
}

TEST_CASE("the pipe is the one that the arithmetic keeps busiest") {
  Peaks peaks;
  peak(peaks, Roof::fp32) = {100, "given"};
  peak(peaks, Roof::f16) = {1000, "given"};
  Work work;
  work.seconds = 1;
  work.flops_known = true;
  work.flops[static_cast<std::size_t>(Roof::f16)] = 500;
  work.flops[static_cast<std::size_t>(Roof::fp32)] = 49;
  CHECK(roofline_of(work, peaks)->pipe == Roof::f16);
  work.flops[static_cast<std::size_t>(Roof::fp32)] = 51;
  CHECK(roofline_of(work, peaks)->pipe == Roof::fp32);
  CHECK(roofline_of(work, peaks)->compute_share == Approx(0.51));
  CHECK(roofline_of(work, Peaks{})->pipe == Roof::f16);  // most operations, where no peak is known
  CHECK(roofline_of(work, Peaks{})->reached == 0);
}

TEST_CASE("without work or time there is no roofline, without one side no label") {
  Peaks peaks = peaks_of_arch("sm_90");
  CHECK_FALSE(roofline_of({}, peaks));
  Work bytes;
  bytes.bytes = 1e6;
  CHECK_FALSE(roofline_of(bytes, peaks));
  bytes.seconds = 1e-3;
  REQUIRE(roofline_of(bytes, peaks));
  CHECK(roofline_of(bytes, peaks)->label.empty());
  CHECK(roofline_of(bytes, peaks)->reached > 0);
}

// harness.md, 5.4: published rates of eight cards at their boost clocks.
TEST_CASE("operations a cycle give the published rates") {
  struct Row {
    const char* arch;
    double multiprocessors, clock, f16;
  };
  for (const Row& row : std::initializer_list<Row>{{"sm_70", 80, 1.53e9, 125e12},
                                                   {"sm_75", 40, 1.59e9, 65e12},
                                                   {"sm_80", 108, 1.41e9, 312e12},
                                                   {"sm_86", 84, 1.80e9, 154.8e12},
                                                   {"sm_89", 58, 2.04e9, 121e12},
                                                   {"sm_90", 132, 1.83e9, 989.4e12}}) {
    CAPTURE(row.arch);
    Peaks peaks =
        peaks_of_launch(with({{"launch__sm_count", row.multiprocessors}, {sm_clock, row.clock}}, row.arch));
    CHECK(peak(peaks, Roof::f16).value == Approx(row.f16).epsilon(0.005));
  }
  Launch geforce = with({{"launch__sm_count", 170}, {sm_clock, 2.407e9}}, "sm_120");
  CHECK(peak(peaks_of_launch(geforce), Roof::f16).value == Approx(419e12).epsilon(0.005));
  geforce.texts = {{"device__attribute_display_name", "NVIDIA GeForce RTX 5090"}};
  CHECK(peak(peaks_of_launch(geforce), Roof::f16).value == Approx(209.5e12).epsilon(0.005));
  CHECK(peak(peaks_of_launch(geforce), Roof::fp32).value == Approx(104.8e12).epsilon(0.005));
}

TEST_CASE("bandwidth from counters, else from attributes") {
  Facts attributes = {{"device__attribute_memory_clock_rate", 3201000},
                      {"device__attribute_global_memory_bus_width", 6144}};
  Peak nominal = peak(peaks_of_launch(with(attributes)), Roof::dram);
  CHECK(nominal.value == Approx(4.9167e12).epsilon(1e-4));
  CHECK(nominal.source == "attributes");
  attributes.emplace_back(dram_clock, 3.0e9);
  CHECK(peak(peaks_of_launch(with(attributes)), Roof::dram).value == Approx(2 * 3.0e9 * 6144 / 8));
  attributes.emplace_back("dram__bytes.sum.peak_sustained", 1504);
  Peak counted = peak(peaks_of_launch(with(attributes)), Roof::dram);
  CHECK(counted.value == Approx(1504 * 3.0e9));
  CHECK(counted.source == "counters");
  CHECK(peak(peaks_of_launch({}), Roof::dram).value == 0);
}

TEST_CASE("the clock is the one the launch ran with, or its nominal one") {
  Facts facts = {{"launch__sm_count", 100}, {"device__attribute_clock_rate", 2000000}};
  Peak nominal = peak(peaks_of_launch(with(facts)), Roof::fp32);
  CHECK(nominal.value == Approx(100 * 256 * 2e9));
  CHECK(nominal.source == "attributes");
  facts.emplace_back("gpc__cycles_elapsed.avg.per_second", 1.5e9);
  CHECK(peak(peaks_of_launch(with(facts)), Roof::fp32).value == Approx(100 * 256 * 1.5e9));
  facts.emplace_back(sm_clock, 1e9);
  CHECK(peak(peaks_of_launch(with(facts)), Roof::fp32).value == Approx(100 * 256 * 1e9));
  CHECK(peak(peaks_of_launch(with(facts)), Roof::fp32).source == "counters");
}

TEST_CASE("measured ceilings: reading alone has a bandwidth of its own") {
  DeviceCeilings c;
  c.rates = {{"dram_bytes_per_s", 4.3e12}, {"dram_read_bytes_per_s", 4.6e12}, {"fp32_flops", 6e13}};
  CHECK(peak(peaks_of_ceilings(c, 0.09), Roof::dram).value == 4.6e12);
  CHECK(peak(peaks_of_ceilings(c, 0.1), Roof::dram).value == 4.3e12);
  CHECK(peak(peaks_of_ceilings(c, 0.5), Roof::fp32).source == "measured");
  CHECK(peak(peaks_of_ceilings(c, 0.5), Roof::f16).value == 0);
  c.rates.erase(c.rates.begin() + 1);
  CHECK(peak(peaks_of_ceilings(c, 0), Roof::dram).value == 4.3e12);
  Peaks both = prefer(peaks_of_ceilings(c, 0), peaks_of_arch("sm_90"));
  CHECK(peak(both, Roof::dram).source == "measured");
  CHECK(peak(both, Roof::f16).source == "largest card");
  CHECK(peak(both, Roof::f16).value > 5e14);
}

TEST_CASE("roofs have names") {
  for (std::size_t i = 0; i < roof_count; ++i) {
    Roof roof = static_cast<Roof>(i);
    CHECK(parse_roof(roof_name(roof)) == roof);
  }
  CHECK(parse_roof("bf16") == Roof::f16);
  CHECK(parse_roof("fp16") == Roof::f16);
  CHECK(parse_roof("f32") == Roof::fp32);
  CHECK_FALSE(parse_roof("int4"));
  CHECK(peak(peaks_of_arch("sm_1"), Roof::dram).value == 0);
}

TEST_CASE("a formula alone gives a label with its doubts, and latency far below both roofs") {
  Peaks peaks;
  peak(peaks, Roof::dram) = {1e12, "given"};
  peak(peaks, Roof::fp32) = {2e13, "given"};
  Work formula;
  formula.flops[static_cast<std::size_t>(Roof::fp32)] = 1e9;
  formula.bytes = 1e9;
  formula.flops_known = true;
  formula.seconds = 1e-3 / 0.3;  // 30% of the bandwidth
  Diagnosis d = diagnose::diagnose(formula, peaks);
  CHECK(d.source == "formula");
  CHECK(d.label.word == "memory");
  CHECK(d.confidence == "medium");
  formula.seconds = 1e-3 / 0.29;
  CHECK(diagnose::diagnose(formula, peaks).label.word == "latency");
  formula.seconds = 1e-3 / 0.9;
  CHECK(diagnose::diagnose(formula, peaks_of_arch("sm_90")).confidence == "low");
  CHECK(diagnose::diagnose(Work{}, peaks).label.word == "unknown");
  CHECK(diagnose::diagnose(formula, Peaks{}).label.word == "unknown");
}

TEST_CASE("a formula fills in what the counters do not tell") {
  Work formula;
  formula.flops[static_cast<std::size_t>(Roof::fp32)] = 2e9;
  formula.bytes = 1e6;
  formula.flops_known = true;
  Launch launch = with({{duration, 1e6}, {"dram__bytes.sum", 5e6}});
  auto r = diagnose::diagnose(launch, peaks_of_arch("sm_90"), formula, Rules::nsight).roofline;
  REQUIRE(r);
  CHECK(r->intensity == Approx(2e9 / 5e6));
  CHECK(diagnose::diagnose(launch, {}, {}, Rules::nsight).time_ms == Approx(1));
}
