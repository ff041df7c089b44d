#include "answers/answer.h"
#include "answers/diagnosis.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using namespace diagnose;

void write_evidence(JsonWriter& json, const std::vector<Evidence>& list) {
  json.key("evidence");
  json.begin_array();
  for (const Evidence& e : list) {
    json.begin_object();
    json.field("metric", e.metric);
    json.field("value", e.value);
    json.field("op", e.op);
    json.field("threshold", e.threshold);
    json.end_object();
  }
  json.end_array();
}

void write_findings(JsonWriter& json, const char* key, const std::vector<Finding>& list) {
  json.key(key);
  json.begin_array();
  for (const Finding& f : list) {
    json.begin_object();
    json.field("rule", f.rule);
    json.field("text", f.text);
    json.field("hint", f.hint);
    json.field("confidence", f.confidence);
    write_evidence(json, f.evidence);
    json.end_object();
  }
  json.end_array();
}

void write_roofline(JsonWriter& json, const Roofline& r) {
  json.field("seed_label", r.seed_label);
  json.field("roofline_label", r.label);
  json.field("ai", r.intensity);
  json.field("ridge", r.ridge);
  json.key("achieved");
  json.begin_object();
  json.field("dram_bytes_per_s", r.bytes_rate);
  json.field("flops_per_s", r.flops_rate);
  json.field("pipe", roof_name(r.pipe));
  json.field("dram_share", r.memory_share);
  json.field("compute_share", r.compute_share);
  json.end_object();
  json.field("reached", r.reached);
}

void write_peaks(JsonWriter& json, const Peaks& peaks) {
  json.key("peaks");
  json.begin_object();
  for (std::size_t i = 0; i < roof_count; ++i) {
    if (peaks[i].value <= 0) continue;
    json.key(roof_name(static_cast<Roof>(i)));
    json.begin_object();
    json.field("value", peaks[i].value);
    json.field("source", peaks[i].source);
    json.end_object();
  }
  json.end_object();
}

void write_stalls(JsonWriter& json, const Diagnosis& d) {
  json.field("stall", d.stall);
  json.key("stalls");
  json.begin_object();
  for (const Stall& stall : d.stalls) json.field(stall.reason, stall.share);
  json.end_object();
}

void write_rules(JsonWriter& json, const Launch& launch) {
  json.key("nsight_rules");
  json.begin_array();
  for (const ProfilerRule& rule : launch.rules) {
    json.begin_object();
    json.field("section", rule.section);
    json.field("rule", rule.name);
    json.field("type", rule.type);
    json.field("text", rule.text);
    if (rule.estimate) {
      json.field("estimated_speedup_pct", *rule.estimate);
      json.field("scope", rule.scope);
    }
    json.end_object();
  }
  json.end_array();
}

void write_subject(JsonWriter& json, const Subject& s, bool all_metrics) {
  const Diagnosis& d = s.diagnosis;
  json.begin_object();
  json.field("kernel", s.launch.kernel);
  if (!s.role.empty()) json.field("role", s.role);
  json.field("grid", s.launch.grid);
  json.field("block", s.launch.block);
  json.field("arch", s.launch.arch);
  json.field("launches", s.launches);
  json.field("time_ms", d.time_ms);
  json.field("label", d.label.word);
  json.field("detail", d.label.detail);
  json.field("why", d.label.why);
  json.field("confidence", d.confidence);
  json.field("doubts", d.doubts);
  json.field("source", d.source);
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
    json.field(name, value);
  json.end_object();
  json.end_object();
}

}  // namespace

void write_diagnosis(JsonWriter& json, const std::vector<Subject>& subjects, bool all_metrics) {
  json.begin_array();
  for (const Subject& s : subjects) write_subject(json, s, all_metrics);
  json.end_array();
}

std::string diagnosis_json(const std::vector<Subject>& subjects, bool all_metrics) {
  JsonWriter json;
  begin_answer(json);
  json.key("kernels");
  write_diagnosis(json, subjects, all_metrics);
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
