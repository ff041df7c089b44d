// Reading the store: records by id, the evidence of a family, totals.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/event.h"
#include "model/experience.h"
#include "model/family_evidence.h"
#include "model/trust.h"

namespace explog::store {

struct Record {
  std::int64_t rid = 0;
  std::string id;
  std::int64_t at_ms = 0;
  int kind = 1;  // of an event of any version: perhaps none that this program knows
  std::string body;
  std::optional<std::string> retracted;  // the reason, when it does not count any more
  Trust trust = Trust::unreviewed;       // of who wrote it
  bool is_experience() const { return kind == static_cast<int>(Kind::experience); }
};

// From here on the connection sees the database as it is now, whatever others write, and asks for no lock again.
void begin_reading(sql::Db& db);

// The record whose id starts with `prefix` (at least 6 hex digits; dashes may be left out).
// Throws Error(negative) when there is none, Error(usage) when the prefix is too short or several match: they
// are named.
std::int64_t resolve(sql::Db& db, const std::string& prefix);
Record load(sql::Db& db, std::int64_t rid);
// The record and its copies: same id and same content, which came by several ways.
std::vector<std::int64_t> same_id(sql::Db& db, std::int64_t rid);

// The evidence of a kernel family by strategy and situation, in key order (so that sums of doubles come out
// the same each time).
FamilyEvidence evidence(sql::Db& db, const std::string& family);

// What records of a source weigh because the user said so, 0..1, by the source's name as `recommend` prints
// it.
std::map<std::string, double> decided_weights(sql::Db& db);
// Nothing: what it weighs is learned again.
void decide_weight(sql::Db& db, const std::string& source, std::optional<double> weight);

// What names of strategies mean by the word of those we trust: of all that was said about one, the highest
// (lamport, origin, sequence) holds.
std::map<std::string, std::string> strategy_aliases(sql::Db& db);
// The highest lamport of any alias; 0 when there is none.
std::int64_t alias_clock(sql::Db& db);

// Records that count by the name of their strategy, most first; those without one are left out.
struct StrategyCount {
  std::string name;
  std::int64_t n = 0, success = 0;
  std::string backends;  // "cuda,triton"
};
std::vector<StrategyCount> strategy_counts(sql::Db& db);

bool has_family(sql::Db& db, const std::string& family);

// Ids of the events `rids`, empty where there is none; cells name their evidence by rid.
std::vector<std::string> ids_of(sql::Db& db, const std::vector<std::int64_t>& rids);
// Ids as people type them: the first groups of digits that only one record has (8, 13 or 18 characters, or all).
class ShortIds {
 public:
  explicit ShortIds(sql::Db& db);
  std::string of(std::int64_t rid);  // empty where there is none

 private:
  sql::Stmt around_;
};
std::vector<std::string> short_ids_of(sql::Db& db, const std::vector<std::int64_t>& rids);
std::string id_of(sql::Db& db, std::int64_t rid);

std::int64_t count_records(sql::Db& db);

}  // namespace explog::store
