#include "answers/campaign_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "campaign/pages.h"

namespace explog::answers {

std::string verdict_text(const campaign::Version& v) {
  if (!v.status || !v.judged) return "not judged";
  if (v.proposal.version == 0) return v.judged->correct ? "correct" : v.judged->reason;
  return upper(word(*v.status)) + " " + v.judged->reason;
}

std::size_t from_newest(std::size_t n, std::size_t most) { return n > most ? n - most : 0; }

bool is_told(const campaign::State& state, std::size_t version, std::size_t most) {
  return version >= from_newest(state.versions.size(), most) ||
         version == static_cast<std::size_t>(state.champion);
}

std::string in_turn(std::initializer_list<std::string> parts) {
  std::vector<std::string> said;
  for (const std::string& part : parts) {
    if (!part.empty()) said.push_back(part);
  }
  return join(said, ": ");
}

std::string refusal_text(const campaign::Refused& refused) {
  return fmt::format("the same machine code as v{}", refused.same_as);
}

std::string_view way_on(const campaign::State& state, const campaign::Version& v) {
  if (!v.is_open() || state.stop) return "";
  return "the judge could not tell: the same source may be judged again, as a version of its own";
}

void add_fault(Lines& lines, const campaign::Judged& judged) {
  constexpr std::size_t most = 8;
  std::size_t shown = 0;
  for (std::string_view line : split(judged.detail, '\n')) {
    if (line.empty()) continue;
    if (++shown > most) return lines.push_back({"  ...", Style::dim});
    lines.push_back("  " + std::string(line));
  }
}

void add_shapes(Lines& lines, const campaign::Judged& judged, const std::string& unit) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, judged.shapes.size()); ++i) {
    const campaign::ShapeResult& s = judged.shapes[i];
    lines.push_back({fmt::format("  {:<24} {:>11.6f}{} -> {:>11.6f}{}  {:<26} {}", s.shape, s.parent_ms, unit,
                                 s.ms, unit, campaign::faster_text(s.faster), s.status),
                     Style::dim});
  }
}

}  // namespace explog::answers
