#include "intake/print_record.h"

#include <doctest/doctest.h>

#include "intake/python_repr.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

std::vector<Parsed> read_printed(const std::string& text) { return read_all(intake::print_record, text); }

const std::string perf_test = "tests/ops/test_x.py::Test_X::test_perf[cutile-64] ";

// A run of that test, as `pytest -sv` prints it.
std::string line(const std::string& statistics, const std::string& unit = " ms") {
  return perf_test + "Cutile: {'forward': {" + statistics + "}}" + unit + "\nPASSED\n";
}

}  // namespace

TEST_CASE("print_record: two lines of one backend and direction are before and after") {
  auto list = drain(intake::print_record(sample("sample_print_record.log"), nullptr));
  REQUIRE(list.size() == 4);
  const Experience& e = *list[0].experience;
  CHECK(has(list[0].where, "sample_print_record.log:7"));
  CHECK(remarks_with(list, "latencies are the median") == 1);
  CHECK(e.backend == "cutile");
  CHECK(e.tags == Tags{"forward", "test=test_perf[cutile-4096-1024]"});
  CHECK(e.latency_before_ms == 3.8099);
  CHECK(e.latency_after_ms == 3.2005);
  CHECK(fact(e.metrics_after, "rel_std_pct") == 0.0937);
  CHECK(fact(e.metrics_after, "nrep") == 15);
  CHECK(fact(e.metrics_after, "peak_mem_mb") == 913);
  CHECK(fact(e.metrics_before, "mean_ms") == 3.8101);
  CHECK(e.outcome.empty());
  for (auto [at, what] :
       {std::pair<size_t, std::string>(1, "Cutile backward by tests/sample/test_rms_norm.py::"),
        {2, "Torch forward by tests/sample/test_rms_norm.py::"},
        {3, "Cutile forward by tests/sample/test_rms_norm.py::test_perf[cutile-64-1024]"}}) {
    CHECK(has(list[at].fault, "only one measurement of " + what));
    CHECK(has(list[at].fault, ": a before and an after are needed, in one file"));
  }
}

TEST_CASE("print_record: one test at two sizes is no before and after, at each size two runs are") {
  auto run = [](const std::string& id, double ms) {
    return "tests/test_a.py::test_perf[" + id + "] \nCutile: {'forward': {'median': " + std::to_string(ms) +
           "}} ms\nPASSED\n";
  };
  const std::string session = "===== test session starts =====\n";
  std::string before = session + run("64-[1, 2]", 1) + run("4096-[1, 2]", 9);
  auto one = read_printed(before);
  REQUIRE(one.size() == 2);
  CHECK_FALSE(one[0].experience);
  CHECK_FALSE(one[1].experience);
  auto two = read_printed(before + session + run("4096-[1, 2]", 8) + run("64-[1, 2]", 0.5));
  REQUIRE(two.size() == 2);
  CHECK(two[0].experience->latency_before_ms == 9);
  CHECK(two[0].experience->latency_after_ms == 8);
  CHECK(two[0].experience->tags == Tags{"forward", "test=test_perf[4096-[1, 2]]"});
  CHECK(two[1].experience->latency_before_ms == 1);
}

TEST_CASE("print_record: what one run prints twice is of two kinds; titles of sections name tests too") {
  auto run = [](double first, double second) {
    auto record = [](double ms) { return "Cutile: {'median': " + std::to_string(ms) + "} ms\n"; };
    return "____ Test_A.test_perf[(64, 8)] ____\n--- Captured stdout call ---\n" + record(first) +
           record(second);
  };
  auto list = read_printed(run(4, 40) + run(3, 30));
  REQUIRE(list.size() == 2);
  CHECK(list[0].experience->latency_before_ms == 4);
  CHECK(list[0].experience->latency_after_ms == 3);
  CHECK(list[1].experience->latency_before_ms == 40);
  CHECK(read_printed(run(4, 40)).size() == 2);
  CHECK_FALSE(read_printed(run(4, 40))[0].experience);
}

TEST_CASE("print_record: a line that no test stands before is refused") {
  auto list =
      read_printed(line("'median': 2") + "= test session starts =\nCutile: {'forward': {'median': 1}} ms\n");
  REQUIRE(list.size() == 2);
  CHECK(list[0].where == "stdin:4");
  CHECK(has(list[0].fault, "no test is named before it"));
  CHECK(has(list[1].fault, "only one measurement"));
}

TEST_CASE("print_record: three lines are two changes") {
  auto list = read_printed(line("'median': 4") + line("'median': 3") + line("'median': 2.5"));
  REQUIRE(list.size() == 2);
  CHECK(list[1].experience->latency_before_ms == 3);
  CHECK(list[1].experience->latency_after_ms == 2.5);
}

TEST_CASE("print_record: without a median the mean stands in, on both sides") {
  auto list = read_printed(line("'mean': 4, 'median': 3.9") + line("'mean': 3"));
  CHECK(list.at(0).experience->latency_before_ms == 4);
  CHECK(list.at(0).experience->latency_after_ms == 3);
  CHECK(remarks_with(list, "mean (no median given)") == 1);
}

TEST_CASE("print_record: units, flat dictionaries, text before the label") {
  auto list =
      read_printed(perf_test + "\nINFO [gw0] Triton: {'mean': 2000, 'median': 2000} us\n" + perf_test +
                   "\nTriton: {'median': 1.0, 'note': \"it's\", 'x': "
                   "None, 'y': nan} ms\n");
  REQUIRE(list.size() == 1);
  CHECK(list[0].experience->latency_before_ms == 2);
  CHECK(list[0].experience->backend == "triton");
  CHECK(list[0].experience->tags == Tags{"test=test_perf[cutile-64]"});
}

TEST_CASE("print_record: broken lines are named, good ones are kept") {
  auto fault = [](const std::string& text) {
    return read_printed(text + line("'median': 2") + line("'median': 1")).at(0).fault;
  };
  CHECK(has(fault(line("'median': 3", " furlongs")), "unit 'furlongs': expected ms"));
  CHECK(has(fault(line("'median': 0")), "neither a median nor a mean above 0"));
  CHECK(has(fault(line("'median': nan, 'mean': inf")), "neither a median nor a mean above 0"));
  CHECK(has(fault(line("'median': -inf")), "neither a median nor a mean above 0"));
  CHECK(has(fault(line("'median': 3 'mean'")), "not a record of --print-record"));
  CHECK(has(fault(perf_test + "Cutile: {'forward': 3, 'mean'} ms\n"), "not a record of --print-record"));
  CHECK(has(fault(line("'\xff': 1, 'median': 3")), "not a record of --print-record"));
  CHECK(has(fault(std::string(300000, 'x') + "\n"), "longer than 256 KiB"));
  auto list = read_printed(line("'median': 0") + line("'median': 2") + line("'median': 1"));
  CHECK(list.at(1).experience->latency_before_ms == 2);
}

TEST_CASE("print_record: other logs are told apart") {
  CHECK(has(read_printed("Error: {'a': 1}\n").at(0).fault, "no line of --print-record"));
  CHECK(has(read_printed("").at(0).fault, "no line of --print-record"));
  CHECK(intake::looks_like_print_record("x\n" + line("'median': 3")));
  CHECK_FALSE(intake::looks_like_print_record("x: {'a': 3}"));
}

TEST_CASE("python_repr: strings, words, and what is left to the JSON parser") {
  CHECK(intake::python_to_json("{'a': 'it\\'s \"x\"', \"b\": True, 'c': [None, -inf, 1e-06]}") ==
        "{\"a\": \"it's \\\"x\\\"\", \"b\": true, \"c\": [null, null, 1e-06]}");
  CHECK(intake::python_to_json("'open") == "\"open\"");
  CHECK(intake::python_to_json("'\\") == "\"\\\"");
}
