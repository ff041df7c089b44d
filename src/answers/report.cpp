#include "answers/report.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {

void print_report(const Terminal& terminal, const app::Report& report, const std::string& file) {
  terminal.print({fmt::format("{} {}: {} KB written to {}", report.kind, report.name,
                              (report.html.size() + 999) / 1000, file)});
}

std::string report_json(const app::Report& report, const std::string& file) {
  JsonWriter json;
  begin_answer(json);
  json.field("kind", report.kind);
  json.field("name", report.name);
  json.field("file", file);
  json.field("bytes", report.html.size());
  json.end_object();
  return json.take();
}

void print_site(const Terminal& terminal, const app::SiteWritten& s) {
  std::string removed = s.removed > 0 ? fmt::format(", {} removed", s.removed) : "";
  terminal.print(
      {fmt::format("{} kernels, {} machines, {} campaigns: {} files unchanged, {} written ({:.1f} MB){}",
                   s.kernels, s.machines, s.campaigns, s.unchanged, s.written,
                   static_cast<double>(s.bytes) / 1e6, removed),
       "open file://" + s.start});
}

std::string site_json(const app::SiteWritten& s) {
  JsonWriter json;
  begin_answer(json);
  json.field("kernels", s.kernels);
  json.field("machines", s.machines);
  json.field("campaigns", s.campaigns);
  json.field("written", s.written);
  json.field("unchanged", s.unchanged);
  json.field("removed", s.removed);
  json.field("bytes", s.bytes);
  json.field("start", s.start);
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
