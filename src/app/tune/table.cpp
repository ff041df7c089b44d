#include "app/tune/table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/text.h"
#include "bench/quick.h"
#include "store/measurements.h"
#include "tune/effects.h"

namespace explog::app {
namespace {

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
std::vector<TimedRow> each_once(std::vector<TimedRow> all) {
  std::map<std::map<std::string, std::string>, std::vector<TimedRow>> by_settings;
  for (TimedRow& row : all) by_settings[row.settings].push_back(std::move(row));
  std::vector<TimedRow> rows;
  for (auto& [settings, same] : by_settings) {
    std::sort(same.begin(), same.end(), [](const TimedRow& a, const TimedRow& b) { return a.ms < b.ms; });
    TimedRow row = same[(same.size() - 1) / 2];
    for (const TimedRow& other : same) row.noise = std::min(row.noise, other.noise);
    rows.push_back(std::move(row));
  }
  return rows;
}

// How far apart the best times of its values are: what mattered.
double spread_of(const std::vector<TimedRow>& rows, const std::string& knob) {
  std::map<std::string, double> best;
  for (const TimedRow& row : rows) {
    auto [it, added] = best.emplace(row.settings.at(knob), row.ms);
    if (!added) it->second = std::min(it->second, row.ms);
  }
  double low = 1e300, high = 0;
  for (const auto& [value, ms] : best) low = std::min(low, ms), high = std::max(high, ms);
  return high > 0 ? high / low : 1;
}

double share_of(const std::vector<TimedRow>& rows, const std::string& knob) {
  std::vector<std::pair<std::string, double>> values;
  for (const TimedRow& row : rows) values.emplace_back(row.settings.at(knob), row.ms);
  return tune::variance_share(values);
}

}  // namespace

double TimedRow::lo() const { return ms / std::exp(noise); }
double TimedRow::hi() const { return ms * std::exp(noise); }

bool is_tie(const TimedRow& row, const TimedRow& fastest) { return row.lo() <= fastest.hi(); }

std::string settings_words(const TimedRow& row) {
  std::string text;
  for (const auto& [name, value] : row.settings) text += (text.empty() ? "" : ", ") + name + "=" + value;
  return text;
}

std::vector<TimedRow> timed_rows(const Tuned& tuned, const Session& session) {
  std::set<std::string> knobs;
  for (const auto& [name, value] : tuned.original) knobs.insert(name);
  std::vector<TimedRow> rows;
  sql::Db db = session.reader();
  std::string toolkit = tuned.key.toolkit + (tuned.key.flags.empty() ? "" : " " + tuned.key.flags);
  for (const Measurement& m : store::measurements_of(db, tuned.key.task, tuned.key.gpu, toolkit)) {
    bool same = !m.runs.empty() && !m.runs[0].shapes.empty() && m.runs[0].shapes[0].dims == tuned.key.shape;
    auto time = same ? bench::quick_time(m) : std::nullopt;
    if (!time) continue;
    TimedRow row{settings_in_name(m.candidate.file), time->ms, time->noise};
    bool ours = row.settings.size() == knobs.size();
    for (const auto& [name, value] : row.settings) ours = ours && knobs.contains(name);
    if (ours) rows.push_back(std::move(row));
  }
  rows = each_once(std::move(rows));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TimedRow& a, const TimedRow& b) { return a.ms < b.ms; });
  return rows;
}

std::vector<KnobShare> knob_shares(const Tuned& tuned, const std::vector<TimedRow>& rows) {
  std::vector<KnobShare> shares;
  for (const auto& [name, value] : tuned.original) {
    std::set<std::string> values;
    for (const TimedRow& row : rows) values.insert(row.settings.at(name));
    if (values.size() > 1) shares.push_back({name, share_of(rows, name), spread_of(rows, name)});
  }
  std::sort(shares.begin(), shares.end(), [](const KnobShare& a, const KnobShare& b) {
    return a.share != b.share ? a.share > b.share : a.knob < b.knob;
  });
  return shares;
}

}  // namespace explog::app
