#include "bench/judge/metric_lines.h"

#include <cmath>

#include "base/text.h"

namespace explog::bench {
namespace {

constexpr std::string_view opening = "METRIC ";
constexpr std::size_t longest_name = 64;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name == printable(name) &&
         name.find_first_of(" \t") == std::string_view::npos;
}

}  // namespace

MetricLines metrics_in(std::string_view output) {
  MetricLines found;
  for (std::string_view each : split(output, '\n')) {
    std::string line(trim(each));
    if (!line.starts_with(opening)) continue;
    std::string said(trim(std::string_view(line).substr(opening.size())));
    std::size_t sign = said.find('=');
    std::string name(trim(std::string_view(said).substr(0, sign)));
    auto value = sign == std::string::npos ? std::nullopt : parse_number(trim(said.substr(sign + 1)));
    if (is_name(name) && value && std::isfinite(*value))
      add_named(found.metrics, name, *value);
    else if (found.fault.empty())
      found.fault =
          "'" + printable(line.substr(0, 120)) + "': METRIC name=value with a finite number is wanted";
  }
  return found;
}

}  // namespace explog::bench
