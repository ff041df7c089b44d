#include <fmt/format.h>

#include "answers/campaign.h"
#include "answers/campaign_lines.h"
#include "campaign/pages.h"

namespace explog::answers {
namespace {

std::string number(int version) { return "v" + std::to_string(version); }

// What one event says, in a line.
struct Told {
  std::string operator()(const campaign::Started&) const { return ""; }
  std::string operator()(const campaign::Proposed& p) const {
    if (p.version == 0) return "v0";
    return in_turn({fmt::format("v{} {} by {}", p.version, p.strategy, p.by), p.hypothesis});
  }
  std::string operator()(const campaign::Judging& j) const { return number(j.version); }
  std::string operator()(const campaign::Judged& j) const {
    return fmt::format("v{} {} {}", j.version, j.verdict, j.reason);
  }
  std::string operator()(const campaign::Decided& d) const {
    return fmt::format("v{} {}, best is v{}", d.version, word(d.status), d.champion);
  }
  std::string operator()(const campaign::Interrupted& i) const {
    return fmt::format("v{} {}", i.version, i.why);
  }
  std::string operator()(const campaign::Note& n) const { return in_turn({n.by, n.text}); }
  std::string operator()(const campaign::Stopped& s) const { return in_turn({s.rule, s.sentence}); }
  std::string operator()(const campaign::Refused& r) const {
    return in_turn({r.strategy + " by " + r.by, r.hypothesis, refusal_text(r)});
  }
  std::string operator()(const campaign::Profiled& p) const {
    return fmt::format("v{} {} counters by {}", p.version, p.profile.counters.size(), p.profile.by);
  }
  std::string operator()(const campaign::Benchmarked& b) const {
    return fmt::format("v{} beside {}: {}", b.version, b.with,
                       b.reason.empty() ? campaign::faster_text(b.faster) : "not measured: " + b.reason);
  }
  std::string operator()(const campaign::Unknown&) const { return ""; }
};

}  // namespace

void print_events(const Terminal& terminal, const std::vector<campaign::Event>& events) {
  Lines lines;
  for (const campaign::Event& e : events) {
    std::string line = fmt::format("  {:<9}  {}", campaign::kind_of(e.what), std::visit(Told{}, e.what));
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back({{e.at, Style::dim}, {line}});
  }
  terminal.print(lines);
}

}  // namespace explog::answers
