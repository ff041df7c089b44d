#include "store/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "model/claim.h"
#include "model/evidence.h"
#include "model/json.h"

namespace explog::store {
namespace {

constexpr std::size_t most_note_bytes = 16 << 20;  // that wait

std::int64_t quarter_of(std::int64_t at_ms) {
  std::time_t seconds = at_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return (utc.tm_year + 1900) * 4 + utc.tm_mon / 3;
}

// The text that `search` looks through; empty when the record has no prose.
std::string prose(const Experience& e) {
  std::string text;
  auto append = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  };
  for (const std::string* part : {&e.hypothesis, &e.notes, &e.condition, &e.strategy_text}) append(*part);
  for (const std::string& tag : e.tags) append(tag);
  return text;
}

}  // namespace

std::optional<Experience> countable(std::string_view body) {
  try {
    Experience e = parse_experience(body);
    if (prepare(e, "replicated").refused) return std::nullopt;
    return e;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

Projector::Projector(sql::Db& db, const std::string& schema)
    : db_(db),
      schema_(schema),
      attempts_(db, schema + ".attempt", 14),
      delete_attempt_(db, "DELETE FROM " + schema + ".attempt WHERE rid=?"),
      cells_(db, schema),
      insert_note_(db, "INSERT INTO " + schema + ".note(rowid, text) VALUES (?,?)"),
      delete_note_(db, "INSERT INTO " + schema + ".note(note, rowid, text) VALUES ('delete',?,?)"),
      insert_key_(db, "INSERT OR IGNORE INTO " + schema + ".idempotency VALUES (?,?)") {}

void Projector::add(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
  add_later(rid, at_ms, e);
  write();
  write_notes();
}

void Projector::add_later(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
  auto number = [](std::optional<double> value) { return value ? sql::ValueView(*value) : sql::ValueView(); };
  attempts_.add({rid, e.kernel_type, e.kernel, e.backend, e.arch, e.gpu, e.dtype, e.bottleneck, e.strategy,
                 e.outcome, e.cause, e.level, number(e.latency_after_ms), number(e.speedup)});
  if (std::string text = prose(e); !text.empty()) {
    note_bytes_ += text.size();
    notes_.emplace_back(rid, std::move(text));
  }
  if (note_bytes_ > most_note_bytes) write_notes();
  count(rid, at_ms, e, +1);
}

void Projector::write_notes() {
  for (const auto& [rid, text] : notes_) {
    insert_note_.bind(1, rid).bind_text(2, text);
    insert_note_.run();
  }
  notes_.clear();
  note_bytes_ = 0;
}

void Projector::add_note(std::int64_t rid, const Experience& e) {
  std::string text = prose(e);
  if (text.empty()) return;
  insert_note_.bind(1, rid).bind_text(2, text);
  insert_note_.run();
}

void Projector::remove(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
  write_notes();
  delete_attempt_.bind(1, rid);
  delete_attempt_.run();
  if (std::string text = prose(e); !text.empty()) {
    delete_note_.bind(1, rid).bind_text(2, text);
    delete_note_.run();
  }
  count(rid, at_ms, e, -1);
}

void Projector::remember_key(const std::string& key, std::int64_t rid) {
  insert_key_.bind_text(1, key).bind(2, rid);
  insert_key_.run();
}

// The key of a cell at its finest.
CellKey Projector::key_of(const Cell& cell, std::int64_t rid, std::int64_t quarter) {
  auto shared = [&](const SharedText& text) { return texts_.shared(text); };
  CellKey key;
  key.family = shared(cell.family);
  bool plain = cell.state.empty() && cell.size < 0 && cell.latency == unknown_latency;
  key.grain = plain ? Grain::stateless : Grain::fine;
  key.strategy = shared(cell.strategy), key.backend = shared(cell.backend);
  key.arch = shared(cell.arch), key.bottleneck = shared(cell.bottleneck);
  key.kernel_type = shared(cell.kernel_type), key.dtype = shared(cell.dtype);
  key.size = cell.size, key.latency = cell.latency;
  key.state = shared(cell.state), key.level = shared(cell.level);
  key.origin = origin_of(rid);
  key.source = shared(replace_all(cell.source, "\x1f", " "));  // as every version has stored it
  key.quarter = quarter;
  key.mirrored = cell.reversed;
  return key;
}

// To the nearest multiple of three, which is the same for every rounding of a step of one.
std::int64_t in_threes(std::int64_t value) { return 3 * ((value + 301) / 3 - 100); }

// A state in steps of three.
std::string coarse(std::string_view state) {
  std::string text;
  for (const auto& [name, value] : features_in(state)) {
    char digits[24];
    char* end = std::to_chars(digits, digits + sizeof digits, std::lround(value / 3)).ptr;
    if (!text.empty()) text += ';';
    text.append(name).append(1, '=').append(digits, end);
  }
  return text;
}

// The keys that what counts under `key` counts under too: nothing for a cell without state.
std::vector<CellKey> Projector::coarser_keys(const CellKey& key) {
  if (key.grain != Grain::fine) return {};
  std::vector<CellKey> keys(2, key);
  for (CellKey& coarser : keys) {
    if (key.size >= 0) coarser.size = in_threes(key.size);
    if (key.latency != unknown_latency) coarser.latency = in_threes(key.latency);
  }
  keys[0].grain = Grain::coarse;
  keys[0].state = texts_.shared(coarse(key.state));
  keys[1].grain = Grain::bare;
  keys[1].state = {};
  return keys;
}

void Projector::count(std::int64_t rid, std::int64_t at_ms, const Experience& e, int sign) {
  std::int64_t quarter = quarter_of(at_ms);
  for (const Cell& cell : cells_of(e)) deltas_[key_of(cell, rid, quarter)].add(cell, sign, rid);
}

void Projector::Delta::add(const Cell& cell, int sign, std::int64_t rid) {
  success += sign * cell.success, neutral += sign * cell.neutral, failure += sign * cell.failure;
  broken += sign * cell.broken;
  gain_n += sign * cell.gain_n, gain_sum += sign * cell.gain_sum;
  loss_n += sign * cell.loss_n, loss_sum += sign * cell.loss_sum;
  if (sign < 0) {
    first_gone = first_gone == 0 ? rid : std::min(first_gone, rid);
    last_gone = std::max(last_gone, rid);
    return;
  }
  first_rid = first_rid == 0 ? rid : std::min(first_rid, rid);
  last_rid = std::max(last_rid, rid);
}

// The oldest or newest record of a cell that counts now; 0 when there is none.
std::int64_t Projector::find_end(const CellKey& key, bool first) {
  sql::Stmt find(db_, "SELECT a.rid, e.at, e.body FROM " + schema_ +
                          ".attempt a JOIN main.event e ON e.rid=a.rid"
                          " WHERE a.rid>?1 AND a.rid<?2 AND family(a.kernel_type)=?3 AND a.backend=?4"
                          " AND a.arch=?5 AND a.bottleneck=?6 ORDER BY a.rid" +
                          (first ? "" : " DESC"));
  find.bind(1, first_rid_of(key.origin)).bind(2, first_rid_of(key.origin + 1));
  find.bind_text(3, key.family).bind_text(4, key.backend);
  find.bind_text(5, key.arch).bind_text(6, key.bottleneck);
  while (find.step()) {
    std::int64_t rid = find.integer(0);
    auto e = countable(find.text(2));
    if (!e) continue;
    for (const Cell& cell : cells_of(*e)) {
      CellKey finest = key_of(cell, rid, quarter_of(find.integer(1)));
      auto coarser = coarser_keys(finest);
      if (finest == key || std::find(coarser.begin(), coarser.end(), key) != coarser.end()) return rid;
    }
  }
  return 0;
}

// Counts were kept at the finest grain. They are written in key order, which is the order of the table.
void Projector::flush() {
  write_notes();
  std::vector<CellChange> changes;
  auto enter = [&](const auto& counted) {
    changes.push_back({&counted.first, key_bytes(counted.first), &counted.second});
  };
  for (const auto& counted : deltas_) enter(counted);
  for (std::size_t i = 0, finest = changes.size(); i < finest; ++i) {
    for (CellKey& coarser : coarser_keys(*changes[i].key)) {
      auto [found, is_new] = deltas_.try_emplace(std::move(coarser));
      found->second.CellDelta::add(*changes[i].delta);
      if (is_new) enter(*found);
    }
  }
  auto place = [](const CellChange& c) { return std::tie(c.key->family, c.key->grain, c.bytes); };
  std::sort(changes.begin(), changes.end(),
            [&](const CellChange& a, const CellChange& b) { return place(a) < place(b); });
  cells_.add(changes, [&](const CellKey& key, bool first) { return find_end(key, first); });
  forget();
}

void Projector::forget() {
  deltas_.clear(), texts_.clear();
  attempts_.forget();
  notes_.clear();
  note_bytes_ = 0;
}

}  // namespace explog::store
