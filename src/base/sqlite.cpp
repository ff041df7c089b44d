#include "base/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace explog::sql {
namespace {

std::string hint_for(int code) {
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return "the disk is full: free some space and run the command again; nothing stored was lost";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "`explog doctor` says what is damaged; `explog doctor --salvage NEW.db` rescues the records "
             "that can be read";
    case SQLITE_READONLY:
      return "the database is not writable: check its permissions";
    case SQLITE_BUSY:
      return "another program holds the database: try again";
    case SQLITE_IOERR:
      return "the disk reported an error; the last command was not stored";
    case SQLITE_CANTOPEN:
      return "check that the path exists and is writable";
    default:
      return "";
  }
}

// restrict_to_reading() was called: the SQL, or words in it, are the user's.
bool restricted(sqlite3* db) { return sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, -1) == 0; }

[[noreturn]] void fail(sqlite3* db, const std::string& sql) {
  int code = sqlite3_extended_errcode(db);
  std::string message = sqlite3_errmsg(db);
  if ((code & 0xFF) == SQLITE_INTERRUPT)
    throw Error(Exit::usage, "the query ran out of time", "give it more with --timeout SECONDS");
  bool syntax = (code & 0xFF) == SQLITE_ERROR || (code & 0xFF) == SQLITE_AUTH;
  bool damage = message == "malformed JSON";  // in a record's body: what is stored was parsed before
  if (syntax && !sql.empty()) message += " in: " + ellipsis(printable(trim(sql)), 200);
  bool system = (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN;
  int reason = system ? sqlite3_system_errno(db) : 0;
  if (reason != 0) message += std::string(" (") + std::strerror(reason) + ")";
  if (reason == ENOSPC || reason == EDQUOT) code = SQLITE_FULL;
  const char* path = sqlite3_db_filename(db, "main");
  bool mistake = syntax && restricted(db) && !damage;
  if (!mistake && path != nullptr && *path != '\0') message = printable(path) + ": " + message;
  std::string hint = hint_for(syntax && !mistake ? SQLITE_CORRUPT : code);
  if (damage && restricted(db))
    hint =
        "a JSON function got a text that is no JSON: where the query has one of its own, ask json_valid() "
        "first; else a record is damaged, and " +
        hint;
  throw Error(mistake ? Exit::usage : Exit::store, message, hint,
              (code & 0xFF) == SQLITE_BUSY ? Error::busy.data() : nullptr);
}

int open_flags(Mode mode) {
  int flags = SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;  // one thread a connection
  return flags |
         (mode == Mode::read_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
}

std::string uri(const std::string& path, Mode mode) {
  if (mode != Mode::immutable) return path;
  std::string escaped = replace_all(replace_all(replace_all(path, "%", "%25"), "?", "%3f"), "#", "%23");
  return "file:" + escaped + "?immutable=1";
}

}  // namespace

Db::Db(const std::string& path, Mode mode) {
  int code = sqlite3_open_v2(uri(path, mode).c_str(), &db_, open_flags(mode), nullptr);
  if (code != SQLITE_OK) {
    std::string message = db_ != nullptr ? sqlite3_errmsg(db_) : "out of memory";
    sqlite3_close(std::exchange(db_, nullptr));
    throw Error(Exit::store, "cannot open " + printable(path) + ": " + message, hint_for(code));
  }
  int ignored = 0;
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, &ignored);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &ignored);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DML, 0, &ignored);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DDL, 0, &ignored);
  sqlite3_busy_timeout(db_, 30000);
}

Db::~Db() { sqlite3_close_v2(db_); }
Db::Db(Db&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
Db& Db::operator=(Db&& other) noexcept {
  std::swap(db_, other.db_);
  return *this;
}

void Db::exec(const std::string& sql) {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(db_, sql);
}

std::int64_t Db::integer(std::string_view sql) {
  Stmt stmt(*this, sql);
  return stmt.step() ? stmt.integer(0) : 0;
}

std::string Db::text(std::string_view sql) {
  Stmt stmt(*this, sql);
  return stmt.step() ? std::string(stmt.text(0)) : "";
}

void Db::run(std::string_view sql, std::initializer_list<Value> values) {
  Stmt stmt(*this, sql);
  int i = 0;
  for (const Value& value : values) stmt.bind(++i, value);
  stmt.run();
}

bool Db::in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }
std::int64_t Db::changes() const { return sqlite3_changes64(db_); }
bool Db::read_only() const { return sqlite3_db_readonly(db_, "main") == 1; }

Stmt::Stmt(const Db& db, std::string_view sql) : db_(db.handle()) {
  const char* tail = nullptr;
  if (sqlite3_prepare_v2(db_, sql.data(), static_cast<int>(sql.size()), &stmt_, &tail) != SQLITE_OK) {
    fail(db_, std::string(sql));
  }
  std::string_view rest = trim(std::string_view(tail, static_cast<size_t>(sql.data() + sql.size() - tail)));
  if (stmt_ == nullptr || !rest.empty()) {
    sqlite3_stmt* next = nullptr;  // a comment behind the statement is no second statement
    bool more = !rest.empty() && (sqlite3_prepare_v2(db_, rest.data(), static_cast<int>(rest.size()), &next,
                                                     nullptr) != SQLITE_OK ||
                                  next);
    sqlite3_finalize(next);
    if (stmt_ != nullptr && !more) return;
    sqlite3_finalize(std::exchange(stmt_, nullptr));
    throw Error(Exit::usage, more ? "one SQL statement at a time" : "no SQL statement given");
  }
}

Stmt::~Stmt() { sqlite3_finalize(stmt_); }
Stmt::Stmt(Stmt&& other) noexcept : db_(other.db_), stmt_(std::exchange(other.stmt_, nullptr)) {}

Stmt& Stmt::bind(int index, const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return bind(index, *i);
  if (const auto* d = std::get_if<double>(&value)) return bind_real(index, *d);
  if (const auto* s = std::get_if<std::string>(&value)) {
    sqlite3_bind_text(stmt_, index, s->data(), static_cast<int>(s->size()), SQLITE_TRANSIENT);
    return *this;
  }
  sqlite3_bind_null(stmt_, index);
  return *this;
}

Stmt& Stmt::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(stmt_, index, value);
  return *this;
}

Stmt& Stmt::bind_real(int index, std::optional<double> value) {
  if (value) sqlite3_bind_double(stmt_, index, *value);
  if (!value) sqlite3_bind_null(stmt_, index);
  return *this;
}

Stmt& Stmt::bind_text(int index, std::string_view value) {
  sqlite3_bind_text(stmt_, index, value.data() != nullptr ? value.data() : "", static_cast<int>(value.size()),
                    SQLITE_STATIC);
  return *this;
}

Stmt& Stmt::bind_blob(int index, std::string_view value) {
  sqlite3_bind_blob(stmt_, index, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  return *this;
}

Stmt& Stmt::bind_name(const std::string& name, const Value& value) {
  int index = sqlite3_bind_parameter_index(stmt_, name.c_str());
  return index > 0 ? bind(index, value) : *this;
}

bool Stmt::step() {
  int code = sqlite3_step(stmt_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  std::string sql = sqlite3_sql(stmt_);
  fail(db_, sql);
}

void Stmt::reset() {
  sqlite3_reset(stmt_);
  sqlite3_clear_bindings(stmt_);
}

int Stmt::columns() const { return sqlite3_column_count(stmt_); }
std::string Stmt::column_name(int i) const { return sqlite3_column_name(stmt_, i); }

Value Stmt::value(int i) const {
  switch (sqlite3_column_type(stmt_, i)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(stmt_, i);
    case SQLITE_FLOAT:
      return sqlite3_column_double(stmt_, i);
    case SQLITE_NULL:
      return std::monostate{};
    default:
      return std::string(blob(i));
  }
}

std::int64_t Stmt::integer(int i) const { return sqlite3_column_int64(stmt_, i); }
double Stmt::real(int i) const { return sqlite3_column_double(stmt_, i); }

std::string_view Stmt::text(int i) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(stmt_, i));
  return text != nullptr ? std::string_view(text, static_cast<size_t>(sqlite3_column_bytes(stmt_, i)))
                         : std::string_view();
}

std::string_view Stmt::blob(int i) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(stmt_, i));
  return data != nullptr ? std::string_view(data, static_cast<size_t>(sqlite3_column_bytes(stmt_, i)))
                         : std::string_view();
}

bool Stmt::is_null(int i) const { return sqlite3_column_type(stmt_, i) == SQLITE_NULL; }
bool Stmt::read_only() const { return sqlite3_stmt_readonly(stmt_) != 0; }
int Stmt::parameters() const { return sqlite3_bind_parameter_count(stmt_); }
std::string Stmt::parameter_name(int i) const {
  const char* name = sqlite3_bind_parameter_name(stmt_, i);
  return name != nullptr ? name : "";
}

bool wal_needs_guard(int n) {
  bool repaired = n >= 3051003 || (n >= 3050007 && n < 3051000) || (n >= 3044006 && n < 3045000);
  return n >= 3007000 && !repaired;
}

int version_number() { return sqlite3_libversion_number(); }
std::string version() { return sqlite3_libversion(); }

namespace {

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

int past_deadline(void* end) { return now_ms() > *static_cast<std::int64_t*>(end) ? 1 : 0; }

int authorize_reading(void*, int action, const char* a, const char* b, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION: {
      std::string_view name = b != nullptr ? b : "";
      bool harmful = name == "load_extension" || name == "readfile" || name == "writefile" ||
                     name == "edit" || name == "fts3_tokenizer" || name == "randomblob" || name == "zeroblob";
      return harmful ? SQLITE_DENY : SQLITE_OK;
    }
    case SQLITE_PRAGMA: {
      std::string_view name = a != nullptr ? a : "";
      bool describes =
          (name == "table_info" || name == "table_xinfo" || name == "table_list" || name == "data_version");
      return describes ? SQLITE_OK : SQLITE_DENY;
    }
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

Deadline::Deadline(const Db& db, int deadline_ms) : db_(db.handle()) {
  if (deadline_ms <= 0) return;
  end_ms_ = std::make_unique<std::int64_t>(now_ms() + deadline_ms);
  sqlite3_progress_handler(db_, 20000, past_deadline, end_ms_.get());
}

Deadline::~Deadline() {
  if (end_ms_) sqlite3_progress_handler(db_, 0, nullptr, nullptr);
}

void restrict_to_reading(Db& db) {
  db.exec("PRAGMA query_only=ON");
  sqlite3* h = db.handle();
  sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 16 << 20);
  sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 100000);
  sqlite3_limit(h, SQLITE_LIMIT_COLUMN, 200);
  sqlite3_limit(h, SQLITE_LIMIT_EXPR_DEPTH, 100);
  sqlite3_limit(h, SQLITE_LIMIT_COMPOUND_SELECT, 20);
  sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(h, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
  sqlite3_set_authorizer(h, authorize_reading, nullptr);
}

}  // namespace explog::sql
