#include "base/sqlite_function.h"

#include <sqlite3.h>

#include <new>

#include "base/error.h"

namespace explog::sql {
namespace {

constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

void set_result(sqlite3_context* context, const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *i);
  } else if (const auto* d = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *d);
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    sqlite3_result_text(context, s->data(), static_cast<int>(s->size()), SQLITE_TRANSIENT);
  } else {
    sqlite3_result_null(context);
  }
}

void call_scalar(sqlite3_context* context, int n, sqlite3_value** values) {
  auto function = reinterpret_cast<Scalar>(sqlite3_user_data(context));
  try {
    std::vector<Argument> arguments;
    for (int i = 0; i < n; ++i) arguments.emplace_back(values[i]);
    set_result(context, function(arguments));
  } catch (const std::exception& e) {
    sqlite3_result_error(context, e.what(), -1);
  }
}

void call_regexp(sqlite3_context* context, int, sqlite3_value** values) {
  try {
    auto* matcher = static_cast<Matcher*>(sqlite3_get_auxdata(context, 0));
    bool fresh = matcher == nullptr;
    if (fresh) {
      auto compile = reinterpret_cast<CompileMatcher>(sqlite3_user_data(context));
      matcher = compile(Argument(values[0]).text()).release();
    }
    if (sqlite3_value_type(values[1]) != SQLITE_NULL) {
      sqlite3_result_int(context, matcher->matches(Argument(values[1]).text()) ? 1 : 0);
    }
    // SQLite owns it from here, and may delete it at once.
    if (fresh) sqlite3_set_auxdata(context, 0, matcher, [](void* m) { delete static_cast<Matcher*>(m); });
  } catch (const std::exception& e) {
    sqlite3_result_error(context, e.what(), -1);
  }
}

struct Numbers {
  std::vector<double> values;
  std::vector<double> rest;
};

Numbers* numbers_of(sqlite3_context* context, bool create) {
  auto** slot = static_cast<Numbers**>(sqlite3_aggregate_context(context, create ? sizeof(Numbers*) : 0));
  if (slot == nullptr) return nullptr;
  if (*slot == nullptr && create) *slot = new (std::nothrow) Numbers;
  return *slot;
}

void step_aggregate(sqlite3_context* context, int n, sqlite3_value** values) {
  Numbers* numbers = numbers_of(context, true);
  if (numbers == nullptr) return sqlite3_result_error_nomem(context);
  if (numbers->rest.empty()) {
    for (int i = 1; i < n; ++i) numbers->rest.push_back(sqlite3_value_double(values[i]));
  }
  int type = sqlite3_value_numeric_type(values[0]);
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
    numbers->values.push_back(sqlite3_value_double(values[0]));
}

void finish_aggregate(sqlite3_context* context) {
  std::unique_ptr<Numbers> numbers(numbers_of(context, false));
  if (!numbers || numbers->values.empty()) return;
  auto function = reinterpret_cast<Aggregate>(sqlite3_user_data(context));
  if (auto result = function(numbers->values, numbers->rest)) sqlite3_result_double(context, *result);
}

// -- table functions: what SQLite calls a virtual table whose arguments are hidden columns behind the others

struct Table : sqlite3_vtab {
  const TableFunction* function;
  int columns() const { return static_cast<int>(function->columns.size()); }
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<Rows> rows;
  bool there = false;
  sqlite3_int64 number = 0;
};

int connect_table(sqlite3* db, void* function, int, const char* const*, sqlite3_vtab** table, char** why) {
  auto* made = new (std::nothrow) Table{{}, static_cast<const TableFunction*>(function)};
  if (made == nullptr) return SQLITE_NOMEM;
  *table = made;
  std::string sql = "CREATE TABLE x(";
  for (const std::string& column : made->function->columns) sql += column + ",";
  for (int i = 0; i < made->function->arguments; ++i)
    sql += (i > 0 ? ",argument" : "argument") + std::to_string(i) + " HIDDEN";
  int code = sqlite3_declare_vtab(db, (sql + ")").c_str());
  if (code == SQLITE_OK) code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  if (code != SQLITE_OK) *why = sqlite3_mprintf("%s", sqlite3_errmsg(db));
  return code;
}

int disconnect_table(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

// Each argument must be there, and is handed over in its place.
int plan_table(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const auto& table = *static_cast<Table*>(vtab);
  int found = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.iColumn < table.columns() || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;
    info->aConstraintUsage[i].argvIndex = constraint.iColumn - table.columns() + 1;
    info->aConstraintUsage[i].omit = 1;
    ++found;
  }
  info->estimatedCost = 30, info->estimatedRows = 30;
  return found == table.function->arguments ? SQLITE_OK : SQLITE_CONSTRAINT;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  auto* made = new (std::nothrow) Cursor;
  *cursor = made;
  return made != nullptr ? SQLITE_OK : SQLITE_NOMEM;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int advance(sqlite3_vtab_cursor* base) {
  auto* cursor = static_cast<Cursor*>(base);
  try {
    cursor->there = cursor->rows->next();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  ++cursor->number;
  return SQLITE_OK;
}

int call_table(sqlite3_vtab_cursor* base, int, const char*, int n, sqlite3_value** values) {
  auto* cursor = static_cast<Cursor*>(base);
  try {
    std::vector<Argument> arguments;
    for (int i = 0; i < n; ++i) arguments.emplace_back(values[i]);
    cursor->rows = static_cast<Table*>(base->pVtab)->function->open(arguments);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  cursor->number = 0;
  return advance(base);
}

int at_end(sqlite3_vtab_cursor* cursor) { return static_cast<Cursor*>(cursor)->there ? 0 : 1; }

int column_of_row(sqlite3_vtab_cursor* base, sqlite3_context* context, int i) {
  try {
    set_result(context, static_cast<Cursor*>(base)->rows->column(i));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

int number_of_row(sqlite3_vtab_cursor* base, sqlite3_int64* number) {
  *number = static_cast<Cursor*>(base)->number;
  return SQLITE_OK;
}

sqlite3_module table_module() {
  sqlite3_module module{};
  module.xConnect = connect_table, module.xDisconnect = disconnect_table;
  module.xBestIndex = plan_table;
  module.xOpen = open_cursor, module.xClose = close_cursor;
  module.xFilter = call_table, module.xNext = advance, module.xEof = at_end;
  module.xColumn = column_of_row, module.xRowid = number_of_row;
  return module;
}

void check(Db& db, int code) {
  if (code != SQLITE_OK) throw Error(Exit::store, sqlite3_errmsg(db.handle()));
}

}  // namespace

bool Argument::is_null() const { return sqlite3_value_type(value_) == SQLITE_NULL; }
double Argument::real() const { return sqlite3_value_double(value_); }
std::string_view Argument::text() const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value_));
  return text != nullptr ? std::string_view(text, static_cast<size_t>(sqlite3_value_bytes(value_)))
                         : std::string_view();
}

std::string_view Argument::blob() const {
  const auto* data = static_cast<const char*>(sqlite3_value_blob(value_));
  return data != nullptr ? std::string_view(data, static_cast<size_t>(sqlite3_value_bytes(value_)))
                         : std::string_view();
}

void add_scalar(Db& db, const char* name, int arguments, Scalar function) {
  check(db, sqlite3_create_function_v2(db.handle(), name, arguments, flags, reinterpret_cast<void*>(function),
                                       call_scalar, nullptr, nullptr, nullptr));
}

void add_regexp(Db& db, CompileMatcher compile) {
  check(db, sqlite3_create_function_v2(db.handle(), "regexp", 2, flags, reinterpret_cast<void*>(compile),
                                       call_regexp, nullptr, nullptr, nullptr));
}

void add_aggregate(Db& db, const char* name, int arguments, Aggregate function) {
  check(db, sqlite3_create_function_v2(db.handle(), name, arguments, flags, reinterpret_cast<void*>(function),
                                       nullptr, step_aggregate, finish_aggregate, nullptr));
}

void add_table(Db& db, const char* name, const TableFunction& function) {
  static const sqlite3_module module = table_module();
  check(db,
        sqlite3_create_module_v2(db.handle(), name, &module, const_cast<TableFunction*>(&function), nullptr));
}

}  // namespace explog::sql
