// A search of configurations as pictures: the best time for two knobs, what failed, how sure the winner is.
#include <fmt/format.h>

#include <algorithm>

#include "app/report/data.h"
#include "app/tune/table.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::app {
namespace {

using report::Words;

bool before(const std::string& a, const std::string& b) {
  auto x = parse_number(a), y = parse_number(b);
  return x && y ? *x < *y : a < b;
}

std::vector<std::string> values_of_knob(const std::vector<TimedRow>& rows, const std::string& knob) {
  std::vector<std::string> values;
  for (const TimedRow& row : rows) {
    const std::string& value = row.settings.at(knob);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), before);
  return values;
}

report::HeatMap map_of(const std::vector<TimedRow>& rows, const std::string& x, const std::string& y) {
  report::HeatMap map{x, y, values_of_knob(rows, x), values_of_knob(rows, y), {}};
  map.ms.resize(map.x.size() * map.y.size());
  for (const TimedRow& row : rows) {
    auto column = std::find(map.x.begin(), map.x.end(), row.settings.at(x)) - map.x.begin();
    auto line = std::find(map.y.begin(), map.y.end(), row.settings.at(y)) - map.y.begin();
    auto& cell = map.ms[static_cast<std::size_t>(line) * map.x.size() + static_cast<std::size_t>(column)];
    cell = cell ? std::min(*cell, row.ms) : row.ms;
  }
  return map;
}

report::Table configurations_table(const std::vector<TimedRow>& rows) {
  report::Table table{"configurations, the fastest first", {{"configuration"}, {"ms", true}}, {}};
  for (const TimedRow& row : rows) {
    if (table.rows.size() == 200) break;
    table.rows.push_back({{settings_words(row), short_number(row.ms, 4)}});
  }
  return table;
}

report::Section best_section(const Tuned& tuned, const std::vector<TimedRow>& rows) {
  constexpr std::size_t shown = 10;
  report::Table table{"the ten fastest as the search timed them",
                      {{"configuration"},
                       {"ms", true},
                       {"99% interval", true},
                       {"original / this", true},
                       {"tie with the first"}},
                      {}};
  for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i) {
    const TimedRow& row = rows[i];
    table.rows.push_back(
        {{settings_words(row), short_number(row.ms, 4),
          short_number(row.lo(), 4) + " to " + short_number(row.hi(), 4),
          tuned.original_ms > 0 ? fmt::format("{:.3f}x", tuned.original_ms / row.ms) : std::string(),
          i == 0 ? std::string("is the first") : std::string(is_tie(row, rows[0]) ? "yes" : "no")}});
  }
  return {"The ten best", {std::move(table)}};
}

report::Section map_section(const Tuned& tuned, const std::vector<TimedRow>& rows) {
  report::Section section{"What mattered", {}};
  std::vector<KnobShare> knobs = knob_shares(tuned, rows);
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
  for (const KnobShare& k : knobs) {
    together -= k.share;
    matter.rows.push_back(
        {{k.knob, fmt::format("{:.0f}%", 100 * k.share), fmt::format("{:.3f}x", k.spread)}});
  }
  matter.rows.push_back({{std::string("knobs together, and noise"),
                          fmt::format("{:.0f}%", 100 * std::max(together, 0.0)), std::string()}});
  const std::string& x = knobs[0].knob;
  if (knobs.size() > 1) {
    section.blocks.emplace_back(report::Figure{
        fmt::format("{} and {}, the two knobs that mattered most.", x, knobs[1].knob),
        report::heat_map("times by " + x + " and " + knobs[1].knob, map_of(rows, x, knobs[1].knob)),
        configurations_table(rows)});
  } else {
    section.blocks.emplace_back(configurations_table(rows));
  }
  section.blocks.emplace_back(std::move(matter));
  return section;
}

}  // namespace

std::vector<report::Section> tuning_sections(const Tuned& t, const Session& session) {
  std::vector<TimedRow> rows = timed_rows(t, session);
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
