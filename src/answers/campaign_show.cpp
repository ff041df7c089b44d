#include <fmt/format.h>

#include <algorithm>

#include "answers/campaign.h"
#include "answers/campaign_lines.h"
#include "base/text.h"
#include "campaign/pages.h"

namespace explog::answers {
namespace {

constexpr std::size_t most_diff_lines = 80;

void add_field(Lines& lines, const char* name, const std::string& value) {
  if (!value.empty()) lines.push_back({{fmt::format("  {:<11} ", name), Style::dim}, {value}});
}

// Shapes that candidates are not told are counted and not named.
std::string correctness_text(const campaign::Judged& judged) {
  std::size_t timed = 0, cases = 0;
  double max_abs = 0;
  for (const campaign::CheckedShape& s : judged.checked) {
    timed += s.timed ? 1 : 0;
    cases += static_cast<std::size_t>(s.cases);
    max_abs = max_abs < 0 || s.max_abs < 0 ? -1 : std::max(max_abs, s.max_abs);
  }
  std::string text = judged.correct ? "yes" : "no, " + judged.reason;
  if (cases == 0) return text;
  return text + fmt::format("; {} cases at {} timed shapes and {} others, largest error {}", cases, timed,
                            judged.checked.size() - timed,
                            max_abs < 0 ? "not finite" : fmt::format("{:.3g}", max_abs));
}

void add_expected(Lines& lines, const campaign::Version& v) {
  for (const campaign::Expectation& e : v.proposal.expect) {
    std::string got = "no counter of that name was taken";
    for (const campaign::Movement& m : v.judged ? v.judged->expected : std::vector<campaign::Movement>{}) {
      if (m.metric == e.metric) got = fmt::format("got {:+.1f}%, {}", m.got, m.met ? "met" : "not met");
    }
    add_field(lines, "expected", fmt::format("{} {:+g}%: {}", e.metric, e.percent, got));
  }
}

void add_measured(Lines& lines, const app::ShownVersion& shown, const campaign::Version& v) {
  const campaign::Judged& j = *v.judged;
  const bool external = shown.campaign.contract.external.given();
  add_field(lines, "correct", correctness_text(j));
  if (j.ms > 0)
    add_field(lines, external ? "measured" : "time", fmt::format("{:.6f}{}", j.ms, external ? "" : " ms"));
  if (shown.version > 0 && j.faster.lo > 0)
    add_field(lines, "faster",
              fmt::format("{} than v{}", campaign::faster_text(j.faster), v.proposal.parent));
  if (v.proposal.parent > 0 && j.than_baseline.lo > 0)
    add_field(lines, "", campaign::faster_text(j.than_baseline) + " than v0");
  add_shapes(lines, j, external ? "" : " ms");
  add_expected(lines, v);
  for (const std::string& id : j.records) add_field(lines, "record", id);
  add_field(lines, "device", j.gpu);
  if (j.wall_s > 0) add_field(lines, "judging", fmt::format("{:.1f} s, until {}", j.wall_s, shown.judged_at));
  add_fault(lines, j);
}

void add_whole_diff(Lines& lines, const app::ShownVersion& shown) {
  std::vector<std::string_view> all = split(shown.diff, '\n');
  if (!all.empty() && all.back().empty()) all.pop_back();
  const std::size_t count = std::min(all.size(), most_diff_lines);
  for (std::size_t i = 0; i < count; ++i) lines.push_back("  " + std::string(all[i]));
  if (count < all.size())
    lines.push_back(
        {fmt::format("  and {} more lines: change.diff beside {}", all.size() - count, shown.file),
         Style::dim});
}

}  // namespace

void print_shown(const Terminal& terminal, const app::ShownVersion& shown) {
  const campaign::State& state = shown.campaign.state;
  const campaign::Version& v = state.versions[static_cast<std::size_t>(shown.version)];
  const campaign::Proposed& p = v.proposal;
  Lines lines;
  std::string title = fmt::format("v{} {}", shown.version, shown.version == 0 ? "baseline" : p.strategy);
  lines.push_back({{title + ": ", Style::bold},
                   {verdict_text(v), Style::bold},
                   {shown.version == state.champion ? ", the best of campaign " : ", of campaign "},
                   {shown.campaign.contract.id}});
  if (shown.version > 0) {
    add_field(lines, "changes", fmt::format("v{}, proposed by {} {}", p.parent, p.by, shown.proposed_at));
    add_field(lines, "hypothesis", p.hypothesis);
    add_field(lines, "rationale", p.rationale);
  }
  add_field(lines, "nvcc flags", join(p.flags, " "));
  add_field(lines, "file", shown.file.empty() ? "its bytes are no longer here" : shown.file);
  if (v.judged)
    add_measured(lines, shown, v);
  else
    add_expected(lines, v);
  add_whole_diff(lines, shown);
  terminal.print(lines);
}

}  // namespace explog::answers
