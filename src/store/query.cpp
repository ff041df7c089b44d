#include "store/query.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/error.h"
#include "base/text.h"
#include "store/open.h"

namespace explog::store {
namespace {

std::vector<std::string> parameters_of(std::string_view sql) {
  std::vector<std::string> names;
  for (size_t at = sql.find(':'); at != std::string_view::npos; at = sql.find(':', at + 1)) {
    size_t end = at + 1;
    while (end < sql.size() && (std::isalnum(static_cast<unsigned char>(sql[end])) || sql[end] == '_')) ++end;
    std::string name(sql.substr(at + 1, end - at - 1));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : view_sources()) names.push_back(name);
  return names;
}

std::vector<std::string> column_names(sql::Db& db) {
  std::vector<std::string> names;
  for (const std::string& view : view_names()) {
    sql::Stmt none(db, "SELECT * FROM " + view + " LIMIT 0");
    for (int i = 0; i < none.columns(); ++i) names.push_back(none.column_name(i));
  }
  return names;
}

std::string word_behind(const std::string& message, std::string_view what) {
  size_t at = message.find(what);
  if (at == std::string::npos) return "";
  std::string rest = message.substr(at + what.size());
  return rest.substr(0, rest.find(" in: "));
}

// Says what SQLite cannot: the nearest name, and what is there instead of writing.
[[noreturn]] void explain(const Error& e, sql::Db& db) {
  std::string message = e.what();
  if (message.find("cannot modify") != std::string::npos ||
      message.find("not authorized") != std::string::npos)
    throw Error(
        Exit::usage, "only reading SQL is allowed here: " + message,
        "records come in by `explog add` and `explog import`, and are taken back by `explog retract ID`");
  const char* schema = "`explog query --schema` shows the views and their columns";
  if (std::string table = word_behind(message, "no such table: "); !table.empty())
    throw Error(Exit::usage, message + did_you_mean(table, view_names()), schema);
  if (std::string column = word_behind(message, "no such column: "); !column.empty())
    throw Error(Exit::usage, message + did_you_mean(column.substr(column.rfind('.') + 1), column_names(db)),
                schema);
  if (message.find("no such function: ") != std::string::npos)
    throw Error(Exit::usage, message, "`explog query --functions` lists what there is beyond SQLite's own");
  throw e;
}

sql::Stmt prepared(sql::Db& db, const std::string& sql) {
  try {
    return {db, sql};
  } catch (const Error& e) {
    if (e.exit == Exit::usage) explain(e, db);
    throw;
  }
}

}  // namespace

std::vector<NamedQuery> named_queries() {
  constexpr std::string_view folder = "schema/queries/";
  std::vector<NamedQuery> queries;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.substr(0, folder.size()) != folder) continue;
    std::string_view name = file.path.substr(folder.size());
    std::string_view first = file.text.substr(0, file.text.find('\n'));
    size_t body = file.text.find('\n') + 1;
    queries.push_back({std::string(name.substr(0, name.size() - 4)), std::string(trim(first.substr(2))),
                       std::string(file.text), parameters_of(file.text.substr(body))});
  }
  return queries;
}

void prepare_for_queries(sql::Db& db) {
  create_views(db);
  // Virtual tables connect on first use, which counts as writing: do it while that is allowed.
  db.integer("SELECT count(*) FROM note WHERE note MATCH 'a'");
  db.integer("SELECT (SELECT count(*) FROM json_each('[]')) + (SELECT count(*) FROM json_tree('[]'))");
  db.integer("SELECT count(*) FROM cell_row(x'', x'')");
  sql::restrict_to_reading(db);
}

void run_query(sql::Db& db, const Query& query,
               const std::function<void(const std::vector<std::string>&)>& header, const RowSink& row) {
  sql::Deadline deadline(db, query.timeout_ms);
  sql::Stmt stmt = prepared(db, query.sql);
  if (!stmt.read_only()) throw Error(Exit::usage, "only reading SQL is allowed here");
  std::vector<std::string> known;
  for (int i = 1; i <= stmt.parameters(); ++i) known.push_back(stmt.parameter_name(i).substr(1));
  for (const auto& [name, text] : query.parameters) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error(Exit::usage,
                  "the query has no parameter '" + printable(name) + "'" + did_you_mean(name, known));
    }
    auto number = parse_number(text);
    stmt.bind_name(":" + name, number ? sql::Value(*number) : sql::Value(text));
  }
  std::vector<std::string> columns;
  for (int i = 0; i < stmt.columns(); ++i) columns.push_back(stmt.column_name(i));
  header(columns);
  while (stmt.step()) {
    std::vector<sql::Value> values;
    values.reserve(columns.size());
    for (int i = 0; i < stmt.columns(); ++i) values.push_back(stmt.value(i));
    if (!row(values)) return;
  }
}

}  // namespace explog::store
