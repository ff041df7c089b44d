#include "store/projection.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <utility>

#include "base/text.h"
#include "model/check.h"
#include "model/evidence.h"
#include "model/json.h"

namespace explog::store {
namespace {

constexpr char separator =
    '\x1f';  // cannot stand in a stored name: names are vocabulary words, numbers, or cleaned

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
  for (const std::string* part : {&e.hypothesis, &e.notes, &e.condition}) append(*part);
  for (const std::string& tag : e.tags) append(tag);
  return text;
}

// Grains of a cell's state: fine, coarse, none; and a cell that has no state, which belongs to all of them.
enum Grain { fine, coarse, bare, stateless };

// The key of a cell at its finest: the columns of key_columns, separated.
std::string cell_key(const Cell& cell, std::int64_t rid, std::int64_t quarter) {
  std::string key;
  key.reserve(160);
  key = cell.family;
  auto append = [&](std::string_view part) { (key += separator) += part; };
  append(std::to_string(cell.state.empty() ? stateless : fine));
  for (const SharedText* part : {&cell.strategy, &cell.backend, &cell.arch, &cell.bottleneck}) append(*part);
  append(std::to_string(cell.size));
  append(cell.state);
  append(cell.level);
  append(std::to_string(origin_of(rid)));
  key += separator;
  for (char c : cell.source.text()) key += c == separator ? ' ' : c;
  append(std::to_string(quarter));
  append(cell.mirrored ? "1" : "0");
  return key;
}

// The keys that what counts under `key` counts under too: nothing for a cell without state.
std::vector<std::string> coarser_keys(const std::string& key) {
  std::vector<std::string_view> parts = split(key, separator);
  if (parts[1] != std::to_string(fine)) return {};
  std::vector<std::string> keys;
  for (Grain grain : {coarse, bare}) {
    std::string number = std::to_string(grain);
    std::string state = grain == coarse ? feature_key(parse_feature_key(parts[7]), 3) : "";
    std::string& other = keys.emplace_back(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i)
      (other += separator) += i == 1 ? std::string_view(number) : i == 7 ? std::string_view(state) : parts[i];
  }
  return keys;
}

constexpr const char* key_columns =
    "family, grain, strategy, backend, arch, bottleneck, size, state, level, origin, source, quarter, "
    "mirrored";
constexpr int key_size = 13;
// Which of them are numbers, counted from 1 as SQL does.
constexpr bool is_number(int column) { return column == 2 || column == 7 || column == 10 || column >= 12; }

std::string upsert_sql(const std::string& schema) {
  return "INSERT INTO " + schema + ".cell(" + key_columns +
         ", success, neutral, failure, broken, gain_n, gain_sum, loss_n, loss_sum, first_rid, last_rid)"
         " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23)"
         " ON CONFLICT DO UPDATE SET success=success+?14, neutral=neutral+?15, failure=failure+?16, "
         "broken=broken+?17,"
         " gain_n=gain_n+?18, gain_sum=gain_sum+?19, loss_n=loss_n+?20, loss_sum=loss_sum+?21,"
         " first_rid=CASE WHEN ?22=0 THEN first_rid WHEN first_rid=0 THEN ?22 ELSE min(first_rid,?22) END,"
         " last_rid=max(last_rid,?23)";
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

void Projector::count(std::int64_t rid, std::int64_t at_ms, const Experience& e, int sign) {
  std::int64_t quarter = quarter_of(at_ms);
  for (const Cell& cell : cells_of(e)) deltas_[cell_key(cell, rid, quarter)].add(cell, sign, rid);
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

namespace {
// Binds the parts of a cell's key to parameters 1 to key_size.
void bind_key(sql::Stmt& statement, const std::string& key) {
  int column = 0;
  for (std::string_view part : split(key, separator)) {
    is_number(++column) ? statement.bind(column, static_cast<std::int64_t>(*parse_number(part)))
                        : statement.bind_text(column, part);
  }
}
}  // namespace

void Projector::write(const std::string& key, const Delta& d) {
  bind_key(upsert_cell_, key);
  int column = key_size;
  for (std::int64_t value : {d.success, d.neutral, d.failure, d.broken, d.gain_n, d.gain_sum, d.loss_n,
                             d.loss_sum, d.first_rid, d.last_rid}) {
    upsert_cell_.bind(++column, value);
  }
  upsert_cell_.run();
}

// The oldest or newest record of a cell that counts now; 0 when there is none.
std::int64_t Projector::find_end(const std::string& key, bool first) {
  auto parts = split(key, separator);
  auto origin = static_cast<std::int64_t>(*parse_number(parts[9]));
  sql::Stmt find(db_, "SELECT a.rid, e.at, e.body FROM " + schema_ +
                          ".attempt a JOIN main.event e ON e.rid=a.rid"
                          " WHERE a.rid>?1 AND a.rid<?2 AND family(a.kernel_type)=?3 AND a.backend=?4"
                          " AND a.arch=?5 AND a.bottleneck=?6 ORDER BY a.rid" +
                          (first ? "" : " DESC"));
  find.bind(1, first_rid_of(origin)).bind(2, first_rid_of(origin + 1));
  find.bind_text(3, parts[0]).bind_text(4, parts[3]).bind_text(5, parts[4]).bind_text(6, parts[5]);
  while (find.step()) {
    std::int64_t rid = find.integer(0);
    auto e = countable(find.text(2));
    if (!e) continue;
    for (const Cell& cell : cells_of(*e)) {
      std::string fine_key = cell_key(cell, rid, quarter_of(find.integer(1)));
      auto coarser = coarser_keys(fine_key);
      if (fine_key == key || std::find(coarser.begin(), coarser.end(), key) != coarser.end()) return rid;
    }
  }
  return 0;
}

// After a removal: an empty cell goes; an end that was removed is looked for among the attempts.
void Projector::renew_ends(const std::string& key, const Delta& delta) {
  const std::string where =
      schema_ + ".cell WHERE (" + key_columns + ") = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)";
  sql::Stmt read(db_, "SELECT success + neutral + failure, first_rid, last_rid FROM " + where);
  bind_key(read, key);
  if (!read.step()) return;
  bool empty = read.integer(0) == 0;
  std::int64_t first = read.integer(1), last = read.integer(2);
  read.reset();
  if (empty) {
    sql::Stmt drop(db_, "DELETE FROM " + where);
    bind_key(drop, key);
    return drop.run();
  }
  if (first >= delta.first_gone) first = find_end(key, true);
  if (last <= delta.last_gone) last = find_end(key, false);
  sql::Stmt update(db_, "UPDATE " + schema_ + ".cell SET first_rid=?14, last_rid=?15 WHERE (" + key_columns +
                            ") = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)");
  bind_key(update, key);
  update.bind(14, first).bind(15, last);
  update.run();
}

// Counts were kept at the finest grain; in key order, because that is the order of the table.
void Projector::flush() {
  std::map<std::string, Delta> all(deltas_.begin(), deltas_.end());
  for (const auto& [key, delta] : deltas_) {
    for (std::string& coarser : coarser_keys(key)) all[std::move(coarser)].add(delta);
  }
  for (const auto& [key, delta] : all) write(key, delta);
  for (const auto& [key, delta] : all) {
    if (delta.last_gone != 0) renew_ends(key, delta);
  }
  forget();
}

}  // namespace explog::store
