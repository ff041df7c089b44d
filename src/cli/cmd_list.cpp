// list and search: filters -> rows of the view `experience`.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/print.h"
#include "model/json.h"
#include "store/query.h"
#include "store/search.h"

namespace explog::cli {
namespace {

struct Options {
  FilterFlags filters;
  FormatFlags format;
  std::vector<std::string> words;
  int limit = 20;
};

constexpr const char* columns =
    "substr(id, 1, 18) AS id, substr(at, 1, 10) AS date, kernel_type AS kernel, backend, arch, bottleneck, "
    "strategy, outcome,"
    " round(speedup, 3) AS speedup, level";

// Full records for programs: the stored JSON with id and time in front.
void print_records(Context& context, sql::Stmt& stmt, bool lines) {
  if (!lines) context.out << '[';
  const char* glue = "";
  while (stmt.step()) {
    std::string body = printable_json(stmt.text(2));
    context.out << glue << "{\"id\":\"" << stmt.text(0) << "\",\"at\":\"" << stmt.text(1) << "\""
                << (body == "{}" ? "" : ",") << std::string_view(body).substr(1) << (lines ? "\n" : "");
    glue = lines ? "" : ",\n ";
  }
  if (!lines) context.out << "]\n";
}

int run_search(const Options& o, Context& context) {
  std::string text = o.filters.search_text();
  for (const std::string& word : o.words) text += " " + word;
  store::Search search = store::parse_search(text);
  sql::Db db = context.reader();
  store::prepare_for_queries(db);
  Format format = o.format.format(context);
  bool records = format == Format::json || format == Format::jsonl;
  sql::Stmt stmt(db, store::search_sql(search, records ? "id, at, body" : columns, o.limit));
  store::bind_search(stmt, search);
  if (records) {
    print_records(context, stmt, format == Format::jsonl);
    return 0;
  }
  RowPrinter printer(context, format);
  printer.print_all(stmt);
  if (printer.rows() > 0) return 0;
  context.err << "explog: nothing found";
  const char* glue = ": ";
  for (const std::string& line : store::explain_empty(db, search)) {
    context.err << std::exchange(glue, "; ") << line;
  }
  context.err << '\n';
  return static_cast<int>(Exit::negative);
}

Action setup(CLI::App& app, bool with_words) {
  auto o = std::make_shared<Options>();
  o->filters.add_to(app);
  o->format.add_to(app);
  app.add_option("-n,--limit", o->limit, "at most this many, 0 for all")
      ->type_name("N")
      ->check(zero_or_more())
      ->capture_default_str();
  if (with_words) {
    app.add_option(
           "text", o->words,
           "words, \"phrases\", field:value, field>=number, field~regex, -not, sort:field or sort:-field")
        ->required()
        ->type_name("TEXT");
    app.allow_extras(false)->prefix_command(false);
  }
  return [o](Context& context) { return run_search(*o, context); };
}

}  // namespace

Action setup_list(CLI::App& app) { return setup(app, false); }
Action setup_search(CLI::App& app) { return setup(app, true); }

}  // namespace explog::cli
