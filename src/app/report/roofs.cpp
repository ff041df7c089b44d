// Rooflines of records: their profiles under the roofs of their machine.
#include <fmt/format.h>

#include <algorithm>

#include "app/judge/diagnose_kernel.h"
#include "app/report/data.h"
#include "base/error.h"
#include "base/text.h"
#include "diagnose/picture_of.h"
#include "store/devices.h"

namespace explog::app {
namespace {

// L1 moves 128 bytes a cycle and multiprocessor; the L2's rate is known where it was measured.
std::vector<std::pair<std::string, diagnose::Peak>> caches_of(const diagnose::Subject& s,
                                                              const Session& session) {
  std::vector<std::pair<std::string, diagnose::Peak>> caches;
  sql::Db db = session.reader();
  std::string gpu(text_metric(s.launch, "device__attribute_display_name"));
  auto ceilings = store::ceilings_of(db, gpu, s.launch.arch);
  if (ceilings && ceilings->rate("l2_bytes_per_s") > 0)
    caches.push_back({"L2", {ceilings->rate("l2_bytes_per_s"), "measured"}});
  auto count = metric(s.launch, "launch__sm_count"),
       clock = metric(s.launch, "sm__cycles_elapsed.avg.per_second");
  if (count && clock) caches.push_back({"L1", {128 * *count * *clock, "attributes"}});
  return caches;
}

report::Table figures_of(const std::vector<diagnose::Subject>& subjects, const std::string& link) {
  report::Table table{"the figures of the roofline",
                      {{"kernel"},
                       {"FLOP/byte", true},
                       {"TFLOP/s", true},
                       {"TB/s", true},
                       {"of the roof", true},
                       {"bound by"}},
                      {}};
  for (const diagnose::Subject& s : subjects) {
    const auto& r = s.diagnosis.roofline;
    if (!r) continue;
    table.rows.push_back(
        {{report::linked(s.role.empty() ? s.launch.kernel : s.role, link), short_number(r->intensity),
          short_number(r->flops_rate / 1e12), short_number(r->bytes_rate / 1e12),
          fmt::format("{:.0f}%", 100 * r->reached), s.diagnosis.label.word}});
  }
  return table;
}

}  // namespace

std::optional<report::Roof> roof_of_record(const report::Attempt& a, const std::string& link,
                                           const Session& session) {
  std::vector<diagnose::Subject> subjects;
  try {
    DiagnosisRequest request;
    request.record = a.id;
    subjects = diagnose_kernel(request, session);
  } catch (const Error&) {
    return std::nullopt;  // no profile
  }
  if (subjects.empty() || !subjects.back().diagnosis.roofline) return std::nullopt;
  diagnose::Picture picture = diagnose::picture_of(subjects);
  if (picture.points.empty() || picture.memory.value <= 0) return std::nullopt;
  picture.caches = caches_of(subjects.back(), session);
  const diagnose::Roofline& roofline = *subjects.back().diagnosis.roofline;
  std::string caption = fmt::format("Roofline of record {}: {} of the roof is reached.",
                                    report::short_id(a.id), fmt::format("{:.0f}%", 100 * roofline.reached));
  return report::Roof{roofline.reached,
                      {caption, diagnose::svg_picture(picture, Svg::Look::page), figures_of(subjects, link)}};
}

void add_roofs(report::Everything& all, const report::Index& index, bool links, const Session& session) {
  for (const report::Line& line : index.lines) {
    if (line.profiled == nullptr) continue;
    std::string link = links ? home_of(*line.profiled) : "#" + anchor_of(*line.profiled);
    if (auto roof = roof_of_record(*line.profiled, link, session))
      all.roofs.emplace(line.profiled->id, std::move(*roof));
  }
}

}  // namespace explog::app
