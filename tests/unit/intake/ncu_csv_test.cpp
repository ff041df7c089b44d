#include "intake/ncu_csv.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "base/error.h"
#include "base/file.h"

using namespace explog;
using namespace explog::intake;

namespace {

// Captures of an H200 by ncu 2025.3.1.
std::string captured(const std::string& name) {
  return read_file(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/ncu/" + name);
}

NcuFile parse_captured(const std::string& name) { return parse_ncu(captured(name), name); }

NcuFile parse(std::string_view text) { return parse_ncu(text, "test.csv"); }

double value(const Launch& launch, std::string_view name) {
  auto found = metric(launch, name);
  CAPTURE(name);
  REQUIRE(found);
  return *found;
}

constexpr const char* duration = "gpu__time_duration.sum";

const std::string identity =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
    "\"Block Size\",\"Grid Size\",\"Device\",\"CC\"";
const std::string launch0 =
    "\"0\",\"42\",\"app\",\"host\",\"k(int)\",\"1\",\"7\",\"(32, 1, 1)\",\"(4, 1, 1)\",\"0\",\"9.0\"";
const std::string rows_head =
    identity +
    ",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\"," +
    "\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n";

// One metric as `--metrics` prints it.
std::string row(const std::string& name, const std::string& unit, const std::string& text,
                const std::string& launch = launch0) {
  return launch + ",\"Command line profiler metrics\",\"" + name + "\",\"" + unit + "\",\"" + text + "\"\n";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A raw page of the metrics given, with as many launches as there are texts in each.
struct Column {
  std::string name, unit;
  std::vector<std::string> texts;
};
std::string raw_page(const std::vector<Column>& columns) {
  std::string head = identity, units = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"";
  for (const Column& c : columns) head += ",\"" + c.name + "\"", units += ",\"" + c.unit + "\"";
  std::string text = head + "\n" + units + "\n";
  for (std::size_t i = 0; i < columns[0].texts.size(); ++i) {
    text += "\"" + std::to_string(i) + launch0.substr(2);
    for (const Column& c : columns) text += ",\"" + c.texts[i] + "\"";
    text += "\n";
  }
  return text;
}

std::string refusal(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    CHECK_FALSE(e.hint.empty());
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a raw page gives each launch with its metrics, words and gaps") {
  NcuFile file = parse_captured("softmax.naive.raw.csv.gz");
  CHECK(file.remarks.empty());
  REQUIRE(file.launches.size() == 2);
  const Launch &first = file.launches[0], &second = file.launches[1];
  CHECK(first.id == 0);
  CHECK(second.id == 1);
  CHECK(first.process == "2633");
  CHECK(first.kernel == "softmax_rows(const float *, float *, int, int)");
  CHECK(first.grid == "(32, 1, 1)");
  CHECK(first.block == "(128, 1, 1)");
  CHECK(first.arch == "sm_90");
  CHECK(first.invocations == 1);
  CHECK(value(first, duration) == 1562752);
  CHECK(value(second, duration) == 1564576);
  CHECK(value(first, "dram__bytes_read.sum") == 201496320);
  CHECK(value(second, "dram__bytes_read.sum") == 201492480);
  CHECK(value(first, "dram__cycles_elapsed.avg.per_second") == 3199395254.87);
  CHECK(value(first, "l1tex__t_sector_hit_rate.pct") == 89.84);
  CHECK(value(first, "launch__waves_per_multiprocessor") == 0.02);
  CHECK(value(first, "launch__grid_size") == 32);
  CHECK(text_metric(first, "device__attribute_display_name") == "NVIDIA H200");
  CHECK(text_metric(first, "launch__func_cache_config") == "CachePreferNone");
  CHECK_FALSE(metric(first, "derived_tempMetric4"));  // nan
  CHECK_FALSE(metric(first, "sass__inst_executed_register_spilling_mem_local"));
  // 12 empty ones, of which launch__kernel_name has no unit and is just not there; two "no data" and a "nan".
  auto missing = [&](const char* name) {
    return std::find(first.missing.begin(), first.missing.end(), name) != first.missing.end();
  };
  CHECK(missing("derived_tempMetric4"));
  CHECK(missing("sass__inst_executed_register_spilling_mem_local"));
  CHECK(missing("sass__inst_executed_register_spilling_mem_shared"));
  CHECK(missing("SM_B.TriageCompute.l1tex__t_sector_hit_rate.pct"));
  CHECK_FALSE(missing("launch__kernel_name"));
  CHECK(first.missing.size() == 14);
  CHECK(first.texts.size() == 5);
  CHECK(first.metrics.size() == 2238 - 11 - 15 - 5);
  for (const auto& [name, text] : first.texts) CHECK_FALSE(metric(first, name));
  for (const char* column : {"ID", "Kernel Name", "Context", "Stream", "Device", "CC", "Grid Size"})
    CHECK_FALSE(metric(first, column));
}

TEST_CASE("metrics are sorted by name, each name once") {
  for (const char* name : {"softmax.naive.raw.csv.gz", "reduction.two_stage.details.csv.gz"}) {
    for (const Launch& launch : parse_captured(name).launches) {
      for (std::size_t i = 1; i < launch.metrics.size(); ++i)
        REQUIRE(launch.metrics[i - 1].first < launch.metrics[i].first);
    }
  }
}

TEST_CASE("a details page gives metrics by their names and the profiler's advice") {
  NcuFile file = parse_captured("softmax.naive.details.csv.gz");
  CHECK(file.remarks.empty());
  REQUIRE(file.launches.size() == 2);
  const Launch& first = file.launches[0];
  CHECK(value(first, duration) == 1562752);
  CHECK(value(file.launches[1], duration) == 1564576);
  // The same label twice, told apart by unit.
  CHECK(value(first, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed") == 16.43);
  CHECK(value(first, "dram__bytes.sum.per_second") == 161264149397.99);
  CHECK(value(first, "launch__registers_per_thread") == 30);
  CHECK(value(first, "launch__shared_mem_config_size") == 32768);
  REQUIRE(first.rules.size() == 16);
  const ProfilerRule& pipes = first.rules[2];
  CHECK(pipes.section == "ComputeWorkloadAnalysis");
  CHECK(pipes.name == "HighPipeUtilization");
  CHECK(pipes.type == "OPT");
  CHECK(pipes.scope == "local");
  CHECK(pipes.estimate == 99.23);
  CHECK(pipes.text.starts_with(
      "All compute pipelines are under-utilized. Either this workload is very small or"));
  CHECK(first.rules[0].name == "SOLBottleneck");
  CHECK_FALSE(first.rules[0].estimate);
  CHECK(first.rules[0].scope.empty());
  CHECK(first.rules[1].type == "INF");
  CHECK(first.rules[3].estimate == 1.381);  // three digits behind the point, and no thousand
  auto again = std::count_if(first.rules.begin(), first.rules.end(),
                             [](const ProfilerRule& r) { return r.name == "MemoryCacheAccessPattern"; });
  CHECK(again == 2);
  CHECK(file.launches[1].rules.size() == 16);
}

TEST_CASE("labels of clocks and issue slots mean what ncu 2025 and 2026 show under them") {
  // The raw page of the same launch has these figures under these names only.
  const Launch first = parse_captured("reduction.two_stage.details.csv.gz").launches.at(0);
  CHECK(value(first, "gpc__cycles_elapsed.avg.per_second") == 1974460527.16);
  CHECK(value(first, "gpc__cycles_elapsed.max") == 122927);
  CHECK(value(first, "sm__inst_issued.avg.pct_of_peak_sustained_elapsed") == 9.51);
  CHECK(value(first, "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed") == 9.51);
}

TEST_CASE("a summary gives the means and how many launches they are of") {
  NcuFile file = parse_captured("softmax.naive.summary.csv.gz");
  REQUIRE(file.launches.size() == 1);
  const Launch& mean = file.launches[0];
  CHECK(mean.invocations == 2);
  CHECK(mean.process == "2633");
  CHECK(mean.grid == "(32, 1, 1)");
  CHECK(value(mean, duration) == 1563664);
  CHECK(value(mean, "dram__bytes.sum.per_second") == 161161557447.03);
  CHECK(value(mean, "launch__block_size") == 128);
  NcuFile two = parse_captured("reduction.two_stage.summary.csv.gz");
  REQUIRE(two.launches.size() == 2);
  CHECK(two.launches[0].kernel != two.launches[1].kernel);
}

TEST_CASE("noise of the program and of the profiler is passed over") {
  NcuFile raw = parse_captured("collect.raw.csv.gz");
  CHECK(raw.remarks.empty());
  REQUIRE(raw.launches.size() == 1);
  CHECK(raw.launches[0].kernel == "void softmax_registers<16, 1>(const float *, float *, int)");
  CHECK(value(raw.launches[0], "launch__grid_size") == 4096);  // "4,096"
  CHECK(value(raw.launches[0], duration) == 31232);
  CHECK(value(raw.launches[0], "device__attribute_clock_rate") == 1980000);
  CHECK(value(raw.launches[0], "dram__bytes_read.sum") == 67125248);
  NcuFile metrics = parse_captured("collect.metrics.csv");
  REQUIRE(metrics.launches.size() == 1);
  const Launch& launch = metrics.launches[0];
  CHECK(value(launch, "dram__bytes.sum") == 109023232);
  CHECK(value(launch, "dram__throughput.avg.pct_of_peak_sustained_elapsed") == 71.49);
  CHECK(value(launch, duration) == 31744);
  CHECK(launch.missing == std::vector<std::string>{"sm__nonexistent.sum"});
  CHECK(launch.metrics.size() == 3);
}

namespace {

// Compares every metric of `page` with the same of `raw`; returns how many there are. Both print two decimals
// at least. Scaled units have six: 1.562752 ms; the first launch's value decides the unit of a column.
int compare_pages(const Launch& page, const Launch& raw, const Launch* first_of_scaled = nullptr) {
  int both = 0;
  for (const auto& [name, shown] : page.metrics) {
    auto exact = metric(raw, name);
    if (!exact) continue;
    ++both;
    const std::string compared = name;
    CAPTURE(compared);
    double scale =
        first_of_scaled ? std::max(std::abs(*exact), std::abs(*metric(*first_of_scaled, name))) : 0;
    CHECK(std::abs(shown - *exact) <= 0.0101 + 5e-7 * scale);
  }
  return both;
}

}  // namespace

TEST_CASE("pages of one profile agree within what they print") {
  for (std::string kernel : {"softmax.naive", "reduction.two_stage"}) {
    CAPTURE(kernel);
    NcuFile raw = parse_captured(kernel + ".raw.csv.gz"), scaled = parse_captured(kernel + ".auto.csv.gz");
    NcuFile details = parse_captured(kernel + ".details.csv.gz");
    REQUIRE(raw.launches.size() == 2);
    REQUIRE(scaled.launches.size() == 2);
    REQUIRE(details.launches.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const Launch& exact = raw.launches[i];
      for (const Launch* other : {&scaled.launches[i], &details.launches[i]}) {
        CHECK(other->kernel == exact.kernel);
        CHECK(other->grid == exact.grid);
        CHECK(other->arch == exact.arch);
      }
      CHECK(compare_pages(scaled.launches[i], exact, &raw.launches[0]) ==
            static_cast<int>(exact.metrics.size()));
      CHECK(compare_pages(details.launches[i], exact) >= 65);
      CHECK(scaled.launches[i].missing == exact.missing);
      CHECK(scaled.launches[i].texts == exact.texts);
    }
  }
}

TEST_CASE("a summary agrees with the mean of the launches") {
  NcuFile raw = parse_captured("softmax.naive.raw.csv.gz"),
          summary = parse_captured("softmax.naive.summary.csv.gz");
  Launch mean = raw.launches[0];
  for (auto& [name, value] : mean.metrics) value = (value + *metric(raw.launches[1], name)) / 2;
  CHECK(compare_pages(summary.launches.at(0), mean) >= 65);
}

TEST_CASE("a list of metrics in scaled units agrees to the two decimals that it has") {
  NcuFile raw = parse_captured("softmax.naive.raw.csv.gz"),
          list = parse_captured("softmax.naive.metrics.csv.gz");
  REQUIRE(list.launches.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(list.launches[i].metrics.size() == 3);
    CHECK(std::abs(value(list.launches[i], duration) - value(raw.launches[i], duration)) <= 5000);  // 1.56 ms
    for (const char* name : {"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                             "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"})
      CHECK(value(list.launches[i], name) == value(raw.launches[i], name));
    CHECK(list.launches[i].rules.size() == 16);
  }
}

TEST_CASE("several tables in one file are several profiles") {
  std::string text = captured("collect.metrics.csv");
  NcuFile file =
      parse(text + "the program says 42\n" + text + "\n" + captured("softmax.naive.summary.csv.gz"));
  REQUIRE(file.launches.size() == 3);
  CHECK(file.launches[0].metrics == file.launches[1].metrics);
  CHECK(file.launches[2].invocations == 2);
}

TEST_CASE("lines in the midst of a table that are no rows of it are left out") {
  std::string noisy = rows_head + row(duration, "ns", "1,000") + "step 3, loss 0.5\n" +
                      "\"a \"quoted\" word\n" + "\"0\",\"1\"\n" + "\"x\",\"42\",\"y\"\n\n" +
                      "==PROF== Profiling \"k\": 0%\n" + "\"unclosed, \n" +
                      row("dram__bytes.sum", "Kbyte", "2.5");
  NcuFile file = parse(noisy);
  REQUIRE(file.launches.size() == 1);
  CHECK(value(file.launches[0], duration) == 1000);
  CHECK(value(file.launches[0], "dram__bytes.sum") == 2500);
  REQUIRE(file.remarks.size() == 1);
  CHECK(file.remarks[0] == "4 lines that belong to no row are left out");
  NcuFile one = parse(rows_head + row(duration, "ns", "1") + "\"0\",\"1\"\n");
  CHECK(one.remarks.at(0).starts_with("1 line that "));
}

TEST_CASE("names of kernels keep commas, templates and quotes") {
  std::string name = "void <unnamed>::gemm<(int)128, A<float, 2>>(T1 *, \"\"x\"\", int)";
  std::string text = rows_head + row(duration, "ns", "5");
  replace(text, "k(int)", name);
  CHECK(parse(text).launches.at(0).kernel == "void <unnamed>::gemm<(int)128, A<float, 2>>(T1 *, \"x\", int)");
}

TEST_CASE("rule texts may span lines and hold quotes") {
  std::string text = rows_head + row(duration, "ns", "5") + launch0 +
                     ",\"Occupancy\",\"\",\"\",\"\",\"AchievedOccupancy\",\"WRN\",\"two\nlines, "
                     "\"\"quoted\"\"\",\"global\",\"12.5\"\n" +
                     row("dram__bytes.sum", "byte", "7");
  NcuFile file = parse(text);
  REQUIRE(file.launches.size() == 1);
  REQUIRE(file.launches[0].rules.size() == 1);
  CHECK(file.launches[0].rules[0].text == "two\nlines, \"quoted\"");
  CHECK(file.launches[0].rules[0].type == "WRN");
  CHECK(file.launches[0].rules[0].estimate == 12.5);
  CHECK(value(file.launches[0], "dram__bytes.sum") == 7);
  CHECK(file.remarks.empty());
}

TEST_CASE("units stand in a row of their own and belong to their column") {
  NcuFile file = parse(raw_page({{duration, "us", {"1.5", "2.5"}},
                                 {"dram__bytes.sum", "Kbyte", {"3", "4"}},
                                 {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", {"50", "60"}}}));
  REQUIRE(file.launches.size() == 2);
  CHECK(value(file.launches[0], duration) == 1500);
  CHECK(value(file.launches[1], duration) == 2500);
  CHECK(value(file.launches[1], "dram__bytes.sum") == 4000);
  CHECK(value(file.launches[1], "sm__throughput.avg.pct_of_peak_sustained_elapsed") == 60);
  CHECK(file.remarks.empty());
}

TEST_CASE("a raw page without a row of units is in base units") {
  std::string text = raw_page({{duration, "us", {"1500"}}});
  auto units = text.find("\"\",\"\"");
  text.erase(units, text.find('\n', units) + 1 - units);
  CHECK(value(parse(text).launches.at(0), duration) == 1500);
}

TEST_CASE("numbers of one row may be written in different ways") {
  const Launch l = parse(raw_page({{"device__attribute_clock_rate", "", {"1,710,000"}},
                                   {"launch__grid_size", "", {"65,536"}},
                                   {"dram__cycles_active.avg", "cycle", {"2528968.000000"}},
                                   {"launch__thread_count", "thread", {"16777216"}},
                                   {"launch__waves_per_multiprocessor", "", {"160.63"}},
                                   {"smsp__a", "", {"12.5 (1: 3.5; 2: 9)"}}}))
                       .launches.at(0);
  CHECK(value(l, "device__attribute_clock_rate") == 1710000);
  CHECK(value(l, "launch__grid_size") == 65536);
  CHECK(value(l, "dram__cycles_active.avg") == 2528968);
  CHECK(value(l, "launch__thread_count") == 16777216);
  CHECK(value(l, "launch__waves_per_multiprocessor") == 160.63);
  CHECK(value(l, "smsp__a") == 12.5);
}

TEST_CASE("a file with a decimal comma reads the same, and says so") {
  NcuFile file = parse(raw_page({{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", {"65,77"}},
                                 {"launch__thread_count", "thread", {"27.595.520"}},
                                 {"launch__grid_size", "", {"1.024"}},
                                 {duration, "us", {"297,504"}}}));
  const Launch& l = file.launches.at(0);
  CHECK(value(l, "sm__throughput.avg.pct_of_peak_sustained_elapsed") == 65.77);
  CHECK(value(l, "launch__thread_count") == 27595520);
  CHECK(value(l, "launch__grid_size") == 1024);
  CHECK(value(l, duration) == 297504);
  CHECK(file.remarks == std::vector<std::string>{"numbers read with a decimal comma"});
}

TEST_CASE("a whole capture in the other notation reads as the original") {
  // Swaps commas and points in the fields that are numbers; quotes part the fields of the row.
  std::string text = captured("collect.raw.csv.gz"), swapped;
  auto start = text.find("\n\"0\"") + 1;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('"', at), text.size());
    std::string field = text.substr(at, end - at);
    bool number =
        at > start && field.size() > 1 && field.find_first_not_of("-0123456789.,") == std::string::npos;
    for (char& c : field) c = !number ? c : c == '.' ? ',' : c == ',' ? '.' : c;
    swapped += field;
    if (end < text.size()) swapped += '"';
  }
  replace(swapped, "\"9,0\"", "\"9.0\"");
  REQUIRE(swapped != text);
  NcuFile original = parse(text), other = parse(swapped);
  REQUIRE(other.launches.size() == 1);
  CHECK(other.launches[0].metrics == original.launches[0].metrics);
  CHECK(other.remarks == std::vector<std::string>{"numbers read with a decimal comma"});
}

TEST_CASE("a file whose numbers can be read two ways is refused with a hint") {
  CHECK(refusal(raw_page({{"a__x", "", {"91.98"}}, {"a__y", "", {"65,77"}}})) ==
        "test.csv: some numbers have a decimal point (91.98), others a decimal comma (65,77)");
  CHECK(refusal(raw_page({{"a__x", "", {"1.234"}}})) ==
        "test.csv: its decimal sign cannot be told: 1.234 may be 1234 or a fraction");
  CHECK(value(parse(raw_page({{"a__x", "", {"1,234"}}})).launches.at(0), "a__x") == 1234);
}

TEST_CASE("missing values are none, and never 0") {
  for (std::string text : {"n/a", "N/A", "no data", "", "nan", "-nan", "inf", "(!) n/a"}) {
    CAPTURE(text);
    const Launch l = parse(raw_page({{"a__x", "%", {text}}, {"a__y", "", {"0"}}})).launches.at(0);
    CHECK_FALSE(metric(l, "a__x"));
    CHECK(l.missing == std::vector<std::string>{"a__x"});
    CHECK(l.texts.empty());
    CHECK(value(l, "a__y") == 0);
  }
}

TEST_CASE("old spellings of units read as the new ones") {
  NcuFile file = parse(rows_head + row(duration, "usecond", "21.5") +
                       row("dram__bytes.sum.per_second", "Gbyte/second", "300.25") +
                       row("smsp__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.59") +
                       row("launch__shared_mem_per_block_static", "Kbyte/block", "1.02"));
  const Launch& l = file.launches.at(0);
  CHECK(value(l, duration) == 21500);
  CHECK(value(l, "dram__bytes.sum.per_second") == 300.25e9);
  CHECK(value(l, "smsp__cycles_elapsed.avg.per_second") == 1.59e9);
  CHECK(value(l, "launch__shared_mem_per_block_static") == 1020);
}

TEST_CASE("rows of 16 and of 20 fields, and columns unknown, go together") {
  std::string text = rows_head + row(duration, "ns", "21,058,944");
  replace(text, "\"21,058,944\"\n", "\"21,058,944\",\n");  // the trailing comma of a real file
  text += launch0 + ",\"SpeedOfLight\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"Look at it\",\"\",\"\"\n";
  replace(text, "\"Estimated Speedup\"\n", "\"Estimated Speedup\",\"Something New\"\n");
  NcuFile file = parse(text);
  REQUIRE(file.launches.size() == 1);
  CHECK(value(file.launches[0], duration) == 21058944);
  REQUIRE(file.launches[0].rules.size() == 1);
  CHECK(file.remarks.empty());
}

TEST_CASE("columns are found by name: NVTX ranges, the headers of 2020 and 2022") {
  std::string nvtx =
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\","
      "\"thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg\","
      "\"Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg\",\"Kernel "
      "Name\",\"Context\","
      "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n"
      "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\"\n"
      "\"3\",\"7\",\"app\",\"host\",\"1 <default domain>:train:none:none:none\",\"5\",\"k(int)\",\"1\",\"7\","
      "\"(32, 1, 1)\",\"(4, 1, 1)\",\"0\",\"8.6\",\"2.5\"\n";
  const Launch l = parse(nvtx).launches.at(0);
  CHECK(l.id == 3);
  CHECK(l.kernel == "k(int)");
  CHECK(l.grid == "(4, 1, 1)");
  CHECK(l.arch == "sm_86");
  CHECK(l.metrics == Facts{{duration, 2500}});
  std::string of_2020 =
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel "
      "Time\",\"Context\",\"Stream\","
      "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"9\",\"app\",\"host\",\"k(int)\",\"2020-Nov-02 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\","
      "\"Duration\",\"usecond\",\"21.50\"\n"
      "\"0\",\"9\",\"app\",\"host\",\"k(int)\",\"2020-Nov-02 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\","
      "\"SOL SM\",\"%\",\"12.38\"\n";
  const Launch old = parse(of_2020).launches.at(0);
  CHECK(value(old, duration) == 21500);
  CHECK(value(old, "sm__throughput.avg.pct_of_peak_sustained_elapsed") == 12.38);
  CHECK(old.grid.empty());
  CHECK(old.arch.empty());
  std::string of_2022 = rows_head + row(duration, "ns", "1") + launch0 +
                        ",\"Occupancy\",\"\",\"\",\"\",\"Occ\",\"WRN\",\"low\"\n";
  replace(of_2022, ",\"Estimated Speedup Type\",\"Estimated Speedup\"", "");
  const Launch ended = parse(of_2022).launches.at(0);
  REQUIRE(ended.rules.size() == 1);
  CHECK(ended.rules[0].text == "low");
  CHECK_FALSE(ended.rules[0].estimate);
}

TEST_CASE("a byte order mark and CRLF do not matter") {
  std::string text = captured("softmax.naive.details.csv.gz"), dos = text;
  replace(dos, "\n", "\r\n");
  NcuFile plain = parse(text);
  for (const std::string& other : {"\xEF\xBB\xBF" + text, dos, "\xEF\xBB\xBF" + dos}) {
    NcuFile file = parse(other);
    REQUIRE(file.launches.size() == plain.launches.size());
    CHECK(file.remarks.empty());
    CHECK(file.launches[1].metrics == plain.launches[1].metrics);
    CHECK(file.launches[1].rules.size() == plain.launches[1].rules.size());
  }
  std::string last = raw_page({{duration, "us", {"1.5"}}});
  replace(last, "\n", "\r\n");
  CHECK(value(parse(last).launches.at(0), duration) == 1500);
}

TEST_CASE("metric names as name, as label, and as label (name)") {
  NcuFile file =
      parse(rows_head + row("gpu__time_duration.sum", "ns", "1") + row("DRAM Throughput", "%", "2.5") +
            row("Memory Throughput (dram__bytes.sum.per_second)", "Gbyte/s", "3") +
            row("Something New", "%", "4") + row("Max Bandwidth (peak)", "%", "5"));
  CHECK(file.launches.at(0).metrics == Facts{{"dram__bytes.sum.per_second", 3e9},
                                             {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 2.5},
                                             {duration, 1}});
  const Launch raw = parse(raw_page({{"Duration (gpu__time_duration.sum)", "us", {"1.5"}}})).launches.at(0);
  CHECK(raw.metrics == Facts{{duration, 1500}});
}

TEST_CASE("a label is known by its unit where it needs to be") {
  CHECK(metric_of_label("Memory Throughput", "%") ==
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
  CHECK(metric_of_label("Memory Throughput", "byte/s") == "dram__bytes.sum.per_second");
  CHECK(metric_of_label("Memory Throughput", "hz").empty());
  CHECK(metric_of_label("Duration", "ns") == duration);
  CHECK(metric_of_label("SOL Memory", "%") == metric_of_label("Memory Throughput", "%"));
  CHECK(metric_of_label("Achieved Occupancy", "%") == "sm__warps_active.avg.pct_of_peak_sustained_active");
  CHECK(metric_of_label("duration", "ns").empty());
  CHECK(metric_of_label("", "").empty());
}

TEST_CASE("launches of one kernel stay apart by ID and by process") {
  std::string other = launch0, process = launch0;
  replace(other, "\"0\",\"42\"", "\"1\",\"42\"");
  replace(process, "\"42\"", "\"43\"");
  // Rows need not stand together.
  NcuFile file = parse(rows_head + row(duration, "ns", "1") + row(duration, "ns", "2", other) +
                       row(duration, "ns", "3", process) + row("dram__bytes.sum", "byte", "4") +
                       row("dram__bytes.sum", "byte", "5", other));
  REQUIRE(file.launches.size() == 3);
  CHECK(value(file.launches[0], duration) == 1);
  CHECK(value(file.launches[0], "dram__bytes.sum") == 4);
  CHECK(value(file.launches[1], "dram__bytes.sum") == 5);
  CHECK(file.launches[2].process == "43");
}

TEST_CASE("a file without launches is refused and told why") {
  std::string head = raw_page({{duration, "us", {}}});
  CHECK(refusal("") == "test.csv: no table of Nsight Compute in it");
  CHECK(refusal("a,b\n1,2\n") == "test.csv: no table of Nsight Compute in it");
  CHECK(refusal(head) == "test.csv: no table of Nsight Compute in it");
  CHECK(refusal("==PROF== Connected\n==WARNING== No kernels were profiled.\n") ==
        "test.csv: ncu profiled no kernel");
}

TEST_CASE("IDs and counts too large to be true do no harm") {
  std::string text = rows_head + row(duration, "ns", "1");
  for (const std::string& id : {std::string(25, '9'), std::string(300, '9'), std::string(400, '9')}) {
    std::string huge = text;
    replace(huge, "\"0\",\"42\"", "\"" + id + "\",\"42\"");
    CHECK(parse(huge).launches.at(0).id == 0);
  }
  std::string summary = captured("softmax.naive.summary.csv.gz");
  replace(summary, "\"9.0\",\"2\"", "\"9.0\",\"99999999999999999999\"");
  CHECK(parse(summary).launches.at(0).invocations == 1 << 30);
  replace(summary, "\"99999999999999999999\"", "\"-5\"");
  CHECK(parse(summary).launches.at(0).invocations == 1);
}

TEST_CASE("whatever is done to a file, only Error is thrown and values stay finite") {
  std::mt19937 random(11);
  std::vector<std::string> originals = {
      captured("collect.metrics.csv"), captured("softmax.naive.details.csv.gz").substr(0, 9000),
      captured("softmax.naive.summary.csv.gz").substr(0, 6000),
      raw_page({{duration, "us", {"1.5", "2,500.5"}}, {"a__b", "Gbyte", {"7", "n/a"}}})};
  const std::string pieces = "\",\n\r.0159eE-+( )%\xEF\xBB\xBF\"\"\"";
  int parsed = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = originals[round % originals.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes) {
      std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.resize(at + 1);
          break;
        case 1:
          text.erase(at, 1 + random() % 40);
          break;
        case 2:
          text[at] = pieces[random() % pieces.size()];
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 200));
      }
      if (text.empty()) text = "\"";
    }
    try {
      NcuFile file = parse(text);
      REQUIRE_FALSE(file.launches.empty());
      ++parsed;
      for (const Launch& launch : file.launches) {
        for (const auto& [name, number] : launch.metrics) REQUIRE(std::isfinite(number));
      }
    } catch (const Error&) {
    }
  }
  CHECK(parsed > 500);
}
