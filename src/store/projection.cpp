#include "store/projection.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/text.h"
#include "model/check.h"
#include "model/json.h"
#include "model/kernel_type.h"

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

std::string cell_key(std::int64_t rid, std::int64_t at_ms, const Experience& e) {
  std::string key = family_of(e.kernel_type);
  for (const std::string* part : {&e.strategy, &e.backend, &e.arch, &e.bottleneck}) {
    key += separator;
    key += *part;
  }
  key += separator + std::to_string(size_bucket(e.shape));
  key += separator + replace_all(rounded_state(e.state), std::string(1, separator), " ");
  key += separator + e.level;
  key += separator + std::to_string(origin_of(rid));
  key += separator + std::to_string(quarter_of(at_ms));
  return key;
}

constexpr const char* key_columns =
    "family, strategy, backend, arch, bottleneck, size, state, level, origin, quarter";

std::string upsert_sql(const std::string& schema) {
  return "INSERT INTO " + schema + ".cell(" + key_columns +
         ", success, neutral, failure, broken, gain_n, gain_sum, loss_n, loss_sum, first_rid, last_rid)"
         " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20)"
         " ON CONFLICT DO UPDATE SET success=success+?11, neutral=neutral+?12, failure=failure+?13, "
         "broken=broken+?14,"
         " gain_n=gain_n+?15, gain_sum=gain_sum+?16, loss_n=loss_n+?17, loss_sum=loss_sum+?18,"
         " first_rid=CASE WHEN ?19=0 THEN first_rid WHEN first_rid=0 THEN ?19 ELSE min(first_rid,?19) END,"
         " last_rid=max(last_rid,?20)";
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
  Delta& d = deltas_[cell_key(rid, at_ms, e)];
  bool success = e.outcome == "success";
  bool failure = e.outcome == "failure";
  d.success += success ? sign : 0;
  d.failure += failure ? sign : 0;
  d.neutral += !success && !failure ? sign : 0;
  d.broken += failure && !e.cause.empty() && e.cause != "regression" ? sign : 0;
  std::int64_t gain = e.speedup ? log2_speedup_e4(*e.speedup) * sign : 0;
  if (success && e.speedup) {
    d.gain_n += sign;
    d.gain_sum += gain;
  } else if (failure && e.speedup) {
    d.loss_n += sign;
    d.loss_sum += gain;
  }
  if (sign > 0) {
    d.first_rid = d.first_rid == 0 ? rid : std::min(d.first_rid, rid);
    d.last_rid = std::max(d.last_rid, rid);
  } else {
    d.first_gone = d.first_gone == 0 ? rid : std::min(d.first_gone, rid);
    d.last_gone = std::max(d.last_gone, rid);
  }
}

void Projector::write(const std::string& key, const Delta& d) {
  int column = 0;
  for (std::string_view part : split(key, separator)) {
    ++column;
    bool whole = column == 6 || column >= 9;
    whole ? upsert_cell_.bind(column, static_cast<std::int64_t>(*parse_number(part)))
          : upsert_cell_.bind_text(column, part);
  }
  for (std::int64_t value : {d.success, d.neutral, d.failure, d.broken, d.gain_n, d.gain_sum, d.loss_n,
                             d.loss_sum, d.first_rid, d.last_rid}) {
    upsert_cell_.bind(++column, value);
  }
  upsert_cell_.run();
}

// The oldest or newest record of a cell that counts now; 0 when there is none.
std::int64_t Projector::find_end(const std::string& key, bool first) {
  auto parts = split(key, separator);
  auto origin = static_cast<std::int64_t>(*parse_number(parts[8]));
  sql::Stmt find(db_, "SELECT a.rid, e.at, e.body FROM " + schema_ +
                          ".attempt a JOIN main.event e ON e.rid=a.rid"
                          " WHERE a.rid>?1 AND a.rid<?2 AND a.strategy=?3 AND a.backend=?4 AND a.arch=?5"
                          " AND a.bottleneck=?6 AND a.level=?7 ORDER BY a.rid" +
                          (first ? "" : " DESC"));
  find.bind(1, first_rid_of(origin)).bind(2, first_rid_of(origin + 1));
  for (int i = 1; i <= 4; ++i) find.bind_text(i + 2, parts[static_cast<size_t>(i)]);
  find.bind_text(7, parts[7]);
  while (find.step()) {
    std::int64_t rid = find.integer(0);
    auto e = countable(find.text(2));
    if (e && cell_key(rid, find.integer(1), *e) == key) return rid;
  }
  return 0;
}

// Binds the key columns of a cell as parameters 1 to 10.
static void bind_key(sql::Stmt& stmt, const std::vector<std::string_view>& parts) {
  for (int i = 1; i <= 10; ++i) {
    bool whole = i == 6 || i >= 9;
    std::string_view part = parts[static_cast<size_t>(i - 1)];
    whole ? stmt.bind(i, static_cast<std::int64_t>(*parse_number(part))) : stmt.bind_text(i, part);
  }
}

// After a removal: an empty cell goes; an end that was removed is looked for among the attempts.
void Projector::renew_ends(const std::string& key, const Delta& delta) {
  auto parts = split(key, separator);
  const std::string where = schema_ + ".cell WHERE (" + key_columns + ") = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)";
  sql::Stmt read(db_, "SELECT success + neutral + failure, first_rid, last_rid FROM " + where);
  bind_key(read, parts);
  if (!read.step()) return;
  bool empty = read.integer(0) == 0;
  std::int64_t first = read.integer(1), last = read.integer(2);
  read.reset();
  if (empty) {
    sql::Stmt drop(db_, "DELETE FROM " + where);
    bind_key(drop, parts);
    return drop.run();
  }
  if (first >= delta.first_gone) first = find_end(key, true);
  if (last <= delta.last_gone) last = find_end(key, false);
  sql::Stmt update(db_, "UPDATE " + schema_ + ".cell SET first_rid=?11, last_rid=?12 WHERE (" + key_columns +
                            ") = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)");
  bind_key(update, parts);
  update.bind(11, first).bind(12, last);
  update.run();
}

void Projector::flush() {
  for (const auto& [key, delta] : deltas_) write(key, delta);
  for (const auto& [key, delta] : deltas_) {
    if (delta.last_gone != 0) renew_ends(key, delta);
  }
  forget();
}

}  // namespace explog::store
