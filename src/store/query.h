// The query engine: SQL on a connection that can only read.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

using RowSink = std::function<bool(const std::vector<sql::Value>&)>;  // false stops

struct NamedQuery {
  std::string name, help, sql;
  std::vector<std::string> parameters;  // without the colon
};

std::vector<NamedQuery> named_queries();

// Makes `db` a connection for users' SQL: views created, then only reading allowed.
void prepare_for_queries(sql::Db& db);

struct Query {
  std::string sql;
  std::map<std::string, std::string> parameters;
  int timeout_ms = 10000;  // 0: none
};

// Runs one SELECT; `header` receives the column names, then `row` each row. Parameters that are numbers are
// bound as numbers. Throws Error(usage) for bad SQL, an unknown parameter, or when time runs out.
void run_query(sql::Db& db, const Query& query,
               const std::function<void(const std::vector<std::string>&)>& header, const RowSink& row);

}  // namespace explog::store
