#include "campaign/profile_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/version_metrics.h"

namespace explog::campaign {
namespace {

constexpr double stable_share = 0.02;  // deviation over the mean, at most

std::string cell_of(std::string_view text) { return replace_all(printable(text), "|", "\\|"); }

std::string value_text(double value) {
  return std::abs(value) > 1e6 ? fmt::format("{:.2e}", value) : fmt::format("{:.4f}", value);
}

const Counter* counter_of(const Profile& profile, std::string_view name) {
  auto at = std::find_if(profile.counters.begin(), profile.counters.end(),
                         [&](const Counter& c) { return c.name == name; });
  return at == profile.counters.end() ? nullptr : &*at;
}

std::string label_of(const Counter& c) {
  for (const VersionMetric& m : version_metrics()) {
    if (m.name == c.name) return std::string(m.label);
  }
  return cell_of(c.name);
}

std::string dims_at(const Version& v) {
  std::string text;
  for (const ShapeResult& s : v.judged ? v.judged->shapes : std::vector<ShapeResult>{})
    text += (text.empty() ? "" : "; ") + cell_of(s.shape);
  return text.empty() ? "N/A - it was not timed" : text;
}

// Of one launch nothing can be said of how it varies.
std::string detail_row(const Counter& c) {
  if (c.launches < 2)
    return fmt::format("| {} | {} | N/A | {} | {} | N/A |\n", label_of(c), value_text(c.value),
                       value_text(c.least), value_text(c.most));
  bool stable = c.deviation <= stable_share * std::abs(c.value);
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", label_of(c), value_text(c.value),
                     value_text(c.deviation), value_text(c.least), value_text(c.most), stable ? "yes" : "no");
}

}  // namespace

std::string ncu_summary(const Contract& c, const Version& v) {
  const Profile& profile = *v.profile;
  std::string text = fmt::format(
      "# NCU Profile Summary\n\n| | |\n|---|---|\n| **Kernel** | {} |\n| **GPU** | {} |\n| **Arch** | {} |\n"
      "| **Dims** | {} |\n| **Collected by** | {} |\n",
      cell_of(v.proposal.file), v.judged && !v.judged->gpu.empty() ? cell_of(v.judged->gpu) : "N/A - unknown",
      c.arch.empty() ? "N/A - no GPU" : cell_of(c.arch), dims_at(v), cell_of(profile.by));
  std::string_view group;
  for (const VersionMetric& m : version_metrics()) {
    const Counter* counter = counter_of(profile, m.name);
    if (counter == nullptr) continue;
    if (group != m.group) text += fmt::format("\n## {}\n\n| Metric | Value |\n|--------|------:|\n", m.group);
    group = m.group;
    text += fmt::format("| {} | {} |\n", m.label, value_text(counter->value));
  }
  return text + "\n**Kernel name:** `" + replace_all(printable(profile.kernel), "`", "'") + "`\n";
}

std::string ncu_details(const Version& v) {
  const Profile& profile = *v.profile;
  std::string text =
      "# NCU Profile Details — All Metrics\n\n"
      "| Metric | AvgValue | StdDev | Min | Max | Stable |\n"
      "|--------|----------:|--------:|----:|----:|:------:|\n";
  for (const Counter& c : profile.counters) text += detail_row(c);
  return text + fmt::format(
                    "\n## Context\n\n| Field | Value |\n|-------|-------|\n| **Kernel** | {} |\n"
                    "| **GPU** | {} |\n| **Collected by** | {} |\n",
                    cell_of(profile.kernel), v.judged ? cell_of(v.judged->gpu) : "", cell_of(profile.by));
}

}  // namespace explog::campaign
