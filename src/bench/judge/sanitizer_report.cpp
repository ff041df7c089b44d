#include "bench/judge/sanitizer_report.h"

#include <algorithm>

#include "base/text.h"

namespace explog::bench {
namespace {

constexpr std::string_view copied_out = "Host API memory access";

// The lines that say something, without the tool's marks: neither details, which are indented, nor head and sum.
std::vector<std::string_view> headings(const std::string& report) {
  constexpr std::string_view mark = "========= ";
  std::vector<std::string_view> headings;
  for (std::string_view line : split(report, '\n')) {
    std::string_view text = line.starts_with(mark) ? line.substr(mark.size()) : line;
    bool frame = text.starts_with("COMPUTE-SANITIZER") || text.find(" SUMMARY: ") != std::string_view::npos;
    if (!trim(text).empty() && text.front() != ' ' && !frame) headings.push_back(trim(text));
  }
  return headings;
}

bool of_tool(std::string_view heading) {
  return heading.starts_with("Internal Sanitizer Error") ||
         heading.ends_with("is not supported by the selected tool");
}

}  // namespace

std::string sanitizer_finding(std::string_view tool, const std::string& report) {
  bool explained = false;
  for (std::string_view heading : headings(report)) {
    bool of_harness = tool == "initcheck" && heading.find(copied_out) != std::string_view::npos;
    if (!of_tool(heading) && !of_harness) return printable(heading);
    explained = true;
  }
  return explained ? "" : "errors without a report";
}

std::string sanitizer_limit(const std::string& report) {
  std::vector<std::string_view> lines = headings(report);
  auto limit = std::find_if(lines.begin(), lines.end(), of_tool);
  return limit == lines.end() ? "" : printable(*limit);
}

}  // namespace explog::bench
