// Owning handles over the SQLite C API; the only place that includes sqlite3.h.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_context;
struct sqlite3_value;

namespace explog::sql {

// A value of a column or a parameter: NULL, integer, real, text.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

class Stmt;

enum class Mode { read_write, read_only, immutable };

// One connection. Errors are thrown as explog::Error(store) and carry SQLite's message and, for statements,
// the SQL.
class Db {
 public:
  Db(const std::string& path, Mode mode);
  ~Db();
  Db(Db&&) noexcept;
  Db& operator=(Db&&) noexcept;

  void exec(const std::string& sql);           // one or more statements without results
  std::int64_t integer(std::string_view sql);  // first column of the first row; 0 when there is none
  std::string text(std::string_view sql);
  // Runs one statement with its parameters bound in order.
  void run(std::string_view sql, std::initializer_list<Value> values);

  bool in_transaction() const;
  std::int64_t changes() const;
  bool read_only() const;
  sqlite3* handle() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

// A prepared statement. Text and blob bindings are copied unless the function says otherwise.
class Stmt {
 public:
  Stmt(const Db& db, std::string_view sql);
  ~Stmt();
  Stmt(Stmt&&) noexcept;
  Stmt& operator=(Stmt&&) = delete;

  Stmt& bind(int index, const Value& value);
  Stmt& bind(int index, std::int64_t value);
  Stmt& bind_real(int index, std::optional<double> value);
  Stmt& bind_text(int index, std::string_view value);  // not copied: must live until reset()
  Stmt& bind_blob(int index, std::string_view value);  // not copied: must live until reset()
  Stmt& bind_name(const std::string& name,
                  const Value& value);  // ":name"; ignored when the SQL has no such name

  bool step();  // true when a row is there
  void reset();
  void run() {  // to the end, then ready to be bound again
    while (step()) {
    }
    reset();
  }

  int columns() const;
  std::string column_name(int i) const;
  Value value(int i) const;
  std::int64_t integer(int i) const;
  double real(int i) const;
  std::string_view text(int i) const;  // valid until the next step
  std::string_view blob(int i) const;
  bool is_null(int i) const;
  bool read_only() const;
  int parameters() const;
  std::string parameter_name(int i) const;  // 1-based, with its prefix

 private:
  sqlite3* db_;
  sqlite3_stmt* stmt_ = nullptr;
};

// Whether the linked SQLite has the WAL-reset fault (3.7.0 to 3.51.2 but for the repaired 3.50.7+
// and 3.44.6+) and needs writers and checkpoints to take turns under a lock of our own. Source: SQLite 3.51.3
// change log.
bool wal_needs_guard(int version_number);
int version_number();
std::string version();  // "3.40.1"

// Stops a running statement of `db` once `deadline_ms` have passed; 0 removes the limit.
class Deadline {
 public:
  Deadline(const Db& db, int deadline_ms);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  sqlite3* db_;
  std::unique_ptr<std::int64_t> end_ms_;
};

// Restricts the connection to reading: statements that write, attach, or change settings are refused, and
// SQLite's limits for untrusted SQL are set (https://sqlite.org/security.html).
void restrict_to_reading(Db& db);

}  // namespace explog::sql
