// Adding C++ functions to a connection without showing sqlite3.h to the rest of the program.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.h"

namespace explog::sql {

// Argument of a scalar function.
class Argument {
 public:
  explicit Argument(sqlite3_value* value) : value_(value) {}
  bool is_null() const;
  double real() const;
  std::string_view text() const;
  std::string_view blob() const;  // its bytes as they are

 private:
  sqlite3_value* value_;
};

// A pure scalar function of a fixed number of arguments. Exceptions become SQL errors.
using Scalar = Value (*)(const std::vector<Argument>& arguments);
void add_scalar(Db& db, const char* name, int arguments, Scalar function);

// A matcher compiled from its pattern; throws Error(usage) for a bad pattern.
class Matcher {
 public:
  virtual ~Matcher() = default;
  virtual bool matches(std::string_view text) const = 0;
};
using CompileMatcher = std::unique_ptr<Matcher> (*)(std::string_view pattern);
// regexp(pattern, text) and the operator `text REGEXP pattern`; a constant pattern is compiled once a
// statement.
void add_regexp(Db& db, CompileMatcher compile);

// An aggregate over the numbers of its first argument; NULL is left out. The rest of the arguments must be
// constant.
using Aggregate = std::optional<double> (*)(std::vector<double>& numbers, const std::vector<double>& rest);
void add_aggregate(Db& db, const char* name, int arguments, Aggregate function);

// What one call of a table function gives, row by row.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual bool next() = 0;  // to the first or the next row; false behind the last one
  virtual Value column(int i) const = 0;
};
// A table that is computed: SELECT x FROM name(a, b). It lives as long as the connection.
struct TableFunction {
  std::vector<std::string> columns;
  int arguments;
  std::unique_ptr<Rows> (*open)(const std::vector<Argument>& arguments);
};
void add_table(Db& db, const char* name, const TableFunction& function);

}  // namespace explog::sql
