#include "intake/loop_pages.h"

#include <array>

namespace explog::intake {
namespace {

struct LoopPage {
  std::string_view begins, has, what;
};

constexpr std::array<LoopPage, 9> loop_pages = {{
    {"{\"format\":", "\"limits\":{\"max_versions\":", "the contract of a campaign"},
    {"{\"n\":0,\"at\":", "\"kind\":\"start\"", "the journal of a campaign"},
    {"# NCU Profile Summary", "", "counters of one version"},
    {"# NCU Profile Details", "", "counters of one version"},
    {"# Correctness", "", "the check of one version"},
    {"# Environment check", "", "the tools of a campaign"},
    {"# Benchmark: ", "", "a version beside PyTorch"},
    {"Hypothesis:", "", "what one version should do"},
    {"# ", "## Version Iteration Comparison", "the report of a campaign"},
}};

}  // namespace

std::string_view loop_page(std::string_view head) {
  for (const LoopPage& page : loop_pages) {
    if (head.starts_with(page.begins) && head.find(page.has) != std::string_view::npos) return page.what;
  }
  return "";
}

}  // namespace explog::intake
