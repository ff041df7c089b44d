#include "report/campaign_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"

namespace explog::report {
namespace {

constexpr std::size_t most_versions = 100, most_behind = 40;  // of a page's tables; behind a picture

std::string version_name(const CampaignVersion& v) { return fmt::format("v{} {}", v.number, v.name); }

Cell named(const CampaignView& c, const CampaignVersion& v) {
  std::string row = c.has_records_table ? v.row : fmt::format("v{}", v.number);
  return row.empty() ? Cell(version_name(v)) : linked(version_name(v), "#" + row);
}

// What stands in place of a time.
std::string no_time(const CampaignVersion& v) { return v.status == "not judged" ? v.status : "did not run"; }

Tone tone_of(const CampaignVersion& v) {
  if (v.kept()) return Tone::good;
  return v.status == "crash" ? Tone::bad : Tone::dim;
}

Strip strip_of(const Attempt& a) {
  std::string label = a.shape.empty() ? (a.kernel.empty() ? a.kernel_type : a.kernel) : shape_text(a.shape);
  return {label, a.speedup, a.lo, a.hi, short_id(a.id) + ": " + faster_words(a.speedup, a.lo, a.hi)};
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += std::log(v);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

// A version is judged on several shapes, a record each.
CampaignVersion version_of(int number, const std::vector<const Attempt*>& records) {
  CampaignVersion v;
  v.number = number;
  std::vector<double> before, after, factors;
  std::size_t kept = 0, crashed = 0;
  for (const Attempt* a : records) {
    v.records.push_back(a->id);
    if (a->shown && v.row.empty()) v.row = anchor_of(*a);
    if (a->before_ms > 0) before.push_back(a->before_ms);
    if (is_right(*a)) after.push_back(a->after_ms);
    if (a->speedup > 0) v.shapes.push_back(strip_of(*a)), factors.push_back(a->speedup);
    kept += is_kept(*a) ? 1 : 0;
    crashed += a->decision == "crash" || !is_right(*a) ? 1 : 0;
  }
  const Attempt& first = *records.front();
  v.name = first.strategy, v.hypothesis = first.hypothesis;
  v.status = crashed == records.size() ? "crash" : kept > 0 && crashed == 0 ? "keep" : "revert";
  v.ms = geometric_mean(after), v.from_ms = geometric_mean(before);
  v.faster.factor = geometric_mean(factors);
  if (v.shapes.size() == 1) v.faster = v.shapes.front();
  v.faster.label = version_name(v);
  return v;
}

// In short: the best version against where it began.
std::string lead_of(const CampaignView& c) {
  const CampaignVersion* best = nullptr;
  std::size_t kept = 0;
  for (const CampaignVersion& v : c.versions) {
    kept += v.kept() && v.number > 0 ? 1 : 0;
    if (v.number == c.champion) best = &v;
  }
  std::string text = fmt::format("{} versions, {} kept.", c.versions.size(), kept);
  if (best != nullptr && best->ms > 0)
    text += fmt::format(" The best is {} at {}.", version_name(*best), ms_words(best->ms));
  return text;
}

Figure waterfall_figure(const CampaignView& c) {
  std::vector<Step> steps;
  Table behind{"times of the versions", {{"version"}, {"from, ms", true}, {"ms", true}, {"kept"}}, {}};
  for (const CampaignVersion& v : c.versions) {
    std::string tip =
        fmt::format("{}: {}{}, {}", version_name(v), v.from_ms > 0 ? ms_words(v.from_ms) + " to " : "",
                    v.ms > 0 ? ms_words(v.ms) : no_time(v), v.status);
    steps.push_back({version_name(v), tip, v.from_ms, v.ms, v.kept(), v.status == "crash", no_time(v)});
    if (behind.rows.size() < most_behind)
      behind.rows.push_back({{named(c, v), v.from_ms > 0 ? short_number(v.from_ms, 4) : "",
                              v.ms > 0 ? short_number(v.ms, 4) : no_time(v), Cell(v.status, tone_of(v))}});
  }
  return {
      "What each version changed: from the time of the version it was made from to its own. Full bars were "
      "kept.",
      waterfall("campaign " + c.id + ": time of each version", steps), std::move(behind)};
}

Figure shapes_figure(const CampaignVersion& v) {
  Table behind{"shapes of " + version_name(v), {{"shape"}, {"faster (99%)", true}}, {}};
  for (const Strip& s : v.shapes) behind.rows.push_back({{s.label, faster_words(s.factor, s.lo, s.hi)}});
  return {"Shape by shape: " + version_name(v) + " against the version it was made from.",
          strips("gain of " + version_name(v) + " on each shape", v.shapes), std::move(behind)};
}

Figure gains_figure(const CampaignView& c) {
  std::vector<Strip> rows;
  Table behind{"gains of the versions", {{"version"}, {"faster (99%)", true}}, {}};
  for (const CampaignVersion& v : c.versions) {
    if (v.faster.factor <= 0 || v.number == 0 || rows.size() >= most_behind) continue;
    rows.push_back(v.faster);
    rows.back().label = version_name(v);
    behind.rows.push_back({{named(c, v), faster_words(v.faster.factor, v.faster.lo, v.faster.hi)}});
  }
  return {"How much faster each version was than its parent, and how sure that is.",
          strips("gain of each version", rows), std::move(behind)};
}

Table versions_table(const CampaignView& c) {
  Table table{"versions",
              {{"version"},
               {"status"},
               {"ms", true},
               {"faster (99%)", true},
               {"why it was tried"},
               {"what came of it"},
               {"records"}},
              {}};
  for (const CampaignVersion& v : c.versions) {
    if (table.rows.size() >= most_versions) break;
    std::string came = v.said;
    for (const std::string& line : v.expected) came += (came.empty() ? "" : "; ") + line;
    std::string ids;
    for (std::size_t i = 0; i < v.records.size() && i < 3; ++i)
      ids += (i ? " " : "") + short_id(v.records[i]);
    table.rows.push_back(
        {{Cell(version_name(v)), Cell(v.status, tone_of(v)), v.ms > 0 ? short_number(v.ms, 4) : no_time(v),
          faster_words(v.faster.factor, v.faster.lo, v.faster.hi), v.hypothesis, came, ids},
         fmt::format("v{}", v.number)});
  }
  return table;
}

}  // namespace

CampaignView campaign_of(const std::string& id, const std::vector<const Attempt*>& records) {
  std::map<int, std::vector<const Attempt*>> by_version;
  int unnumbered = 100000;  // a record without a number is a version of its own
  for (const Attempt* a : records) by_version[a->iteration >= 0 ? a->iteration : ++unnumbered].push_back(a);
  CampaignView c;
  c.id = id;
  c.has_records_table = true;
  int place = 0;
  double best = 1e300;
  for (const auto& [number, list] : by_version) {
    ++place;
    c.versions.push_back(version_of(number > 100000 ? place : number, list));
    const CampaignVersion& v = c.versions.back();
    if (!v.kept() || v.ms <= 0 || v.ms >= best) continue;
    best = v.ms;
    c.champion = v.number;
  }
  if (!records.empty()) {
    const Attempt& a = *records.back();
    c.facts = {{"kernel", kernel_of(a) + " (" + a.kernel_type + ", " + a.backend + ")"},
               {"machine", machine_of(a) + ", " + a.arch},
               {"from", day_of(records.front()->at_ms)},
               {"to", day_of(a.at_ms)},
               {"records", std::to_string(records.size())}};
  }
  return c;
}

std::vector<Section> campaign_sections(const CampaignView& c) {
  Section brief{"In short", {Words{c.lead.empty() ? lead_of(c) : c.lead}}};
  Facts facts;
  for (const auto& [name, text] : c.facts) facts.list.emplace_back(name, Cell(text));
  brief.blocks.emplace_back(std::move(facts));
  Section pictures{"What happened", {waterfall_figure(c), gains_figure(c)}};
  for (const CampaignVersion& v : c.versions) {
    if (v.number == c.champion && v.shapes.size() > 1) pictures.blocks.emplace_back(shapes_figure(v));
  }
  std::vector<Section> sections = {std::move(brief), std::move(pictures)};
  if (!c.has_records_table) sections.push_back({"The versions", {versions_table(c)}});
  return sections;
}

}  // namespace explog::report
