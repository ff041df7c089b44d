#include "answers/campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/bars.h"
#include "answers/campaign_lines.h"
#include "base/date.h"
#include "base/text.h"
#include "campaign/pages.h"
#include "campaign/rules.h"

namespace explog::answers {
namespace {

std::string change_of(const campaign::Version& v) {
  if (v.proposal.version == 0) return "baseline";
  return v.proposal.strategy;
}

std::string ms_text(const campaign::Version& v) {
  return v.judged && v.judged->ms > 0 ? fmt::format("{:.6f}", v.judged->ms) : "-";
}

// A narrow terminal has no room for the interval, and at last none for the reason: a strategy is not cut.
Line version_line(const campaign::Version& v, int champion, int width) {
  const bool wide = width >= 90;
  const int changed = wide ? 28 : std::clamp(width - 33, 14, 28), gained = wide ? 26 : 8;
  std::string mark = v.proposal.version == champion ? "*" : " ", faster, verdict = verdict_text(v);
  if (v.judged && v.proposal.version > 0 && v.judged->than_baseline.lo > 0)
    faster = wide ? campaign::faster_text(v.judged->than_baseline)
                  : fmt::format("{:.3f}x", v.judged->than_baseline.factor);
  const int rest = width - changed - 27;
  if (!wide && static_cast<int>(verdict.size()) > rest) verdict = verdict.substr(0, verdict.find(' '));
  return {fmt::format("{}v{:<3} {:<{}} {:>{}}  {:<{}} {}", mark, v.proposal.version,
                      ellipsis(change_of(v), static_cast<std::size_t>(changed)), changed, ms_text(v),
                      wide ? 11 : 9, faster, gained, verdict),
          v.kept() ? Style::plain : Style::dim};
}

std::string left_text(const app::CampaignView& view) {
  const campaign::Limits& limits = view.contract.limits;
  std::string text = fmt::format(
      "{} of {} versions left", std::max(0, limits.max_versions - view.state.decided()), limits.max_versions);
  if (limits.budget_s > 0)
    text += fmt::format(", {:.0f} s of judging", std::max(0.0, limits.budget_s - view.state.judging_s));
  return text;
}

std::string heart_text(const app::Heartbeat& heart) {
  const std::string who = fmt::format("process {} on {}", heart.pid, heart.host);
  if (!heart.alive())
    return fmt::format(
        "  v{}: no sign of life of {} for {:.0f} s; once it has ended, `explog campaign resume` goes on",
        heart.version, who, heart.age_s);
  return fmt::format("  v{} since {}: {}{} is alive", heart.version, utc_text(heart.since_ms),
                     heart.doing.empty() ? "" : heart.doing + "; ", who);
}

void add_end(Lines& lines, const app::CampaignView& view) {
  const campaign::State& state = view.state;
  if (state.stop) {
    lines.push_back({{std::string(word(state.phase)) + ": ", Style::bold},
                     {state.stop->sentence + " (" + state.stop->rule + ")"}});
    lines.push_back({"  next: " + campaign::after_the_end(*state.stop), Style::dim});
  } else {
    lines.push_back(fmt::format("{}; {}", word(state.phase), left_text(view)));
    if (view.heart)
      lines.push_back({heart_text(*view.heart), view.heart->alive() ? Style::plain : Style::bold});
  }
  if (state.phase == campaign::Phase::asking)
    lines.push_back({"  next: explog campaign next, explog campaign judge FILE --strategy ID", Style::dim});
}

// What was changed, where that is little.
void add_diff(Lines& lines, const std::string& diff) {
  constexpr std::size_t most = 8;
  Lines changed;
  for (std::string_view line : split(diff, '\n')) {
    bool is_line = line.starts_with('+') || line.starts_with('-');
    if (is_line && !line.starts_with("+++") && !line.starts_with("---"))
      changed.push_back({"      " + std::string(line), Style::dim});
  }
  if (changed.size() > most) changed = {{fmt::format("      {} lines changed", changed.size()), Style::dim}};
  lines.insert(lines.end(), changed.begin(), changed.end());
}

// The versions' times as bars, the longest as wide as there is room.
void add_bars(Lines& lines, const campaign::State& state, const Terminal& terminal) {
  double most = 0;
  int measured = 0;
  for (const campaign::Version& v : state.versions) {
    if (!v.judged || v.judged->ms <= 0) continue;
    most = std::max(most, v.judged->ms);
    ++measured;
  }
  int room = std::min(terminal.width - 22, 60);
  if (!terminal.interactive || measured < 2 || room < 16) return;
  for (const campaign::Version& v : state.versions) {
    if (v.judged && v.judged->ms > 0)
      lines.push_back(
          {fmt::format("  v{:<3} {:>10} {}", v.proposal.version, ms_text(v), bar(v.judged->ms / most, room)),
           v.kept() ? Style::plain : Style::dim});
  }
}

}  // namespace

void print_campaign(const Terminal& terminal, const app::CampaignView& view, std::size_t most) {
  const campaign::Contract& c = view.contract;
  const auto& versions = view.state.versions;
  Lines lines;
  lines.push_back(
      {{"campaign " + c.id, Style::bold},
       {fmt::format(": task {}, {}, rules {}, in {}", c.task, c.backend, word(c.rules), view.folder)}});
  if (std::size_t older = from_newest(versions.size(), most); older > 0)
    lines.push_back({fmt::format(" {} older versions are left out, but for the best", older), Style::dim});
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (is_told(view.state, i, most))
      lines.push_back(version_line(versions[i], view.state.champion, terminal.width));
  }
  add_bars(lines, view.state, terminal);
  add_end(lines, view);
  terminal.print(lines);
}

void print_ruling(const Terminal& terminal, const app::Ruling& ruling) {
  const campaign::State& state = ruling.campaign.state;
  const campaign::Version& v = state.versions[static_cast<std::size_t>(ruling.version)];
  Lines lines;
  if (ruling.refused)
    lines.push_back(
        {{"refused: ", Style::bold},
         {refusal_text(*ruling.refused) + ", whose verdict holds; --again judges it all the same"}});
  else if (ruling.known)
    lines.push_back({fmt::format("judged before, as v{}", ruling.version), Style::dim});
  if (v.judged) {
    add_shapes(lines, *v.judged, ruling.campaign.contract.external.given() ? "" : " ms");
    lines.push_back({{fmt::format("v{} ", ruling.version)}, {verdict_text(v), Style::bold}});
    add_fault(lines, *v.judged);
    for (const campaign::Movement& m : v.judged->expected)
      lines.push_back(fmt::format("  expected {} {:+.1f}%, got {:+.1f}%: {}", m.metric, m.said, m.got,
                                  m.met ? "met" : "not met"));
    for (const std::string& id : v.judged->records) lines.push_back({"  recorded " + id, Style::dim});
    if (std::string_view then = way_on(state, v); !then.empty()) lines.push_back("  " + std::string(then));
  }
  lines.push_back(fmt::format("best is v{}", state.champion));
  add_end(lines, ruling.campaign);
  terminal.print(lines);
}

void print_version(const Terminal& terminal, const app::Ruling& ruling) {
  const campaign::State& state = ruling.campaign.state;
  if (const auto& refused = ruling.refused)
    return terminal.print({{fmt::format("      {:<28} {:>11}  {}", ellipsis(refused->strategy, 28), "-",
                                        in_turn({refused->hypothesis, refusal_text(*refused)})),
                            Style::dim}});
  Lines lines = {
      version_line(state.versions[static_cast<std::size_t>(ruling.version)], state.champion, terminal.width)};
  add_diff(lines, ruling.diff);
  terminal.print(lines);
}

namespace {

// What bounds the best version, where that is known, and how much is left.
void add_bound(Lines& lines, const app::Bound& bound) {
  const diagnose::Diagnosis& d = bound.diagnosis;
  if (d.label.word != "unknown")
    lines.push_back(
        fmt::format("  bound by    {} ({} confidence): {}", d.label.word, d.confidence, d.label.why));
  if (bound.roof > 0)
    lines.push_back(fmt::format("  headroom    {}x to the speed of light", short_number(1 / bound.roof)));
}

}  // namespace

void print_next(const Terminal& terminal, const app::NextStep& next, std::size_t most) {
  const campaign::State& state = next.campaign.state;
  if (next.edit.empty()) return print_campaign(terminal, next.campaign, most);
  Lines lines;
  lines.push_back({{fmt::format("version {}; ", next.campaign.state.next_version()), Style::bold},
                   {left_text(next.campaign)}});
  lines.push_back("  start from  " + next.edit);
  lines.push_back("  write       " + next.write);
  if (next.bound) add_bound(lines, *next.bound);
  for (std::size_t i = 0; i < next.advice.shown; ++i) {
    const recommend::Item& item = next.advice.ranking.items[i];
    lines.push_back({{fmt::format("  {}. {}  ", i + 1, item.strategy), Style::bold},
                     {fmt::format("P = {:.2f}, then about {:.2f}x; {} {}", item.p, item.gain, item.counts.n,
                                  item.counts.n == 1 ? "record" : "records")}});
  }
  if (next.advice.ranking.items.empty() && !next.campaign.contract.external.given())
    lines.push_back(
        {next.ranking.items.empty()
             ? "  nothing to suggest: the playbook has no strategy for this; --strategy takes any words"
             : "  nothing to suggest: all that the playbook has for this were tried",
         Style::dim});
  for (const recommend::Avoid& avoid : next.advice.ranking.avoid)
    lines.push_back({fmt::format("  not {}: {}", avoid.strategy, avoid.reason), Style::dim});
  if (!next.walk.empty()) lines.push_back("  `explog campaign run` would try " + printable(next.walk));
  for (const campaign::Version& v : state.versions) {
    auto number = static_cast<std::size_t>(v.proposal.version);
    if (number > 0 && v.status && is_told(state, number, most))
      lines.push_back(
          {fmt::format("  tried {} (v{}): {}", v.proposal.strategy, v.proposal.version, verdict_text(v)),
           Style::dim});
  }
  for (std::size_t i = from_newest(state.refused.size(), most); i < state.refused.size(); ++i)
    lines.push_back({fmt::format("  tried {}: {}", state.refused[i].strategy, refusal_text(state.refused[i])),
                     Style::dim});
  lines.push_back({"  then: explog campaign judge FILE --strategy ID --hypothesis TEXT", Style::dim});
  terminal.print(lines);
}

void print_branch(const Terminal& terminal, const app::CampaignBranch& branch) {
  Lines lines;
  lines.push_back(
      fmt::format("branch {}: {} commits, in {}", branch.name, branch.commits, branch.repository));
  for (const std::string& ref : branch.set_aside) lines.push_back({"  not kept: " + ref, Style::dim});
  terminal.print(lines);
}

void print_campaigns(const Terminal& terminal, const std::vector<app::CampaignView>& list) {
  Lines lines;
  if (list.empty())
    lines.push_back({"no campaigns here; `explog campaign start TASK FILE` begins one", Style::dim});
  for (const app::CampaignView& view : list) {
    const campaign::State& state = view.state;
    const bool measured = !state.versions.empty() && state.versions[0].status.has_value();
    const campaign::Version* best =
        measured ? &state.versions[static_cast<std::size_t>(state.champion)] : nullptr;
    std::string gain = best != nullptr && state.champion > 0
                           ? campaign::faster_text(best->judged->than_baseline)
                           : "nothing better yet";
    lines.push_back({{fmt::format("{:<32} ", view.contract.id), Style::bold},
                     {fmt::format("{:<9} {:>3} versions  {}  {}", word(state.phase), state.decided(), gain,
                                  view.folder)}});
  }
  terminal.print(lines);
}

}  // namespace explog::answers
