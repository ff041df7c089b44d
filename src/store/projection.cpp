#include "store/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/text.h"
#include "model/claim.h"
#include "model/evidence.h"
#include "model/json.h"

namespace explog::store {
namespace {

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

// "?1,?2,?3"
std::string parameters(int count) {
  std::string list = "?1";
  for (int i = 2; i <= count; ++i) list += ",?" + std::to_string(i);
  return list;
}

std::string upsert_sql(const std::string& schema) {
  return "INSERT INTO " + schema + ".cell(" + cell_key_columns +
         ", success, neutral, failure, broken, gain_n, gain_sum, loss_n, loss_sum, first_rid, last_rid)"
         " VALUES (" +
         parameters(cell_key_size + 10) +
         ")"
         " ON CONFLICT DO UPDATE SET success=success+excluded.success, neutral=neutral+excluded.neutral,"
         " failure=failure+excluded.failure, broken=broken+excluded.broken,"
         " gain_n=gain_n+excluded.gain_n, gain_sum=gain_sum+excluded.gain_sum,"
         " loss_n=loss_n+excluded.loss_n, loss_sum=loss_sum+excluded.loss_sum,"
         " first_rid=CASE WHEN excluded.first_rid=0 THEN first_rid WHEN first_rid=0 THEN excluded.first_rid"
         " ELSE min(first_rid,excluded.first_rid) END,"
         " last_rid=max(last_rid,excluded.last_rid)";
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
      insert_attempt_(db, "INSERT INTO " + schema + ".attempt VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      delete_attempt_(db, "DELETE FROM " + schema + ".attempt WHERE rid=?"),
      upsert_cell_(db, upsert_sql(schema)),
      insert_note_(db, "INSERT INTO " + schema + ".note(rowid, text) VALUES (?,?)"),
      delete_note_(db, "INSERT INTO " + schema + ".note(note, rowid, text) VALUES ('delete',?,?)"),
      insert_key_(db, "INSERT OR IGNORE INTO " + schema + ".idempotency VALUES (?,?)") {}

void Projector::add(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
  sql::Stmt& s = insert_attempt_;
  s.bind(1, rid);
  int column = 1;
  for (const std::string* text : {&e.kernel_type, &e.kernel, &e.backend, &e.arch, &e.gpu, &e.dtype,
                                  &e.bottleneck, &e.strategy, &e.outcome, &e.cause, &e.level}) {
    s.bind_text(++column, *text);
  }
  s.bind_real(13, e.latency_after_ms).bind_real(14, e.speedup);
  s.run();
  add_note(rid, e);
  count(rid, at_ms, e, +1);
}

void Projector::add_note(std::int64_t rid, const Experience& e) {
  std::string text = prose(e);
  if (text.empty()) return;
  insert_note_.bind(1, rid).bind_text(2, text);
  insert_note_.run();
}

void Projector::remove(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
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

// The keys that what counts under `key` counts under too: nothing for a cell without state.
std::vector<CellKey> Projector::coarser_keys(const CellKey& key) {
  if (key.grain != Grain::fine) return {};
  std::vector<CellKey> keys(2, key);
  for (CellKey& coarser : keys) {
    if (key.size >= 0) coarser.size = in_threes(key.size);
    if (key.latency != unknown_latency) coarser.latency = in_threes(key.latency);
  }
  keys[0].grain = Grain::coarse;
  keys[0].state = texts_.shared(feature_key(parse_feature_key(key.state), 3));
  keys[1].grain = Grain::bare;
  keys[1].state = {};
  return keys;
}

void Projector::count(std::int64_t rid, std::int64_t at_ms, const Experience& e, int sign) {
  std::int64_t quarter = quarter_of(at_ms);
  for (const Cell& cell : cells_of(e)) deltas_[key_of(cell, rid, quarter)].add(cell, sign, rid);
}

void Projector::Delta::add(const Delta& other) {
  success += other.success, neutral += other.neutral, failure += other.failure, broken += other.broken;
  gain_n += other.gain_n, gain_sum += other.gain_sum, loss_n += other.loss_n, loss_sum += other.loss_sum;
  auto first = [](std::int64_t a, std::int64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); };
  first_rid = first(first_rid, other.first_rid), last_rid = std::max(last_rid, other.last_rid);
  first_gone = first(first_gone, other.first_gone), last_gone = std::max(last_gone, other.last_gone);
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

void Projector::write(const CellKey& key, const Delta& d) {
  bind_key(upsert_cell_, key);
  int column = cell_key_size;
  for (std::int64_t value : {d.success, d.neutral, d.failure, d.broken, d.gain_n, d.gain_sum, d.loss_n,
                             d.loss_sum, d.first_rid, d.last_rid}) {
    upsert_cell_.bind(++column, value);
  }
  upsert_cell_.run();
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

// After a removal: an empty cell goes; an end that was removed is looked for among the attempts.
void Projector::renew_ends(const CellKey& key, const Delta& delta) {
  const std::string cell = schema_ + ".cell";
  const std::string here =
      std::string(" WHERE (") + cell_key_columns + ") = (" + parameters(cell_key_size) + ")";
  sql::Stmt read(db_, "SELECT success + neutral + failure, first_rid, last_rid FROM " + cell + here);
  bind_key(read, key);
  if (!read.step()) return;
  bool empty = read.integer(0) == 0;
  std::int64_t first = read.integer(1), last = read.integer(2);
  read.reset();
  if (empty) {
    sql::Stmt drop(db_, "DELETE FROM " + cell + here);
    bind_key(drop, key);
    return drop.run();
  }
  if (first >= delta.first_gone) first = find_end(key, true);
  if (last <= delta.last_gone) last = find_end(key, false);
  sql::Stmt update(db_, fmt::format("UPDATE {} SET first_rid=?{}, last_rid=?{}{}", cell, cell_key_size + 1,
                                    cell_key_size + 2, here));
  bind_key(update, key);
  update.bind(cell_key_size + 1, first).bind(cell_key_size + 2, last);
  update.run();
}

// Counts were kept at the finest grain. They are written in key order, which is the order of the table.
void Projector::flush() {
  using Entry = std::pair<const CellKey, Delta>;
  std::vector<const Entry*> entries;
  for (const Entry& entry : deltas_) entries.push_back(&entry);
  for (std::size_t i = 0, finest = entries.size(); i < finest; ++i) {
    for (CellKey& coarser : coarser_keys(entries[i]->first)) {
      auto [found, is_new] = deltas_.try_emplace(std::move(coarser));
      found->second.add(entries[i]->second);
      if (is_new) entries.push_back(&*found);
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry* a, const Entry* b) { return a->first < b->first; });
  for (const Entry* entry : entries) write(entry->first, entry->second);
  for (const Entry* entry : entries) {
    if (entry->second.last_gone != 0) renew_ends(entry->first, entry->second);
  }
  forget();
}

}  // namespace explog::store
