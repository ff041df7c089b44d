// export: a search -> JSON lines, CSV, or a Markdown page for a wiki.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/file.h"
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
  std::vector<std::string> words;
  bool csv = false, markdown = false;
};

std::string markdown_text(std::string_view s) {
  return replace_all(replace_all(printable(s), "|", "\\|"), "<", "&lt;");
}

void export_lines(Context& context, sql::Db& db, const store::Search& search) {
  sql::Stmt stmt(db, store::search_sql(search, "body", 0));
  store::bind_search(stmt, search);
  while (stmt.step()) context.out << printable_json(stmt.text(0)) << '\n';
}

void export_csv(Context& context, sql::Db& db, const store::Search& search) {
  std::string columns = "id, at";
  for (const Field& field : experience_fields()) columns += ", " + std::string(field.name);
  sql::Stmt stmt(db, store::search_sql(search, columns, 0));
  store::bind_search(stmt, search);
  RowPrinter printer(context, Format::csv);
  printer.print_all(stmt);
}

struct Section {
  std::vector<std::string> rows;
  std::int64_t n = 0, success = 0, failure = 0;
  double best = 1;
  std::string best_strategy;
};

// Totals, a table per kernel and backend, lessons learned.
void export_markdown(Context& context, sql::Db& db, const store::Search& search) {
  std::ostream& out = context.out;
  sql::Stmt stmt(
      db, store::search_sql(
              search,
              "kernel_type, backend, substr(id, 1, 18), substr(at, 1, 10), iteration, arch, bottleneck,"
              " strategy, speedup, outcome, coalesce(notes, hypothesis, '')",
              0));
  store::bind_search(stmt, search);
  std::map<std::string, Section> sections;
  std::int64_t n = 0, success = 0, failure = 0;
  while (stmt.step()) {
    Section& section = sections[std::string(stmt.text(0)) + " [" + std::string(stmt.text(1)) + "]"];
    bool won = stmt.text(9) == "success", lost = stmt.text(9) == "failure";
    ++n, ++section.n;
    success += won, section.success += won;
    failure += lost, section.failure += lost;
    if (won && stmt.real(8) > section.best) {
      section.best = stmt.real(8);
      section.best_strategy = stmt.text(7);
    }
    std::string row;
    for (int i = 2; i <= 10; ++i) {
      row += "| " +
             (i == 8 ? (stmt.is_null(8) ? "" : short_number(stmt.real(8)) + "x")
                     : markdown_text(ellipsis(stmt.text(i), 120))) +
             " ";
    }
    section.rows.push_back(row + "|");
  }
  out << "# Experiences\n\n"
      << fmt::format("{} records: {} success, {} failure, {} neutral.\n", n, success, failure,
                     n - success - failure);
  for (const auto& [name, section] : sections) {
    out << "\n## " << markdown_text(name) << "\n\n"
        << "| id | date | iteration | arch | bottleneck | strategy | speed-up | outcome | notes "
           "|\n|---|---|---|---|---|---|---|---|---|\n";
    for (const std::string& row : section.rows) out << row << '\n';
  }
  out << "\n## Lessons learned\n\n";
  for (const auto& [name, section] : sections) {
    out << fmt::format("- {}: {} of {} attempts helped", markdown_text(name), section.success, section.n);
    if (!section.best_strategy.empty())
      out << fmt::format("; best {} at {}x", markdown_text(section.best_strategy),
                         short_number(section.best));
    out << fmt::format("; {} failed.\n", section.failure);
  }
}

int run_export(const Options& o, Context& context) {
  if (o.csv && o.markdown) throw Error(Exit::usage, "export: choose one of --csv and --markdown");
  std::string text = o.filters.search_text();
  for (const std::string& word : o.words) text += " " + word;
  store::Search search = store::parse_search(text);
  if (text.find("sort:") == std::string::npos) search.order = "rid";
  sql::Db db = context.reader();
  store::prepare_for_queries(db);
  if (o.csv) {
    export_csv(context, db, search);
  } else if (o.markdown) {
    export_markdown(context, db, search);
  } else {
    export_lines(context, db, search);
  }
  return 0;
}

}  // namespace

Action setup_export(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("text", o->words, "only what this search finds (see explog search)")->type_name("TEXT");
  o->filters.add_to(app);
  app.add_flag("--csv", o->csv, "comma-separated values, one column a field");
  app.add_flag("--markdown", o->markdown,
               "a readable page: totals, a table per kernel and backend, lessons learned");
  return [o](Context& context) { return run_export(*o, context); };
}

}  // namespace explog::cli
