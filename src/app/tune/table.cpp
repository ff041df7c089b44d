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

// Of "my kernel.cu BLOCK_X=32,BLOCK_Y=8", as measurements name a configuration; nothing for other knobs.
std::optional<Settings> settings_in(const std::string& name, const std::set<std::string>& knobs) {
  Settings settings;
  std::set<std::string> named;
  const std::string words = name.substr(name.rfind(' ') + 1);
  for (std::string_view part : split(words, ',')) {
    std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string value(part.substr(equals + 1));
    auto number = parse_number(value);
    settings.emplace_back(part.substr(0, equals), number ? Scalar(*number) : Scalar(value));
    named.insert(settings.back().first);
  }
  return named == knobs ? std::optional(std::move(settings)) : std::nullopt;
}

// The hashes that a result knows its rows by.
std::set<std::string> hashes_in(const std::string& rows) {
  std::set<std::string> hashes;
  for (std::size_t at = 0; at < rows.size(); at += row_digits) hashes.insert(rows.substr(at, row_digits));
  return hashes;
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

std::vector<MeasuredRow> measured_rows(const Tuned& tuned, const Session& session) {
  const TuningKey& key = tuned.key;
  std::set<std::string> knobs, hashes = hashes_in(tuned.rows);
  for (const auto& [name, value] : tuned.original) knobs.insert(name);
  std::vector<MeasuredRow> rows;
  sql::Db db = session.reader();
  std::string toolkit = key.toolkit + (key.flags.empty() ? "" : " " + key.flags);
  for (Measurement& m : store::measurements_of(db, key.task, key.gpu, toolkit)) {
    bool same_shape = !m.runs.empty() && !m.runs[0].shapes.empty() && m.runs[0].shapes[0].dims == key.shape;
    bool same_task = key.task_hash.empty() || m.task_hash == key.task_hash;
    bool ours = hashes.empty() ? m.candidate.file.starts_with(key.kernel + " ")
                               : hashes.contains(m.candidate.hash.substr(0, row_digits));
    if (!same_shape || !same_task || !ours) continue;
    if (auto settings = settings_in(m.candidate.file, knobs))
      rows.push_back({std::move(*settings), std::move(m)});
  }
  return rows;
}

std::vector<TimedRow> timed_rows(const Tuned& tuned, const Session& session) {
  std::vector<TimedRow> rows;
  for (const MeasuredRow& row : measured_rows(tuned, session)) {
    auto time = bench::quick_time(row.measurement);
    if (!time) continue;
    rows.push_back({{}, time->ms, time->noise});
    for (const auto& [name, value] : row.settings) rows.back().settings[name] = scalar_text(value);
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
