#include "campaign/pages.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace explog::campaign {
namespace {

std::string cell(std::string_view text) { return replace_all(printable(text), "|", "\\|"); }

std::string or_none(const std::string& text) { return text.empty() ? "N/A - none" : cell(text); }

std::string name_of(const Version& v) {
  if (v.proposal.version == 0) return "baseline";
  return v.proposal.strategy.empty() ? "version " + std::to_string(v.proposal.version) : v.proposal.strategy;
}

std::string_view status_word(const Version& v) { return v.status ? word(*v.status) : "not judged"; }

std::string percent_text(const Expectation& e) { return fmt::format("{}: {:+g}%", e.metric, e.percent); }

std::string version_rows(const State& state) {
  std::string text;
  for (const Version& v : state.versions) {
    if (!v.judged || !v.status) continue;
    bool best = v.proposal.version == state.champion;
    std::string name = fmt::format("v{}", v.proposal.version);
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} |\n", best ? "**" + name + "**" : name, cell(name_of(v)),
        v.judged->ms > 0 ? fmt::format("{:.6f}", v.judged->ms) : "N/A - " + cell(v.judged->reason),
        faster_text(v.judged->than_baseline), v.judged->correct ? "PASS" : "FAIL", status_word(v));
  }
  return text;
}

std::string strategy_lines(const State& state) {
  std::string text;
  for (const Version& v : state.versions) {
    if (v.proposal.version == 0 || !v.status) continue;
    std::string why = v.proposal.rationale.empty() ? v.proposal.hypothesis : v.proposal.rationale;
    text += fmt::format("- {} v{} {}: {}\n", v.kept() ? "✓" : "✗", v.proposal.version, cell(name_of(v)),
                        why.empty() ? "N/A - no rationale was given" : cell(why));
    text += "  " + (v.judged ? cell(v.judged->detail) : std::string("N/A - not judged")) + "\n";
    for (const Movement& m : v.judged ? v.judged->expected : std::vector<Movement>{})
      text += fmt::format("  {}: said {:+.1f}%, got {:+.1f}%{}\n", cell(m.metric), m.said, m.got,
                          m.met ? "" : ", not met");
  }
  for (const Refused& r : state.refused)
    text +=
        fmt::format("- ✗ {}: {}: the same machine code as v{}, not judged\n", cell(r.strategy),
                    r.hypothesis.empty() ? "N/A - no hypothesis was given" : cell(r.hypothesis), r.same_as);
  return text.empty() ? "N/A - no version was judged\n" : text;
}

// How much the best version leaves, by its shape that is nearest to its speed of light.
std::string left_to_gain(const Judged& best) {
  double roof = 0;
  for (const ShapeResult& s : best.shapes) roof = std::max(roof, s.roof);
  return roof > 0
             ? fmt::format("at most {:.2f}x, at the shape that is nearest to its speed of light", 1 / roof)
             : "N/A - the speed of light is not known here";
}

// The single gains, each against its parent, multiplied; where that is far from what was measured against the
// baseline itself, small false gains have added up.
std::string creeping(const State& state, const Judged& best) {
  double product = 1;
  for (const Version& v : state.versions) {
    if (v.kept() && v.proposal.version > 0 && v.judged) product *= v.judged->faster.factor;
  }
  bool apart = best.than_baseline.lo > 0 &&
               (product < best.than_baseline.lo / 1.02 || product > best.than_baseline.hi * 1.02);
  if (!apart) return "";
  return fmt::format(
      "- The single gains multiply to {:.3f}x, which the direct comparison does not show: believe the "
      "latter.\n",
      product);
}

std::string conclusion(const State& state) {
  const Version& best = state.versions[static_cast<std::size_t>(state.champion)];
  const Judged& baseline = *state.versions[0].judged;
  if (!best.judged) return "N/A - the best version was not measured\n";
  std::string text = fmt::format("- Best version: v{} ({})\n", state.champion, cell(name_of(best)));
  text +=
      fmt::format("- Key gain: from {:.6f} to {:.6f} ms, {}\n", baseline.ms, best.judged->ms,
                  state.champion == 0 ? "nothing better was found"
                                      : faster_text(best.judged->than_baseline) + " of the baseline's speed");
  if (!best.proposal.flags.empty())
    text += fmt::format("- Compiler flags: {}, as its first line says; a build elsewhere must give them\n",
                        cell(join(best.proposal.flags, " ")));
  text += creeping(state, *best.judged);
  text += state.stop
              ? fmt::format("- Stopping reason: {} ({})\n", state.stop->rule, cell(state.stop->sentence))
              : "- Stopping reason: N/A - the campaign goes on\n";
  text +=
      "- Remaining opportunities: " + left_to_gain(*best.judged) + "\n- Against PyTorch: see benchmark.md\n";
  return text;
}

}  // namespace

std::string faster_text(const Faster& faster) {
  if (faster.lo <= 0) return "N/A";
  return fmt::format("{:.3f}x (99% {:.3f} to {:.3f})", faster.factor, faster.lo, faster.hi);
}

std::string perf_results(const State& state) {
  std::string text =
      "| iteration | optimization       | latency_ms | correctness | status |\n"
      "|----------:|:-------------------|-----------:|:------------|-------:|\n";
  for (const Version& v : state.versions) {
    if (!v.judged || !v.status) continue;
    text += fmt::format("| {:<9} | {:<18} | {:>10.6f} | {:<11} | {:<6} |\n", v.proposal.version,
                        cell(name_of(v)), v.judged->ms, v.judged->correct ? "PASS" : "FAIL", status_word(v));
  }
  return text;
}

std::string hypothesis_text(const Proposed& proposal) {
  auto or_none_given = [](const std::string& text) {
    return text.empty() ? std::string("N/A - none was given") : printable(text);
  };
  std::vector<std::string> expected;
  for (const Expectation& e : proposal.expect) expected.push_back(percent_text(e));
  return "Hypothesis: " + or_none_given(proposal.hypothesis) +
         "\nRationale: " + or_none_given(proposal.rationale) +
         "\nExpected: " + or_none_given(join(expected, ", ")) + "\n";
}

std::string campaign_page(const Contract& c) {
  std::string text = "# Campaign " + c.id + "\n\n";
  if (c.external.given())
    text += fmt::format("Version 0 is {}. In {} it is checked by `{}` and measured by `{}`.\n\n",
                        cell(c.baseline.file), cell(c.external.folder), cell(c.external.check),
                        cell(c.external.measure));
  else
    text += fmt::format("Task {}, backend {}, arch {}. Version 0 is {}.\n\n", c.task, c.backend, c.arch,
                        cell(c.baseline.file));
  text += fmt::format(
      "- At most {} versions of {:g} minutes each{}; rules `{}`{}.\n", c.limits.max_versions,
      c.limits.minutes,
      c.limits.budget_s > 0 ? fmt::format(", {:.0f} s of judging in all", c.limits.budget_s) : "",
      word(c.rules),
      c.rules == Rules::explore ? "" : fmt::format(": {} in a row without gain end it", c.limits.no_gain));
  text +=
      "- One change a version, of that file alone. Say first what it should do and why.\n"
      "- A version is kept when it is right and certainly faster than the best one so far.\n\n"
      "    explog campaign next      # what to try, and where the best version lies\n"
      "    explog campaign judge FILE --strategy ID --hypothesis TEXT --rationale TEXT\n"
      "    explog campaign status    # verdicts so far, what is left\n"
      "    explog campaign report    # final_report.md\n\n"
      "What happened is in campaign.jsonl; everything else here is made from it.\n";
  return text;
}

std::string final_report(const Contract& c, const State& state) {
  std::string text =
      fmt::format("# {} on {}, {}\n\n## Environment\n\n", c.task, c.backend, c.created.substr(0, 10));
  bool measured = !state.versions.empty() && state.versions[0].judged;
  if (measured) {
    const Judged& baseline = *state.versions[0].judged;
    text += fmt::format("- Device: {}{}\n- Driver: {}\n- Toolkit: {}\n", cell(baseline.gpu),
                        c.arch.empty() ? "" : " (" + c.arch + ")", or_none(baseline.driver),
                        or_none(baseline.toolkit));
  }
  text += fmt::format("- explog: {}\n- Campaign: {}, rules {}\n\n", c.explog, c.id, word(c.rules));
  text +=
      "## Version Iteration Comparison\n\n| version | optimization | latency_ms | faster than v0 | "
      "correctness | status |\n"
      "|:--|:--|--:|:--|:--|:--|\n";
  text += version_rows(state) + "\n## Optimization Strategies per Version\n\n" + strategy_lines(state);
  text += "\n## Best Version Conclusion\n\n" +
          (measured ? conclusion(state) : std::string("N/A - the baseline was not measured\n"));
  return text;
}

}  // namespace explog::campaign
