#include "store/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "store/effects.h"

namespace explog::store {
namespace {

std::string id_text(std::string_view bytes) {
  Uuid id;
  std::copy_n(bytes.begin(), std::min(bytes.size(), id.bytes.size()), id.bytes.begin());
  return id.text();
}

std::string unhex(std::string digits, char padding) {
  digits.resize(32, padding);
  std::string bytes;
  for (size_t i = 0; i < 32; i += 2) bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// A file of an older schema that is only read has no trust yet: whoever was merged is believed.
bool has_trust(sql::Db& db) { return db.integer("PRAGMA user_version") >= 3; }

}  // namespace

std::int64_t resolve(sql::Db& db, const std::string& prefix) {
  std::string digits = replace_all(lower(trim(prefix)), "-", "");
  bool hexadecimal = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hexadecimal || digits.size() < 6 || digits.size() > 32) {
    throw Error(Exit::usage, "'" + printable(prefix) + "' is no record id",
                "give at least its first 6 hex digits: `explog list` shows ids");
  }
  std::string from = unhex(digits, '0'), to = unhex(digits, 'f');
  sql::Stmt find(db, "SELECT rid, id FROM event WHERE id>=?1 AND id<=?2 ORDER BY id, rid LIMIT 6");
  find.bind_blob(1, from).bind_blob(2, to);
  std::vector<std::string> ids;
  std::int64_t rid = 0;
  while (find.step()) {
    if (ids.empty()) rid = find.integer(0);
    std::string id = id_text(find.blob(1));
    if (ids.empty() || ids.back() != id) ids.push_back(id);
  }
  if (ids.empty())
    throw Error(Exit::negative, "no record '" + printable(prefix) + "'", "`explog list` shows what is there");
  if (ids.size() > 1) {
    throw Error(Exit::usage, "'" + printable(prefix) + "' fits several records: " + join(ids, ", "),
                "give more digits");
  }
  return rid;
}

Record load(sql::Db& db, std::int64_t rid) {
  sql::Stmt find(db, "SELECT id, at, kind, body, (SELECT min(reason) FROM retraction r WHERE r.rid=e.rid" +
                         (has_trust(db) ? " AND " + entitled : "") + ") FROM event e WHERE rid=?");
  find.bind(1, rid);
  if (!find.step()) throw Error(Exit::negative, "no such record");
  Record record{rid,
                id_text(find.blob(0)),
                find.integer(1),
                static_cast<int>(find.integer(2)),
                std::string(find.text(3)),
                {}};
  if (!find.is_null(4)) record.retracted = std::string(find.text(4));
  return record;
}

std::vector<std::int64_t> same_id(sql::Db& db, std::int64_t rid) {
  std::vector<std::int64_t> rids;
  sql::Stmt find(db,
                 "SELECT b.rid FROM event a JOIN event b ON b.id=a.id AND b.kind=a.kind AND b.body=a.body "
                 "WHERE a.rid=? ORDER BY b.rid");
  find.bind(1, rid);
  while (find.step()) rids.push_back(find.integer(0));
  return rids;
}

// What names mean by the word of those we trust: of all that was said about one, the highest (lamport,
// origin, sequence) holds.
static std::map<std::string, std::string> aliases(sql::Db& db) {
  std::map<std::string, std::string> targets;
  sql::Stmt read(
      db,
      "SELECT a.name, a.target FROM alias a JOIN origin o ON o.no = a.by_rid >> 40 WHERE o.trust >= 2 "
      "ORDER BY a.lamport, o.origin, a.by_rid");
  while (read.step()) targets[std::string(read.text(0))] = read.text(1);
  return targets;
}

static void add_up(Cell& to, const Cell& c) {
  to.success += c.success, to.neutral += c.neutral, to.failure += c.failure, to.broken += c.broken;
  to.gain_n += c.gain_n, to.gain_sum += c.gain_sum, to.loss_n += c.loss_n, to.loss_sum += c.loss_sum;
  to.first_rid = std::min(to.first_rid, c.first_rid);
  to.last_rid = std::max(to.last_rid, c.last_rid);
}

static std::vector<Cell> with_aliases(sql::Db& db, std::vector<Cell> cells) {
  auto targets = aliases(db);
  if (targets.empty()) return cells;
  std::map<std::tuple<std::string, std::string, std::string, std::string, int, std::string>, Cell> merged;
  for (Cell& c : cells) {
    if (auto target = targets.find(c.strategy); target != targets.end()) c.strategy = target->second;
    auto [place, fresh] =
        merged.try_emplace({c.strategy, c.backend, c.arch, c.bottleneck, c.size, c.level}, c);
    if (!fresh) add_up(place->second, c);
  }
  cells.clear();
  for (auto& [key, cell] : merged) cells.push_back(std::move(cell));
  return cells;
}

std::vector<Cell> evidence(sql::Db& db, const std::string& family) {
  sql::Stmt read(
      db,
      "SELECT strategy, backend, arch, bottleneck, level, size, sum(success), sum(neutral), sum(failure), "
      "sum(broken),"
      " sum(gain_n), sum(gain_sum), sum(loss_n), sum(loss_sum), min(first_rid), max(last_rid)"
      " FROM cell WHERE family=? AND strategy<>'' GROUP BY strategy, backend, arch, bottleneck, size, level"
      " ORDER BY strategy, backend, arch, bottleneck, size, level");
  read.bind_text(1, family);
  std::vector<Cell> cells;
  while (read.step()) {
    Cell& c = cells.emplace_back();
    int i = 0;
    for (std::string* text : {&c.strategy, &c.backend, &c.arch, &c.bottleneck, &c.level})
      *text = read.text(i++);
    c.size = static_cast<int>(read.integer(i++));
    for (std::int64_t* number : {&c.success, &c.neutral, &c.failure, &c.broken, &c.gain_n, &c.gain_sum,
                                 &c.loss_n, &c.loss_sum, &c.first_rid, &c.last_rid}) {
      *number = read.integer(i++);
    }
  }
  return has_trust(db) ? with_aliases(db, std::move(cells)) : cells;
}

std::set<std::string> reviewed_strategies(sql::Db& db, const std::string& family) {
  sql::Stmt read(db, has_trust(db) ? "SELECT DISTINCT c.strategy FROM cell c JOIN origin o ON o.no=c.origin "
                                     "WHERE c.family=? AND o.trust>=2"
                                   : "SELECT DISTINCT strategy FROM cell WHERE family=?");
  read.bind_text(1, family);
  std::set<std::string> names;
  while (read.step()) names.emplace(read.text(0));
  return names;
}

bool has_family(sql::Db& db, const std::string& family) {
  sql::Stmt find(db, "SELECT 1 FROM cell WHERE family=? LIMIT 1");
  find.bind_text(1, family);
  return find.step();
}

std::string id_of(sql::Db& db, std::int64_t rid) {
  sql::Stmt by_rid(db, "SELECT id FROM event WHERE rid=?");
  by_rid.bind(1, rid);
  return by_rid.step() ? id_text(by_rid.blob(0)) : "";
}

std::int64_t count_records(sql::Db& db) {
  return db.integer("SELECT sum(success + neutral + failure) FROM cell");
}

}  // namespace explog::store
