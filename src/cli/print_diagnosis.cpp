#include "cli/print_diagnosis.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/profiles.h"

namespace explog::cli {
namespace {

using namespace diagnose;

std::string place(const Subject& s) {
  std::string text = s.launch.grid.empty() ? "" : ", grid " + s.launch.grid + ", block " + s.launch.block;
  if (!s.launch.arch.empty()) text += ", " + s.launch.arch;
  if (s.diagnosis.time_ms > 0) text += fmt::format(", {} ms", short_number(s.diagnosis.time_ms, 4));
  if (s.kernels > 1) text += fmt::format(", the longest of {} launches", s.kernels);
  if (s.launches > 1) text += fmt::format(", the median of {} launches", s.launches);
  if (s.time_share > 0 && s.time_share < 0.995)
    text += fmt::format(", {:.0f}% of the time", 100 * s.time_share);
  return text;
}

std::string evidence_text(const Evidence& e) {
  return fmt::format("{} = {:.4g} ({} {:.4g})", e.metric, e.value, e.op, e.threshold);
}

std::string share_text(double share) { return short_number(100 * share) + "%"; }

std::string peak_text(const Peak& p, const char* unit) {
  return rate_text(p.value, unit) + " (" + p.source + ")";
}

void print_roofline(Context& context, const Roofline& r) {
  std::ostream& out = context.out;
  if (r.bytes_rate > 0 && r.memory_peak.value > 0) {
    out << fmt::format("    DRAM  {:<14} {:>6} of {}\n", rate_text(r.bytes_rate, "B/s"),
                       share_text(r.memory_share), peak_text(r.memory_peak, "B/s"));
  }
  if (r.flops_rate > 0) {
    std::string of = r.compute_peak.value > 0
                         ? share_text(r.compute_share) + " of " + peak_text(r.compute_peak, "FLOP/s")
                         : "its peak is not known";
    out << fmt::format("    {:<5} {:<14} {:>6}\n", roof_name(r.pipe), rate_text(r.flops_rate, "FLOP/s"), of);
  }
  if (r.reached >= 1.02) {
    out << "    above the roof: the peaks are not this GPU's, or the work was counted too high\n";
  } else if (r.reached >= at_the_roof) {
    out << "    within 5% of the roof: only less traffic or less arithmetic makes it faster\n";
  } else if (r.reached > 0) {
    out << fmt::format(
        "    reaches {} of the roof: at most {}x faster with the same traffic and arithmetic\n",
        share_text(r.reached), short_number(1 / r.reached));
  }
}

// The roofline's and the seed's labels, where they are known.
void print_other_labels(Context& context, const Diagnosis& d) {
  if (!d.roofline || d.roofline->seed_label.empty()) return;
  const Roofline& r = *d.roofline;
  std::string ridge = r.ridge > 0 ? ", ridge " + short_number(r.ridge) : "";
  auto against = [&](const std::string& label) { return label == d.label.word ? "" : "  (differs)"; };
  context.out << fmt::format("    intensity {} FLOP/byte{}\n", short_number(r.intensity), ridge);
  if (!r.label.empty()) context.out << fmt::format("    roofline label   {}{}\n", r.label, against(r.label));
  context.out << fmt::format("    intensity label  {}{}, by 10 and 50 FLOP/byte\n", r.seed_label,
                             against(r.seed_label));
}

void print_stalls(Context& context, const Diagnosis& d) {
  if (d.stalls.empty()) return;
  std::string line;
  for (std::size_t i = 0; i < d.stalls.size() && i < 4; ++i)
    line += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", d.stalls[i].reason, 100 * d.stalls[i].share);
  context.out << "  stalls: " << line << '\n';
  for (const Stall& stall : d.stalls) {
    if (stall.reason == d.stall)
      context.out << fmt::format("    {} {}: {}\n", stall.reason, stall.meaning, stall.hint);
  }
  if (d.stall.empty()) context.out << "    no dominant stall\n";
}

void print_findings(Context& context, const Diagnosis& d) {
  if (!d.findings.found.empty()) context.out << "  findings:\n";
  for (const Finding& f : d.findings.found) {
    context.out << fmt::format("    - {}: {}\n", f.rule, f.text);
    for (const Evidence& e : f.evidence) context.out << context.dim("        " + evidence_text(e)) << '\n';
    if (!f.hint.empty()) context.out << fmt::format("        {} ({} confidence)\n", f.hint, f.confidence);
  }
  for (const Finding& f : d.findings.suppressed)
    context.out << context.dim(fmt::format("    - held back, {}: {}", f.rule, f.text)) << '\n';
}

void print_rules(Context& context, const Launch& launch) {
  bool first = true;
  for (const ProfilerRule& rule : launch.rules) {
    if (!rule.estimate) continue;
    if (std::exchange(first, false))
      context.out << "  Nsight Compute's own estimates (each alone; they do not add up):\n";
    context.out << fmt::format("    - {}: up to {}% {}\n", printable(rule.name), short_number(*rule.estimate),
                               printable(rule.scope));
  }
}

void print_subject(Context& context, const Subject& s) {
  const Diagnosis& d = s.diagnosis;
  std::ostream& out = context.out;
  out << (s.role.empty() ? "" : s.role + ": ") << context.bold(printable(s.launch.kernel))
      << printable(place(s)) << '\n';
  std::string label = d.label.word + (d.label.detail.empty() ? "" : " (" + d.label.detail + ")");
  out << fmt::format("  {}, {} confidence: {}\n", context.bold(label), d.confidence, printable(d.label.why));
  for (const Evidence& e : d.label.evidence) out << context.dim("    " + evidence_text(e)) << '\n';
  for (const std::string& doubt : d.doubts) out << "    doubt: " << doubt << '\n';
  print_other_labels(context, d);
  if (d.roofline) print_roofline(context, *d.roofline);
  print_stalls(context, d);
  print_findings(context, d);
  print_rules(context, s.launch);
}

void write_evidence(JsonWriter& json, const std::vector<Evidence>& list) {
  json.key("evidence");
  json.begin_array();
  for (const Evidence& e : list) {
    json.begin_object();
    json.key("metric"), json.text(e.metric);
    json.key("value"), json.number(e.value);
    json.key("op"), json.text(e.op);
    json.key("threshold"), json.number(e.threshold);
    json.end_object();
  }
  json.end_array();
}

void write_findings(JsonWriter& json, const char* key, const std::vector<Finding>& list) {
  json.key(key);
  json.begin_array();
  for (const Finding& f : list) {
    json.begin_object();
    json.key("rule"), json.text(f.rule);
    json.key("text"), json.text(f.text);
    json.key("hint"), json.text(f.hint);
    json.key("confidence"), json.text(f.confidence);
    write_evidence(json, f.evidence);
    json.end_object();
  }
  json.end_array();
}

void write_roofline(JsonWriter& json, const Roofline& r) {
  json.key("seed_label"), json.text(r.seed_label);
  json.key("roofline_label"), json.text(r.label);
  json.key("ai"), json.number(r.intensity);
  json.key("ridge"), json.number(r.ridge);
  json.key("achieved");
  json.begin_object();
  json.key("dram_bytes_per_s"), json.number(r.bytes_rate);
  json.key("flops_per_s"), json.number(r.flops_rate);
  json.key("pipe"), json.text(roof_name(r.pipe));
  json.key("dram_share"), json.number(r.memory_share);
  json.key("compute_share"), json.number(r.compute_share);
  json.end_object();
  json.key("reached"), json.number(r.reached);
}

void write_peaks(JsonWriter& json, const Peaks& peaks) {
  json.key("peaks");
  json.begin_object();
  for (std::size_t i = 0; i < roof_count; ++i) {
    if (peaks[i].value <= 0) continue;
    json.key(roof_name(static_cast<Roof>(i)));
    json.begin_object();
    json.key("value"), json.number(peaks[i].value);
    json.key("source"), json.text(peaks[i].source);
    json.end_object();
  }
  json.end_object();
}

void write_stalls(JsonWriter& json, const Diagnosis& d) {
  json.key("stall"), json.text(d.stall);
  json.key("stalls");
  json.begin_object();
  for (const Stall& stall : d.stalls) json.key(stall.reason), json.number(stall.share);
  json.end_object();
}

void write_rules(JsonWriter& json, const Launch& launch) {
  json.key("nsight_rules");
  json.begin_array();
  for (const ProfilerRule& rule : launch.rules) {
    json.begin_object();
    json.key("section"), json.text(rule.section);
    json.key("rule"), json.text(rule.name);
    json.key("type"), json.text(rule.type);
    json.key("text"), json.text(rule.text);
    if (rule.estimate) {
      json.key("estimated_speedup_pct"), json.number(*rule.estimate);
      json.key("scope"), json.text(rule.scope);
    }
    json.end_object();
  }
  json.end_array();
}

void write_subject(JsonWriter& json, const Subject& s, bool all_metrics) {
  const Diagnosis& d = s.diagnosis;
  json.begin_object();
  json.key("kernel"), json.text(s.launch.kernel);
  if (!s.role.empty()) json.key("role"), json.text(s.role);
  json.key("grid"), json.text(s.launch.grid);
  json.key("block"), json.text(s.launch.block);
  json.key("arch"), json.text(s.launch.arch);
  json.key("launches"), json.number(static_cast<double>(s.launches));
  json.key("time_ms"), json.number(d.time_ms);
  json.key("label"), json.text(d.label.word);
  json.key("detail"), json.text(d.label.detail);
  json.key("why"), json.text(d.label.why);
  json.key("confidence"), json.text(d.confidence);
  json.key("doubts"), json.texts(d.doubts);
  json.key("source"), json.text(d.source);
  if (d.roofline) write_roofline(json, *d.roofline);
  write_evidence(json, d.label.evidence);
  write_stalls(json, d);
  write_findings(json, "findings", d.findings.found);
  write_findings(json, "suppressed", d.findings.suppressed);
  write_rules(json, s.launch);
  write_peaks(json, s.peaks);
  json.key("metrics");
  json.begin_object();
  for (const auto& [name, value] : all_metrics ? s.launch.metrics : record_metrics(s.launch))
    json.key(name), json.number(value);
  json.end_object();
  json.end_object();
}

void print_metrics(Context& context, const Launch& launch) {
  context.out << "  metrics:\n";
  for (const auto& [name, value] : launch.metrics)
    context.out << fmt::format("    {} = {}\n", printable(name), number_text(value));
  for (const std::string& name : launch.missing)
    context.out << fmt::format("    {} missing\n", printable(name));
}

std::string point_name(const Subject& s, std::size_t number, std::size_t all) {
  if (!s.role.empty()) return s.role;
  return all == 1 ? "the kernel"
                  : std::to_string(number + 1) + " " + ellipsis(printable(s.launch.kernel), 40);
}

}  // namespace

void write_diagnosis(JsonWriter& json, const std::vector<Subject>& subjects, bool all_metrics) {
  json.begin_array();
  for (const Subject& s : subjects) write_subject(json, s, all_metrics);
  json.end_array();
}

Picture picture_of(const std::vector<Subject>& subjects) {
  Picture picture;
  const Subject& last = subjects.back();
  std::string gpu(text_metric(last.launch, "device__attribute_display_name"));
  picture.title = last.launch.kernel +
                  (gpu.empty() ? (last.launch.arch.empty() ? "" : " on " + last.launch.arch) : " on " + gpu);
  picture.memory = peak(last.peaks, Roof::dram);
  bool measured = picture.memory.source == "measured" || picture.memory.source == "given";
  if (measured && peak(last.nominal, Roof::dram).value > 0)
    picture.memory_nominal = peak(last.nominal, Roof::dram);
  std::array<bool, roof_count> used{};
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const auto& roofline = subjects[i].diagnosis.roofline;
    if (!roofline || !roofline->flops_known) continue;
    used[static_cast<std::size_t>(roofline->pipe)] = true;
    picture.points.push_back(
        {point_name(subjects[i], i, subjects.size()), roofline->intensity, roofline->flops_rate});
  }
  used[static_cast<std::size_t>(Roof::fp32)] = true;
  for (std::size_t i = 1; i < roof_count; ++i) {
    if (used[i] && last.peaks[i].value > 0)
      picture.compute.emplace_back(roof_name(static_cast<Roof>(i)), last.peaks[i]);
  }
  return picture;
}

void print_diagnosis(Context& context, const std::vector<Subject>& subjects, bool all_metrics) {
  for (const Subject& s : subjects) {
    if (&s != subjects.data()) context.out << '\n';
    print_subject(context, s);
    if (all_metrics) print_metrics(context, s.launch);
  }
}

void print_picture(Context& context, const std::vector<Subject>& subjects) {
  Picture picture = picture_of(subjects);
  if (picture.memory.value <= 0 || picture.points.empty()) return;
  context.out << '\n' << text_picture(picture, std::min(context.width, 100), false);
}

}  // namespace explog::cli
