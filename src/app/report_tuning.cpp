// A search of configurations as pictures: the best time for two knobs, what failed, how sure the winner is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/report_data.h"
#include "base/text.h"
#include "bench/quick.h"
#include "model/json.h"
#include "store/measurements.h"
#include "tune/effects.h"

namespace explog::app {
namespace {

using report::Words;

struct Timed {
  std::map<std::string, std::string> settings;
  double ms = 0, noise = 0;  // noise: half of its 99% interval, relative
  double lo() const { return ms / std::exp(noise); }
  double hi() const { return ms * std::exp(noise); }
};

// "sweep.cu BLOCK_X=32,BLOCK_Y=8" as measurements name a configuration; empty for another file's.
std::map<std::string, std::string> settings_in_name(const std::string& name) {
  std::map<std::string, std::string> settings;
  std::size_t space = name.find(' ');
  if (space == std::string::npos) return settings;
  for (std::string_view pair : split(std::string_view(name).substr(space + 1), ',')) {
    std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return {};
    settings[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
  }
  return settings;
}

// Of a configuration that was measured more than once the middle time; the surest of its intervals.
std::vector<Timed> each_once(std::vector<Timed> all) {
  std::map<std::map<std::string, std::string>, std::vector<Timed>> by_settings;
  for (Timed& row : all) by_settings[row.settings].push_back(std::move(row));
  std::vector<Timed> rows;
  for (auto& [settings, same] : by_settings) {
    std::sort(same.begin(), same.end(), [](const Timed& a, const Timed& b) { return a.ms < b.ms; });
    Timed row = same[(same.size() - 1) / 2];
    for (const Timed& other : same) row.noise = std::min(row.noise, other.noise);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Timed> timed_rows(const Tuned& tuned, const Session& session) {
  std::set<std::string> knobs;
  for (const auto& [name, value] : tuned.original) knobs.insert(name);
  std::vector<Timed> rows;
  sql::Db db = session.reader();
  for (const Measurement& m : store::measurements_of(db, tuned.key.task, tuned.key.gpu, tuned.key.toolkit)) {
    bool same = !m.runs.empty() && !m.runs[0].shapes.empty() && m.runs[0].shapes[0].dims == tuned.key.shape;
    auto time = same ? bench::quick_time(m) : std::nullopt;
    if (!time) continue;
    Timed row{settings_in_name(m.candidate.file), time->ms, time->noise};
    bool ours = row.settings.size() == knobs.size();
    for (const auto& [name, value] : row.settings) ours = ours && knobs.contains(name);
    if (ours) rows.push_back(std::move(row));
  }
  return each_once(std::move(rows));
}

bool before(const std::string& a, const std::string& b) {
  auto x = parse_number(a), y = parse_number(b);
  return x && y ? *x < *y : a < b;
}

std::vector<std::string> values_of_knob(const std::vector<Timed>& rows, const std::string& knob) {
  std::vector<std::string> values;
  for (const Timed& row : rows) {
    const std::string& value = row.settings.at(knob);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), before);
  return values;
}

// How far apart the best times of its values are: what mattered.
double spread_of(const std::vector<Timed>& rows, const std::string& knob) {
  std::map<std::string, double> best;
  for (const Timed& row : rows) {
    auto [it, added] = best.emplace(row.settings.at(knob), row.ms);
    if (!added) it->second = std::min(it->second, row.ms);
  }
  double low = 1e300, high = 0;
  for (const auto& [value, ms] : best) low = std::min(low, ms), high = std::max(high, ms);
  return high > 0 ? high / low : 1;
}

report::HeatMap map_of(const std::vector<Timed>& rows, const std::string& x, const std::string& y) {
  report::HeatMap map{x, y, values_of_knob(rows, x), values_of_knob(rows, y), {}};
  map.ms.resize(map.x.size() * map.y.size());
  for (const Timed& row : rows) {
    auto column = std::find(map.x.begin(), map.x.end(), row.settings.at(x)) - map.x.begin();
    auto line = std::find(map.y.begin(), map.y.end(), row.settings.at(y)) - map.y.begin();
    auto& cell = map.ms[static_cast<std::size_t>(line) * map.x.size() + static_cast<std::size_t>(column)];
    cell = cell ? std::min(*cell, row.ms) : row.ms;
  }
  return map;
}

std::string settings_words(const Timed& row) {
  std::string text;
  for (const auto& [name, value] : row.settings) text += (text.empty() ? "" : ", ") + name + "=" + value;
  return text;
}

std::vector<Timed> fastest_first(std::vector<Timed> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Timed& a, const Timed& b) { return a.ms < b.ms; });
  return rows;
}

report::Table configurations_table(const std::vector<Timed>& rows) {
  report::Table table{"configurations, the fastest first", {{"configuration"}, {"ms", true}}, {}};
  for (const Timed& row : fastest_first(rows)) {
    if (table.rows.size() == 200) break;
    table.rows.push_back({{settings_words(row), short_number(row.ms, 4)}});
  }
  return table;
}

// The search times lightly: what it does not tell from its fastest is a tie, whatever the order says.
report::Section best_section(const Tuned& tuned, const std::vector<Timed>& rows) {
  constexpr std::size_t shown = 10;
  report::Table table{"the ten fastest as the search timed them",
                      {{"configuration"},
                       {"ms", true},
                       {"99% interval", true},
                       {"original / this", true},
                       {"tie with the first"}},
                      {}};
  std::vector<Timed> sorted = fastest_first(rows);
  for (std::size_t i = 0; i < std::min(shown, sorted.size()); ++i) {
    const Timed& row = sorted[i];
    bool tie = row.lo() <= sorted[0].hi();
    table.rows.push_back(
        {{settings_words(row), short_number(row.ms, 4),
          short_number(row.lo(), 4) + " to " + short_number(row.hi(), 4),
          tuned.original_ms > 0 ? fmt::format("{:.3f}x", tuned.original_ms / row.ms) : std::string(),
          i == 0 ? std::string("is the first") : std::string(tie ? "yes" : "no")}});
  }
  return {"The ten best", {std::move(table)}};
}

double share_of(const std::vector<Timed>& rows, const std::string& knob) {
  std::vector<std::pair<std::string, double>> values;
  for (const Timed& row : rows) values.emplace_back(row.settings.at(knob), row.ms);
  return tune::variance_share(values);
}

report::Section map_section(const Tuned& tuned, const std::vector<Timed>& rows) {
  report::Section section{"What mattered", {}};
  std::vector<std::pair<double, std::string>> knobs;
  for (const auto& [name, value] : tuned.original) {
    if (!rows.empty() && values_of_knob(rows, name).size() > 1)
      knobs.emplace_back(-share_of(rows, name), name);
  }
  std::sort(knobs.begin(), knobs.end());
  if (knobs.empty()) {
    section.blocks.emplace_back(
        Words{"No times of single configurations are in this store.", report::Tone::dim});
    return section;
  }
  report::Table matter{
      "share of the variance of log time that each knob explains alone; spread: the best time of its slowest "
      "value over that of its fastest",
      {{"knob"}, {"share of variance", true}, {"spread", true}},
      {}};
  double together = 1;
  for (const auto& [share, name] : knobs) {
    together += share;
    matter.rows.push_back(
        {{name, fmt::format("{:.0f}%", -100 * share), fmt::format("{:.3f}x", spread_of(rows, name))}});
  }
  matter.rows.push_back({{std::string("knobs together, and noise"),
                          fmt::format("{:.0f}%", 100 * std::max(together, 0.0)), std::string()}});
  const std::string& x = knobs[0].second;
  if (knobs.size() > 1) {
    section.blocks.emplace_back(report::Figure{
        fmt::format("{} and {}, the two knobs that mattered most.", x, knobs[1].second),
        report::heat_map("times by " + x + " and " + knobs[1].second, map_of(rows, x, knobs[1].second)),
        configurations_table(rows)});
  } else {
    section.blocks.emplace_back(configurations_table(rows));
  }
  section.blocks.emplace_back(std::move(matter));
  return section;
}

}  // namespace

std::vector<report::Section> tuning_sections(const Tuned& t, const Session& session) {
  std::vector<Timed> rows = timed_rows(t, session);
  std::string answer = t.original_wins
                           ? "The original stays: nothing was proven faster" +
                                 (t.reason.empty() ? "" : " (" + t.reason + ")") + "."
                           : fmt::format("{} is {} of the original's speed.", settings_text(t.best),
                                         report::faster_words(t.faster, t.lo, t.hi));
  report::Facts facts{
      {{"task", t.key.task},
       {"kernel", t.key.kernel},
       {"shape", dims_text(t.key.shape)},
       {"machine", t.key.gpu + ", " + t.key.toolkit},
       {"best", settings_text(t.best) + ", " + report::ms_words(t.best_ms)},
       {"original", settings_text(t.original) + ", " + report::ms_words(t.original_ms)},
       {"search", t.search + (t.complete ? ", complete" : ", cut short")},
       {"configurations", fmt::format("{}: {} timed, {} failed", t.configurations, t.successes, t.failed)}}};
  std::vector<report::Section> sections = {{"The answer", {Words{answer}, std::move(facts)}}};
  if (!t.original_wins && t.lo > 0)
    sections.back().blocks.emplace_back(report::Figure{
        "The best against the original, judged in full.",
        report::strips("the best against the original",
                       {{dims_text(t.key.shape), t.faster, t.lo, t.hi, settings_text(t.best)}}),
        {"the same",
         {{"shape"}, {"faster (99%)", true}},
         {{{dims_text(t.key.shape), report::faster_words(t.faster, t.lo, t.hi)}}}}});
  if (!rows.empty()) sections.push_back(best_section(t, rows));
  sections.push_back(map_section(t, rows));
  report::Table failed{
      "configurations that failed, the first of them", {{"configuration"}, {"cause"}, {"it said"}}, {}};
  for (const TuningFailure& f : t.failures)
    failed.rows.push_back({{settings_text(f.params), report::Cell(f.cause, report::Tone::bad), f.line}});
  if (!failed.rows.empty()) sections.push_back({"What failed", {std::move(failed)}});
  return sections;
}

}  // namespace explog::app
