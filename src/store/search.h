// The search language: words, filters, and a sort order, compiled to bound SQL.
//
//   explog search 'bank conflict -triton arch:sm_90 speedup>=1.2 strategy~smem.*
//   metrics_before.dram__bytes.sum>0 sort:-speedup'
#pragma once
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

struct Condition {
  std::string text;  // as typed, for explanations
  std::string sql;   // over the view `experience`
  std::vector<sql::Value> values;
};

struct Search {
  std::vector<Condition> conditions;  // all must hold
  std::string order = "at_ms DESC, rid DESC";
};

// Parses a search. Throws Error(usage): unknown field (with the nearest), a number that is none, a bad
// pattern.
Search parse_search(const std::string& text);

// The search as one SELECT of `columns`; `skip` leaves out one condition (by index) to see what it costs.
std::string search_sql(const Search& search, const std::string& columns, int limit, int skip = -1);
void bind_search(sql::Stmt& stmt, const Search& search, int skip = -1);

// Why nothing was found: how many records each condition alone has, and what dropping one of them would give.
std::vector<std::string> explain_empty(sql::Db& db, const Search& search);

}  // namespace explog::store
