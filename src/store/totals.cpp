#include "store/totals.h"

#include "store/cell_rows.h"
#include "store/open.h"
#include "store/query.h"
#include "store/read.h"

namespace explog::store {
namespace {

constexpr const char* breakdown_columns[] = {"backend", "family", "arch", "bottleneck", "level"};

std::vector<GroupTotals> groups(sql::Db& db, const std::string& column) {
  sql::Stmt read(db, "SELECT " + column + ", sum(success), sum(neutral), sum(failure) FROM " +
                         counted_cells() + " GROUP BY 1 ORDER BY sum(success + neutral + failure) DESC, 1");
  std::vector<GroupTotals> list;
  while (read.step())
    list.push_back({std::string(read.text(0)), {read.integer(1), read.integer(2), read.integer(3)}});
  return list;
}

std::vector<StrategyTotals> best_strategies(sql::Db& db, int limit) {
  sql::Stmt read(db,
                 "SELECT strategy, count(*), sum(outcome = 'success'), median(CASE WHEN outcome = 'success' "
                 "THEN speedup END)"
                 " FROM attempt WHERE strategy <> '' GROUP BY strategy HAVING count(*) >= 3 AND sum(outcome "
                 "= 'success') > 0"
                 " ORDER BY 4 DESC, 2 DESC, 1 LIMIT ?");
  read.bind(1, limit);
  std::vector<StrategyTotals> list;
  while (read.step())
    list.push_back({std::string(read.text(0)), read.integer(1), read.integer(2), read.real(3)});
  return list;
}

EstimateTotals estimates(sql::Db& db) {
  sql::Stmt read(db,
                 "SELECT count(*), geomean(json_extract(e.body, '$.metrics_before.estimated_speedup')), "
                 "geomean(a.speedup)"
                 " FROM event e JOIN attempt a ON a.rid = e.rid WHERE a.speedup IS NOT NULL"
                 " AND e.body LIKE '%\"estimated_speedup\"%' AND json_extract(e.body, "
                 "'$.metrics_before.estimated_speedup') > 0");
  return read.step() ? EstimateTotals{read.integer(0), read.real(1), read.real(2)} : EstimateTotals{};
}

// A query that users can run too, by its name.
std::string named_sql(std::string_view name) {
  for (const NamedQuery& query : named_queries()) {
    if (query.name == name) return std::string(query.sql);
  }
  return "";
}

std::vector<RuleTotals> rules(sql::Db& db) {
  sql::Stmt read(db, named_sql("nsight_estimates"));
  std::vector<RuleTotals> list;
  while (read.step())
    list.push_back({std::string(read.text(0)), read.integer(1), read.real(2), read.real(3), read.real(4)});
  return list;
}

std::vector<PromiseTotals> promises(sql::Db& db) {
  sql::Stmt read(db, named_sql("promises"));
  std::vector<PromiseTotals> list;
  while (read.step())
    list.push_back({std::string(read.text(0)), read.integer(1), read.integer(2), read.real(4)});
  return list;
}

}  // namespace

Totals totals(sql::Db& db, int strategies) {
  db.exec("BEGIN");  // one state for all of it: others may be writing
  Totals all;
  all.records = count_records(db);
  all.retracted = db.integer("SELECT count(DISTINCT rid) FROM retraction");
  for (const char* column : breakdown_columns) all.breakdowns.push_back({column, groups(db, column)});
  all.best_strategies = best_strategies(db, strategies);
  all.estimates = estimates(db);
  create_views(db);
  all.rules = rules(db);
  all.promises = promises(db);
  db.exec("ROLLBACK");
  return all;
}

OutcomeCounts totals_of_origin(sql::Db& db, std::int64_t origin_no) {
  sql::Stmt read(db,
                 "SELECT coalesce(sum(success),0), coalesce(sum(neutral),0), coalesce(sum(failure),0) "
                 "FROM " +
                     counted_cells() + " WHERE origin=?");
  read.bind(1, origin_no);
  read.step();
  return {read.integer(0), read.integer(1), read.integer(2)};
}

}  // namespace explog::store
