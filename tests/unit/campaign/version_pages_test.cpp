// Pages that other tools know by their names and headings.
#include <doctest/doctest.h>

#include "base/text.h"
#include "campaign/pages.h"
#include "campaign/version_pages.h"

using namespace explog;
using namespace explog::campaign;

namespace {

std::vector<std::string> headings(const std::string& page) {
  std::vector<std::string> list;
  for (std::string_view line : split(page, '\n'))
    if (line.starts_with('#')) list.emplace_back(line);
  return list;
}

Contract contract() {
  Contract c;
  c.task = "softmax", c.backend = "host", c.explog = "0.1.0";
  return c;
}

Judged measured(int version) {
  Judged j;
  j.version = version, j.ms = 2.0 / (version + 1), j.gpu = "A | processor";
  j.shapes = {{"N=8", 2, j.ms, {2, 1.9, 2.1}, 0, "faster"}};
  j.checked = {{"N=8", true, 3, 1e-6, true}, {"N=7", false, 2, 2e-6, true}, {"N=5", false, 2, -1, false}};
  j.than_baseline = {2, 1.9, 2.1};
  return j;
}

State state() {
  State s;
  for (int v : {0, 1}) {
    Proposed p;
    p.version = v, p.file = v == 0 ? "v0.cpp" : "v1.cpp";
    s.versions.push_back({p, measured(v), Decision::keep, {}});
  }
  s.champion = 1;
  return s;
}

}  // namespace

TEST_CASE("env_check has the headings and the table of kernel-opt-skill") {
  std::vector<Found> found = {
      {"nvcc", "CUDA 13", true, true}, {"ncu", "not found", false, false}, {"$CXX", "g++", false, true}};
  std::string page = env_check(contract(), found);
  CHECK(headings(page) == std::vector<std::string>{"# Environment check", "## Status", "## Requirements",
                                                   "## GPU", "## Tools", "## Environment variables",
                                                   "## Errors", "## Warnings"});
  CHECK(page.find("## Status\n\nREADY\n") != std::string::npos);
  CHECK(page.find("| Requirement | Status | Detail |\n|:--|:--|:--|\n| nvcc | OK | CUDA 13 |\n| ncu | not "
                  "needed | not found |\n") != std::string::npos);
  CHECK(page.find("- $CXX=g++\n") != std::string::npos);
  CHECK(page.find("## Errors\n\nNone\n") != std::string::npos);
  found[0].there = false;
  page = env_check(contract(), found);
  CHECK(page.find("## Status\n\nNOT READY\n") != std::string::npos);
  CHECK(page.find("## Errors\n\n- nvcc: CUDA 13\n") != std::string::npos);
}

TEST_CASE("correctness names what was compared, and hidden shapes by their number alone") {
  std::string page = correctness(contract(), state().versions[1]);
  CHECK(headings(page) ==
        std::vector<std::string>{"# Correctness: v1", "## Output Tensors", "## Value Previews"});
  for (const char* row :
       {"| Kernel | v1.cpp |", "| GPU | A \\| processor |", "| Dims | N=8; 2 others |",
        "| Result | ALL PASS |", "| outputs at N=8 | all | PASS | 1.000e-06 | N/A | N/A | 0 |",
        "| outputs at other shapes | all | FAIL | not finite | N/A | N/A | see Result |"})
    CHECK(page.find(row) != std::string::npos);
  CHECK(page.find("N=7") == std::string::npos);
}

TEST_CASE("correctness has a row for each output of each shape") {
  Version v = state().versions[1];
  CheckedOutput right{"mean", "f32", 8, 0, 0, ""}, wrong{"y", "f32", 64, 2, 0.25, "[5]: 0.5 instead of 0.25"};
  v.judged->checked = {{"N=8", true, 3, 0.25, false, {wrong, right}},
                       {"N=7", false, 2, 1e-6, false, {right, right}}};
  std::string page = correctness(contract(), v);
  for (const char* row :
       {"| y at N=8 | f32 | FAIL | 2.500e-01 | N/A | N/A | 2/64, first [5]: 0.5 instead of 0.25 |\n",
        "| mean at N=8 | f32 | PASS | 0.000e+00 | N/A | N/A | 0/8 |\n",
        // It failed by something else, such as different results for the same inputs.
        "| mean at other shapes | f32 | FAIL | 0.000e+00 | N/A | N/A | see Result |\n"})
    CHECK(page.find(row) != std::string::npos);
}

TEST_CASE("benchmark says what was not measured and why") {
  std::string page = benchmark(contract(), state());
  CHECK(headings(page) ==
        std::vector<std::string>{"# Benchmark: softmax", "## Timing", "## Hardware Metrics"});
  CHECK(page.find("| N=8 | 1.000000 ms | 2.000000 ms | not measured: ") != std::string::npos);
  CHECK(page.find("Headline: 2.000x (99% 1.900 to 2.100)") != std::string::npos);
  auto why = [](const char* arch) {
    Contract c = contract();
    c.arch = arch;
    std::string said = benchmark(c, state());
    std::size_t at = said.find("not measured: ");
    return said.substr(at + 14, said.find(" |", at) - at - 14);
  };
  CHECK(why("") == "no GPU, on which PyTorch would be timed");
  CHECK(why("sm_90a") == "`explog campaign report --benchmark` does");
}

TEST_CASE("benchmark has PyTorch's times, and its headline is against the faster of both") {
  State s = state();
  Version& best = s.versions[static_cast<std::size_t>(s.champion)];
  best.benchmarks = {
      {1, "torch", "torch 2.11.0", "", {4, 3.9, 4.1}, {{"N=8", 4, 1, {4, 3.9, 4.1}, 0, "faster"}}},
      {1, "torch.compile", "torch.compile 2.11.0", "", {1.5, 1.4, 1.6}, {{"N=8", 1.5, 1, {}, 0, ""}}}};
  std::string page = benchmark(contract(), s);
  CHECK(page.find("| N=8 | 1.000000 ms | 2.000000 ms | 4.000000 ms | 1.500000 ms |\n") != std::string::npos);
  CHECK(page.find("both PyTorch columns 1.500x (99% 1.400 to 1.600) (torch.compile 2.11.0)\n") !=
        std::string::npos);
  best.benchmarks[1].reason = "timeout: too long | really";
  page = benchmark(contract(), s);
  CHECK(page.find("| 4.000000 ms | not measured: timeout: too long \\| really |\n") != std::string::npos);
  CHECK(page.find("both PyTorch columns 4.000x (99% 3.900 to 4.100) (torch 2.11.0)\n") != std::string::npos);
  best.benchmarks[0].reason = "crash";
  CHECK(benchmark(contract(), s).find("both PyTorch columns not measured: timeout: too long") !=
        std::string::npos);
}

TEST_CASE("the last benchmark with a program is the one that counts") {
  Event proposed{0, "2026-01-01T00:00:00Z", Proposed{}};
  auto with = [](int n, const char* program, const char* reason) {
    return Event{n, "2026-01-01T00:00:00Z", Benchmarked{0, program, "torch", reason, {}, {}}};
  };
  State s =
      state_of({proposed, with(1, "torch", "no GPU"), with(2, "torch.compile", ""), with(3, "torch", "")});
  REQUIRE(s.versions[0].benchmarks.size() == 2);
  CHECK(s.versions[0].benchmark_with("torch")->reason.empty());
  CHECK(s.versions[0].benchmark_with("torch.compile") != nullptr);
  CHECK(s.versions[0].benchmark_with("jax") == nullptr);
  Event event = with(1, "torch.compile", "a \"reason\"");
  std::get<Benchmarked>(event.what).shapes = {{"N=8", 4, 1, {4, 3.9, 4.1}, 0.5, "faster"}};
  Event first{0, "2026-01-01T00:00:00Z", Proposed{}};
  Journal read = parse_journal(to_line(first) + to_line(event));
  REQUIRE(read.events.size() == 2);
  CHECK(to_line(read.events[1]) == to_line(event));
}

TEST_CASE("many small gains that the direct comparison does not show are told") {
  auto report = [](Faster direct) {
    State s = state();
    for (int v = 2; v <= 6; ++v) {
      s.versions.push_back(s.versions[1]);
      s.versions.back().proposal.version = v, s.versions.back().judged->version = v;
    }
    for (Version& v : s.versions) v.judged->faster = {1.03, 1.02, 1.04};
    s.champion = 6, s.versions[6].judged->than_baseline = direct;
    return final_report(contract(), s);
  };
  CHECK(report({1.01, 1.0, 1.02}).find("The single gains multiply to 1.194x") != std::string::npos);
  CHECK(report({1.19, 1.17, 1.21}).find("multiply") == std::string::npos);
}
