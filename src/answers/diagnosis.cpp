#include "answers/diagnosis.h"

#include "answers/quantities.h"

namespace explog::answers {
namespace {

using namespace diagnose;

std::string place(const Subject& s) {
  std::string text = s.launch.grid.empty() ? "" : ", grid " + s.launch.grid + ", block " + s.launch.block;
  if (!s.launch.arch.empty()) text += ", " + s.launch.arch;
  if (s.diagnosis.time_ms > 0) text += fmt::format(", {} ms", Short{s.diagnosis.time_ms, 4});
  if (s.kernels > 1) text += fmt::format(", the longest of {} launches", s.kernels);
  if (s.launches > 1) text += fmt::format(", the median of {} launches", s.launches);
  if (s.time_share > 0 && s.time_share < 0.995)
    text += fmt::format(", {:.0f}% of the time", 100 * s.time_share);
  return text;
}

std::string evidence_text(const Evidence& e) {
  return fmt::format("{} = {:.4g} ({} {:.4g})", e.metric, e.value, e.op, e.threshold);
}

std::string peak_text(const diagnose::Peak& p, const char* unit) {
  return fmt::format("{} ({})", Rate{p.value, unit}, p.source);
}

void add_roofline(Lines& lines, const Roofline& r) {
  if (r.bytes_rate > 0 && r.memory_peak.value > 0) {
    lines.push_back(fmt::format("    DRAM  {:<14} {:>6} of {}", Rate{r.bytes_rate, "B/s"},
                                Percent{r.memory_share}, peak_text(r.memory_peak, "B/s")));
  }
  if (r.flops_rate > 0) {
    std::string of = r.compute_peak.value > 0 ? fmt::format("{} of {}", Percent{r.compute_share},
                                                            peak_text(r.compute_peak, "FLOP/s"))
                                              : "its peak is not known";
    lines.push_back(
        fmt::format("    {:<5} {:<14} {:>6}", roof_name(r.pipe), Rate{r.flops_rate, "FLOP/s"}, of));
  }
  if (r.reached >= 1.02) {
    lines.emplace_back("    above the roof: the peaks are not this GPU's, or the work was counted too high");
  } else if (r.reached >= at_the_roof) {
    lines.emplace_back("    within 5% of the roof: only less traffic or less arithmetic makes it faster");
  } else if (r.reached > 0) {
    lines.push_back(
        fmt::format("    reaches {} of the roof: at most {}x faster with the same traffic and arithmetic",
                    Percent{r.reached}, Short{1 / r.reached}));
  }
}

// The roofline's and the seed's labels, where they are known.
void add_other_labels(Lines& lines, const Diagnosis& d) {
  if (!d.roofline || d.roofline->seed_label.empty()) return;
  const Roofline& r = *d.roofline;
  std::string ridge = r.ridge > 0 ? fmt::format(", ridge {}", Short{r.ridge}) : "";
  auto against = [&](const std::string& label) { return label == d.label.word ? "" : "  (differs)"; };
  lines.push_back(fmt::format("    intensity {} FLOP/byte{}", Short{r.intensity}, ridge));
  if (!r.label.empty()) lines.push_back(fmt::format("    roofline label   {}{}", r.label, against(r.label)));
  lines.push_back(
      fmt::format("    intensity label  {}{}, by 10 and 50 FLOP/byte", r.seed_label, against(r.seed_label)));
}

void add_stalls(Lines& lines, const Diagnosis& d) {
  if (d.stalls.empty()) return;
  std::string shares;
  for (std::size_t i = 0; i < d.stalls.size() && i < 4; ++i)
    shares += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", d.stalls[i].reason, 100 * d.stalls[i].share);
  lines.push_back("  stalls: " + shares);
  for (const Stall& stall : d.stalls) {
    if (stall.reason == d.stall)
      lines.push_back(fmt::format("    {} {}: {}", stall.reason, stall.meaning, stall.hint));
  }
  if (d.stall.empty()) lines.emplace_back("    no dominant stall");
}

void add_findings(Lines& lines, const Diagnosis& d) {
  if (!d.findings.found.empty()) lines.emplace_back("  findings:");
  for (const Finding& f : d.findings.found) {
    lines.push_back(fmt::format("    - {}: {}", f.rule, f.text));
    for (const Evidence& e : f.evidence) lines.push_back({"        " + evidence_text(e), Style::dim});
    if (!f.hint.empty()) lines.push_back(fmt::format("        {} ({} confidence)", f.hint, f.confidence));
  }
  for (const Finding& f : d.findings.suppressed)
    lines.push_back({fmt::format("    - held back, {}: {}", f.rule, f.text), Style::dim});
}

void add_rules(Lines& lines, const Launch& launch) {
  bool first = true;
  for (const ProfilerRule& rule : launch.rules) {
    if (!rule.estimate) continue;
    if (std::exchange(first, false))
      lines.emplace_back("  Nsight Compute's own estimates (each alone; they do not add up):");
    lines.push_back(fmt::format("    - {}: up to {}% {}", rule.name, Short{*rule.estimate}, rule.scope));
  }
}

void add_subject(Lines& lines, const Subject& s) {
  const Diagnosis& d = s.diagnosis;
  lines.push_back({{s.role.empty() ? "" : s.role + ": "}, {s.launch.kernel, Style::bold}, {place(s)}});
  std::string label = d.label.word + (d.label.detail.empty() ? "" : " (" + d.label.detail + ")");
  lines.push_back({{"  "}, {label, Style::bold}, {", " + d.confidence + " confidence: " + d.label.why}});
  for (const Evidence& e : d.label.evidence) lines.push_back({"    " + evidence_text(e), Style::dim});
  for (const std::string& doubt : d.doubts) lines.push_back("    doubt: " + doubt);
  add_other_labels(lines, d);
  if (d.roofline) add_roofline(lines, *d.roofline);
  add_stalls(lines, d);
  add_findings(lines, d);
  add_rules(lines, s.launch);
}

void add_metrics(Lines& lines, const Launch& launch) {
  lines.emplace_back("  metrics:");
  for (const auto& [name, value] : launch.metrics)
    lines.push_back(fmt::format("    {} = {}", name, number_text(value)));
  for (const std::string& name : launch.missing) lines.emplace_back("    " + name + " missing");
}

}  // namespace

void add_diagnosis(Lines& lines, const std::vector<Subject>& subjects, bool all_metrics) {
  for (const Subject& s : subjects) {
    if (&s != subjects.data()) lines.emplace_back("");
    add_subject(lines, s);
    if (all_metrics) add_metrics(lines, s.launch);
  }
}

void print_diagnosis(const Terminal& terminal, const std::vector<Subject>& subjects, bool all_metrics) {
  Lines lines;
  add_diagnosis(lines, subjects, all_metrics);
  terminal.print(lines);
}

}  // namespace explog::answers
