#include "intake/perf_results.h"

#include <doctest/doctest.h>

#include "model/claim.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

const std::string head =
    "| iteration | optimization | latency_ms | correctness | status |\n|---:|:---|---:|:---:|---:|\n";

std::vector<Parsed> rows(const std::string& text) {
  return read_all(intake::perf_results, head + "|0|baseline|1.0|PASS|keep|\n" + text);
}
std::string fault_of_page(const std::string& text) {
  auto list = rows(text + "\n");
  REQUIRE(list.size() == 1);
  CHECK(list[0].where == "stdin:4");
  return list[0].fault;
}

}  // namespace

TEST_CASE("perf_results: each row is compared with the last one kept") {
  auto list = drain(intake::perf_results(sample("sample_perf_results.md"), nullptr));
  REQUIRE(list.size() == 5);
  const Experience& tma = *list[0].experience;
  CHECK(has(list[0].where, "sample_perf_results.md:6"));
  CHECK(tma.strategy == "TMA replace gather");
  CHECK(tma.backend.empty());  // the user may know better
  CHECK(tma.kernel_type.empty());
  CHECK(tma.arch.empty());
  CHECK(tma.iteration == 1);
  CHECK(tma.latency_before_ms == 0.82);
  CHECK(tma.latency_after_ms == 0.39);
  CHECK(tma.correctness == "pass");
  CHECK(tma.decision == "keep");
  CHECK(tma.source == "sample_perf_results.md");
  const Experience& wrong = *list[1].experience;
  CHECK(wrong.params == Params{{"mode", "ftz"}});
  CHECK(wrong.cause == "wrong_values");
  CHECK(wrong.latency_before_ms == 0.39);
  const Experience& crash = *list[2].experience;
  CHECK(crash.cause == "launch_error");
  CHECK_FALSE(crash.latency_after_ms);
  CHECK(list[3].experience->latency_before_ms == 0.39);
  CHECK(list[4].experience->latency_before_ms == 0.39);  // the reverted row is no baseline
}

TEST_CASE("perf_results: rows become outcomes") {
  auto outcome = [](const std::string& row) {
    Experience e = *rows(row).at(0).experience;
    e.kernel_type = "rmsnorm";
    prepare(e, "imported");
    return e.outcome + "/" + e.cause;
  };
  CHECK(outcome("|1|a|0.5|PASS|keep|") == "success/");
  CHECK(outcome("|1|a|1.005|PASS|keep|") == "neutral/");
  CHECK(outcome("|1|a|1.5|PASS|revert|") == "failure/regression");
  CHECK(outcome("|1|a|0.5|FAIL|revert|") == "failure/wrong_values");
  CHECK(outcome("|1|a||FAIL|crash|") == "failure/wrong_values");
  CHECK(outcome("|1|a|-|-|crash|") == "failure/launch_error");
  CHECK(outcome("|1|a|0.000000|PASS|revert|") ==
        "neutral/");  // as a campaign writes what is right and has no time
}

TEST_CASE("perf_results: broken rows are named by line, the rest is read") {
  CHECK(fault_of_page("|1|a|0.5|PASS|") == "4 columns, the table has 5");
  CHECK(fault_of_page("|1|a|0.5|PASS|keep|more|") == "6 columns, the table has 5");
  CHECK(fault_of_page("|one|a|0.5|PASS|keep|") == "iteration: expected 0, 1, 2, ...");
  CHECK(fault_of_page("|1.5|a|0.5|PASS|keep|") == "iteration: expected 0, 1, 2, ...");
  CHECK(fault_of_page("|-1|a|0.5|PASS|keep|") == "iteration: expected 0, 1, 2, ...");
  CHECK(fault_of_page("|1|a|fast|PASS|keep|") == "latency_ms 'fast': expected milliseconds above 0");
  CHECK(fault_of_page("|1|a|0|PASS|keep|") == "latency_ms '0': expected milliseconds above 0");
  CHECK(fault_of_page("|1|a|-2|PASS|revert|") == "latency_ms '-2': expected milliseconds above 0");
  CHECK(fault_of_page("|1|a|nan|PASS|revert|") == "latency_ms 'nan': expected milliseconds above 0");
  CHECK(fault_of_page("|1|a|0.5|MAYBE|keep|") == "correctness 'maybe': expected PASS or FAIL");
  CHECK(fault_of_page("|1|a|0.5|PASS|kept|") == "status 'kept': expected keep, revert or crash");
  CHECK(fault_of_page("|1|\xff|0.5|PASS|keep|") == "not valid UTF-8");
  CHECK(fault_of_page("|1|" + std::string(300000, 'x') + "|0.5|PASS|keep|") == "longer than 256 KiB");
  auto list = rows("|1|a|x|PASS|keep|\n|2|b|0.5|PASS|keep|\n");
  CHECK(list.at(1).experience->latency_before_ms == 1.0);
}

TEST_CASE("perf_results: text around the table, blank lines, escaped bars, milliseconds, other order") {
  auto list = read_all(
      intake::perf_results,
      "\xEF\xBB\xBF# notes\r\n\r\nsee a|b\r\n| status | latency_ms | correctness | Iteration | optimization "
      "|\r\n"
      "|-|-|-|-|-|\r\n| keep | 2 ms | PASS | 0 | base |\r\n\r\n| keep | 1 ms | PASS | 1 | a \\| b |\r\n\r\n"
      "text | with bars\n| 3 | other | table |\n");
  REQUIRE(list.size() == 1);
  CHECK(list[0].experience->strategy == "a | b");
  CHECK(list[0].experience->latency_before_ms == 2);
  CHECK(list[0].experience->latency_after_ms == 1);
}

TEST_CASE("perf_results: several tables") {
  std::string first = head + "|0|b|4|PASS|keep|\n|1|x|3|PASS|keep|\n";
  auto goes_on = read_all(intake::perf_results, first + "\n## later\n" + head + "|2|y|2|PASS|keep|\n");
  CHECK(goes_on.at(1).experience->latency_before_ms == 3);
  auto own = read_all(intake::perf_results, first + "\n" + head + "|0|b|9|PASS|keep|\n|1|y|8|PASS|keep|\n");
  CHECK(own.at(1).experience->latency_before_ms == 9);
  auto without =
      read_all(intake::perf_results, first + "\n" + head + "|7|y|8|PASS|keep|\n|8|z|1|FAIL|crash|\n");
  CHECK(has(without.at(1).fault, "no kept row before it"));
  CHECK(without.at(2).experience);  // a failure needs no latency
}

TEST_CASE("perf_results: a wrong kernel that was kept is no baseline") {
  auto list = rows("|1|a|0.1|FAIL|keep|\n|2|b|0.5|PASS|keep|\n");
  CHECK(remarks_with(list, "not taken as the new baseline") == 1);
  CHECK(list.at(1).experience->latency_before_ms == 1.0);
}

TEST_CASE("perf_results: a file without the table says so") {
  CHECK(has(read_all(intake::perf_results, "nothing\n").at(0).fault, "no table with the columns"));
  CHECK(has(read_all(intake::perf_results, "").at(0).fault, "no table with the columns"));
  CHECK(read_all(intake::perf_results, head).empty());
  CHECK(intake::looks_like_perf_results("# x\n" + head));
  CHECK_FALSE(intake::looks_like_perf_results("| a | b |"));
}
