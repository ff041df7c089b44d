#include "store/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/vocabulary.h"
#include "store/cell_key.h"
#include "store/cell_reader.h"
#include "store/cell_rows.h"
#include "store/chain.h"
#include "store/effects.h"
#include "store/event_rows.h"

namespace explog::store {
namespace {

std::string unhex(std::string digits, char padding) {
  digits.resize(32, padding);
  std::string bytes;
  for (size_t i = 0; i < 32; i += 2) bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

void begin_reading(sql::Db& db) { db.exec("BEGIN"); }

std::int64_t resolve(sql::Db& db, const std::string& prefix) {
  std::string digits = replace_all(lower(trim(prefix)), "-", "");
  bool hexadecimal = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hexadecimal || digits.size() < 6 || digits.size() > 32) {
    throw Error(Exit::usage, "'" + printable(prefix) + "' is not a record id",
                "give at least its first 6 hex digits: `explog list` shows ids");
  }
  std::string from = unhex(digits, '0'), to = unhex(digits, 'f');
  sql::Stmt find(db, "SELECT rid, id FROM event WHERE id>=?1 AND id<=?2 ORDER BY id, rid LIMIT 6");
  find.bind_blob(1, from).bind_blob(2, to);
  std::vector<std::string> ids;
  std::int64_t rid = 0;
  while (find.step()) {
    if (ids.empty()) rid = find.integer(0);
    std::string id = uuid_of(find.blob(1)).text();
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
  sql::Stmt find(db,
                 "SELECT id, at, kind, body, (SELECT min(reason) FROM retraction r WHERE r.rid=e.rid AND " +
                     entitled + "), (SELECT trust FROM origin WHERE no=e.rid>>40) FROM event e WHERE rid=?");
  find.bind(1, rid);
  if (!find.step()) throw Error(Exit::negative, "no such record");
  Record record{rid,
                uuid_of(find.blob(0)).text(),
                find.integer(1),
                static_cast<int>(find.integer(2)),
                std::string(find.text(3)),
                {},
                stored_trust(find.integer(5))};
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

namespace {

constexpr std::size_t most_cells = 20'000;  // what a recommendation reads at most, about 20 ms

// A coarse key in the fine one's steps.
std::string refined(std::string_view state) {
  Facts list = parse_feature_key(state);
  for (auto& [name, value] : list) value *= 3;
  return feature_key(list, 1);
}

// A database numbers origins as it meets them, which must not decide in what order numbers are added up:
// their places in the order of their ids, by number, and what a source without a name is called.
struct Origins {
  std::map<std::int64_t, std::int64_t> place;
  std::vector<std::string> name;  // by place
  std::vector<bool> reviewed;     // by place
  std::vector<bool> vouched;      // by place: somebody answers for it (chain.h)
};

Origins origins_by_place(sql::Db& db) {
  Origins list;
  sql::Stmt read(db, "SELECT o.no, lower(substr(hex(o.origin), 1, 8)), o.trust, " + vouched +
                         " FROM origin o ORDER BY o.origin");
  while (read.step()) {
    list.vouched.push_back(read.integer(3) != 0);
    list.place[read.integer(0)] = static_cast<std::int64_t>(list.name.size());
    list.name.emplace_back("origin " + std::string(read.text(1)));
    list.reviewed.push_back(read.integer(2) >= 2);
  }
  return list;
}

// Whether cells differ in nothing but where they come from.
bool same_but_origin(const EvidenceRow& a, const EvidenceRow& b) {
  return a.setting == b.setting && a.size == b.size && a.latency == b.latency && a.state == b.state &&
         (a.by == b.by || a.by->level == b.by->level);
}

// Puts cells that differ in their origin alone into the order of the origins' ids.
void order_origins(FamilyEvidence& evidence, const Origins& known,
                   const std::map<std::string, double>& decided) {
  evidence.change_provenances([&](Provenance& p) {
    p.origin = known.place.at(p.origin);
    p.reviewed = known.reviewed[static_cast<std::size_t>(p.origin)];
    bool measured = p.level == Level::measured || p.level == Level::replicated;
    if (measured && !known.vouched[static_cast<std::size_t>(p.origin)]) p.level = word(Level::imported);
    if (p.source.empty()) p.source = known.name[static_cast<std::size_t>(p.origin)];
    if (auto word = decided.find(p.source); word != decided.end()) p.decided = word->second;
  });
  if (known.name.size() < 2) return;
  auto& rows = evidence.rows;
  for (auto begin = rows.begin(); begin != rows.end();) {
    auto end = begin + 1;
    while (end != rows.end() && same_but_origin(*begin, *end)) ++end;
    auto before = [](const EvidenceRow& a, const EvidenceRow& b) { return a.by->origin < b.by->origin; };
    if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
    begin = end;
  }
}

// Cells of a family at one grain, in key order, but at most one more than `most_cells`.
FamilyEvidence cells_at(sql::Db& db, const std::string& family, Grain grain) {
  sql::Stmt read(
      db,
      "SELECT first, cells FROM cell WHERE family=?1 AND grain IN (?2, 3) AND first>=x'01'"  // a strategy
      " ORDER BY grain, first");
  read.bind_text(1, family).bind(2, static_cast<std::int64_t>(grain));
  FamilyEvidence evidence;
  CellReader reader(evidence, most_cells + 1);
  evidence.rows.reserve(most_cells + 1);  // what is not used stays untouched
  while (evidence.rows.size() <= most_cells && read.step()) {
    if (!reader.read(read.blob(0), read.blob(1)))
      throw Error(Exit::store, "the evidence of " + printable(family) + " is damaged",
                  "run `explog doctor --rebuild`");
  }
  if (grain == Grain::coarse) evidence.change_states(refined);
  return evidence;
}

void follow_aliases(sql::Db& db, FamilyEvidence& evidence) {
  auto targets = strategy_aliases(db);
  if (targets.empty()) return;
  evidence.change_settings([&](Setting& s) {
    if (auto target = targets.find(s.strategy); target != targets.end()) s.strategy = target->second;
  });
  std::stable_sort(
      evidence.rows.begin(), evidence.rows.end(),
      [](const EvidenceRow& a, const EvidenceRow& b) { return a.setting->strategy < b.setting->strategy; });
}

}  // namespace

std::map<std::string, std::string> strategy_aliases(sql::Db& db) {
  std::map<std::string, std::string> targets;
  sql::Stmt read(
      db,
      "SELECT a.name, a.target FROM alias a JOIN origin o ON o.no = a.by_rid >> 40 WHERE o.trust >= 2 "
      "ORDER BY a.lamport, o.origin, a.by_rid");
  while (read.step()) targets[std::string(read.text(0))] = read.text(1);
  return targets;
}

std::int64_t alias_clock(sql::Db& db) { return db.integer("SELECT coalesce(max(lamport), 0) FROM alias"); }

std::vector<StrategyCount> strategy_counts(sql::Db& db) {
  std::vector<StrategyCount> counts;
  sql::Stmt read(
      db,
      "SELECT strategy, sum(success + neutral + failure) AS n, sum(success), group_concat(DISTINCT backend)"
      " FROM (SELECT * FROM " +
          counted_cells() +
          " WHERE strategy <> '' ORDER BY backend)"
          " GROUP BY strategy ORDER BY n DESC, strategy");
  while (read.step())
    counts.push_back(
        {std::string(read.text(0)), read.integer(1), read.integer(2), std::string(read.text(3))});
  return counts;
}

FamilyEvidence evidence(sql::Db& db, const std::string& family) {
  db.exec("PRAGMA cache_size=-64");  // a page is read once: each that is kept costs two page faults
  FamilyEvidence evidence;
  for (Grain grain : {Grain::fine, Grain::coarse, Grain::bare}) {
    evidence = cells_at(db, family, grain);
    if (evidence.rows.size() <= most_cells) break;
  }
  order_origins(evidence, origins_by_place(db), decided_weights(db));
  follow_aliases(db, evidence);
  return evidence;
}

std::map<std::string, double> decided_weights(sql::Db& db) {
  std::map<std::string, double> weights;
  sql::Stmt read(db, "SELECT substr(key, 8), value FROM meta WHERE key GLOB 'weight:*'");
  while (read.step()) {
    auto weight = parse_number(read.text(1));
    if (weight && *weight >= 0 && *weight <= 1) weights[std::string(read.text(0))] = *weight;
  }
  return weights;
}

void decide_weight(sql::Db& db, const std::string& source, std::optional<double> weight) {
  if (!weight) db.run("DELETE FROM meta WHERE key=?", {"weight:" + source});
  if (weight) db.run("INSERT OR REPLACE INTO meta VALUES (?,?)", {"weight:" + source, number_text(*weight)});
}

bool has_family(sql::Db& db, const std::string& family) {
  sql::Stmt find(db, "SELECT 1 FROM cell WHERE family=? LIMIT 1");
  find.bind_text(1, family);
  return find.step();
}

std::vector<std::string> ids_of(sql::Db& db, const std::vector<std::int64_t>& rids) {
  std::vector<std::string> ids;
  sql::Stmt by_rid(db, "SELECT id FROM event WHERE rid=?");
  for (std::int64_t rid : rids) {
    by_rid.bind(1, rid);
    ids.push_back(by_rid.step() ? uuid_of(by_rid.blob(0)).text() : "");
    by_rid.reset();
  }
  return ids;
}

ShortIds::ShortIds(sql::Db& db)
    : around_(
          db,
          "SELECT id, (SELECT max(id) FROM event WHERE id<e.id), (SELECT min(id) FROM event WHERE id>e.id) "
          "FROM event e WHERE rid=?") {}

std::string ShortIds::of(std::int64_t rid) {
  around_.bind(1, rid);
  std::string id;
  std::size_t digits = 8;
  if (around_.step()) id = uuid_of(around_.blob(0)).text();
  for (int neighbour : {1, 2}) {
    if (id.empty() || around_.is_null(neighbour)) continue;
    std::string other = uuid_of(around_.blob(neighbour)).text();
    auto alike = std::mismatch(id.begin(), id.end(), other.begin(), other.end()).first - id.begin();
    digits = std::max(digits, static_cast<std::size_t>(alike) + 1);
  }
  around_.reset();
  std::size_t end = id.find('-', digits);
  return digits > 18 ? id : id.substr(0, end);
}

std::vector<std::string> short_ids_of(sql::Db& db, const std::vector<std::int64_t>& rids) {
  ShortIds ids(db);
  std::vector<std::string> list;
  for (std::int64_t rid : rids) list.push_back(ids.of(rid));
  return list;
}

std::string id_of(sql::Db& db, std::int64_t rid) { return ids_of(db, {rid}).front(); }

std::int64_t count_records(sql::Db& db) {
  return db.integer("SELECT sum(success + neutral + failure) FROM " + counted_cells());
}

}  // namespace explog::store
