// query: a named query or SQL -> rows.
#include <fmt/format.h>

#include <memory>

#include "answers/rows.h"
#include "answers/views.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "store/functions.h"
#include "store/open.h"
#include "store/query.h"

namespace explog::cli {
namespace {

struct QueryFlags {
  std::string name;
  std::optional<std::string> sql;
  std::vector<std::string> parameters;
  FormatFlags format;
  double timeout_s = 10;
  bool schema = false, functions = false;
};

void print_schema(const Context& context) {
  auto views = store::view_sources();
  if (context.json)
    context.terminal.out << answers::views_json(views) << '\n';
  else
    answers::print_views(context.terminal, views);
}

int list_queries(Context& context, answers::Format format) {
  answers::RowPrinter printer(context.terminal, format);
  printer.header({"name", "parameters", "what it answers"});
  for (const store::NamedQuery& query : store::named_queries()) {
    printer.row({query.name, join(query.parameters, ","), query.help});
  }
  printer.finish();
  return 0;
}

std::string named_sql(const std::string& name) {
  std::vector<std::string> names;
  for (const store::NamedQuery& query : store::named_queries()) {
    if (query.name == name) return query.sql;
    names.push_back(query.name);
  }
  throw Error(Exit::usage, "no query '" + printable(name) + "'" + did_you_mean(name, names),
              "`explog query` lists them; --sql runs your own");
}

int run_query(const QueryFlags& o, Context& context) {
  answers::Format format = o.format.format(context);
  if (o.schema) return print_schema(context), 0;
  if (o.functions) {
    answers::RowPrinter printer(context.terminal, format);
    printer.header({"function", "meaning"});
    for (const store::FunctionDoc& doc : store::function_docs())
      printer.row({std::string(doc.call), std::string(doc.help)});
    return printer.finish(), 0;
  }
  if (o.name.empty() && !o.sql && !o.parameters.empty())
    throw Error(Exit::usage, "query: --param belongs to a query: name one, or give --sql",
                "`explog query` lists the queries and their parameters");
  if (o.name.empty() && !o.sql) return list_queries(context, format);
  if (!o.name.empty() && o.sql) throw Error(Exit::usage, "query: give a name or --sql, not both");
  store::Query query;
  query.sql = !o.name.empty() ? named_sql(o.name)
              : *o.sql == "-" ? read_file("-", context.in, 1 << 20)
                              : *o.sql;
  query.timeout_ms = static_cast<int>(o.timeout_s * 1000);
  for (const std::string& text : o.parameters) {
    size_t at = text.find('=');
    if (at == std::string::npos)
      throw Error(Exit::usage, "--param: '" + printable(text) + "' is not of the form name=value");
    query.parameters[text.substr(0, at)] = text.substr(at + 1);
  }
  sql::Db db = context.session.reader();
  store::prepare_for_queries(db);
  answers::RowPrinter printer(context.terminal, format);
  store::run_query(
      db, query, [&](const std::vector<std::string>& columns) { printer.header(columns); },
      [&](const std::vector<sql::Value>& values) { return printer.row(values), true; });
  printer.finish();
  if (printer.rows() > 0) return 0;
  if (format == answers::Format::text) context.session.warn("no rows");
  return static_cast<int>(Exit::negative);
}

}  // namespace

Action setup_query(Arguments& arguments) {
  auto o = std::make_shared<QueryFlags>();
  arguments.option("name", o->name, "a named query; without one they are listed")
      .type_name("NAME")
      .names_a("queries");
  arguments.option("--sql", o->sql, "SQL over the documented views; '-' reads standard input")
      .type_name("SQL");
  arguments.option("-p,--param", o->parameters, "value of a query's :name")
      .type_name("NAME=VALUE")
      .repeatable();
  arguments.option("--timeout", o->timeout_s, "seconds, 0 for no limit")
      .type_name("SECONDS")
      .zero_or_more()
      .show_default();
  arguments.flag("--schema", o->schema, "the views and their columns");
  arguments.flag("--functions", o->functions, "the SQL functions beyond SQLite's");
  o->format.add_to(arguments);
  return [o](Context& context) { return run_query(*o, context); };
}

}  // namespace explog::cli
