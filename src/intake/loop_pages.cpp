#include "intake/loop_pages.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/text.h"

namespace explog::intake {
namespace {

namespace fs = std::filesystem;

constexpr int most_versions = 1000;

struct LoopPage {
  std::string_view begins, has, what;
};

constexpr std::array<LoopPage, 8> loop_pages = {{
    {"{\"format\":", "\"limits\":{\"max_versions\":", "the contract of a campaign"},
    {"{\"n\":0,\"at\":", "\"kind\":\"start\"", "the journal of a campaign"},
    {"# NCU Profile Details", "", "counters of one version"},
    {"# Correctness", "", "the check of one version"},
    {"# Environment check", "", "the tools of a campaign"},
    {"# Benchmark: ", "", "a version beside PyTorch"},
    {"Hypothesis:", "", "what one version should do"},
    {"# ", "## Version Iteration Comparison", "the report of a campaign"},
}};

fs::path folder_of(const std::string& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).parent_path();
}

// Of "loop/v1/ncu_summary.md": loop/perf_results.md.
bool has_table(const std::string& path) {
  std::error_code ignored;
  return fs::exists(folder_of(path).parent_path() / "perf_results.md", ignored);
}

}  // namespace

std::optional<int> version_of_page(const std::string& path) {
  std::string name = folder_of(path).filename().string();
  auto number = name.starts_with('v') ? parse_number(name.substr(1)) : std::nullopt;
  bool whole = number && *number >= 0 && *number < most_versions && name == fmt::format("v{:.0f}", *number);
  return whole ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::string_view loop_page(const std::string& path, std::string_view head) {
  if (head.starts_with("# NCU Profile Summary"))
    return version_of_page(path) && !has_table(path) ? "" : "counters of one version";
  for (const LoopPage& page : loop_pages) {
    if (head.starts_with(page.begins) && head.find(page.has) != std::string_view::npos) return page.what;
  }
  return "";
}

}  // namespace explog::intake
