#include "bench/judge/sanitizer_report.h"

#include <algorithm>

#include "base/text.h"

namespace explog::bench {

std::string sanitizer_finding(std::string_view tool, const std::string& report) {
  constexpr std::string_view mark = "=========", copied_out = "Host API memory access";
  if (tool == "initcheck" && report.find(copied_out) != std::string::npos &&
      report.find("Uninitialized __") == std::string::npos)
    return "";
  for (std::string_view line : split(report, '\n')) {
    std::string_view text = trim(line.starts_with(mark) ? line.substr(mark.size()) : line);
    bool of_kernel = tool != "initcheck" || text.find(copied_out) == std::string_view::npos;
    if (!text.empty() && of_kernel && text.find("COMPUTE-SANITIZER") == std::string_view::npos)
      return printable(text);
  }
  return "errors without a report";
}

}  // namespace explog::bench
