// export: a search -> JSON lines, CSV, a Markdown page for a wiki, or files of other benchmarks.
#include <memory>

#include "answers/records.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/export_results.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct ExportFlags {
  FilterFlags filters;
  std::vector<std::string> words;
  bool csv = false, markdown = false;
  std::string to, out;
};

void print(const ExportFlags& o, app::FoundRecords& found, Context& context) {
  if (o.csv) {
    answers::print_record_csv(context.terminal, found);
  } else if (o.markdown) {
    answers::print_record_page(context.terminal, app::page_of(found));
  } else {
    answers::print_records(context.terminal, found, 0, !context.json);
  }
}

int run_export(const ExportFlags& o, Context& context) {
  if (o.csv + o.markdown + context.json > 1)
    throw Error(Exit::usage, "export: choose one of --csv, --markdown and --json");
  std::string search = o.filters.search_text(o.words);
  if (!o.to.empty()) {
    if (o.csv || o.markdown) throw Error(Exit::usage, "export: --to has a form of its own");
    return export_results(o.to, search, o.out, context);
  }
  if (!o.out.empty()) throw Error(Exit::usage, "export: --out belongs to --to");
  app::FoundRecords found(search, context.session);
  found.oldest_first();
  if (!context.terminal.interactive) found.watch(context.session, "exporting");
  print(o, found, context);
  if (found.seen() > 0 || search.empty()) return 0;
  answers::print_nothing_found(context.terminal, found);
  return static_cast<int>(Exit::negative);
}

}  // namespace

Action setup_export(Arguments& arguments) {
  auto o = std::make_shared<ExportFlags>();
  arguments.option("text", o->words, "only what this search finds (see explog search)").type_name("TEXT");
  o->filters.add_to(arguments);
  arguments.flag("--csv", o->csv, "comma-separated values, one column a field");
  arguments.flag("--markdown", o->markdown,
                 "a readable page: totals, a table per kernel and backend, lessons learned");
  arguments.option("--to", o->to, "verdicts on tasks of that benchmark, as its own files have them")
      .one_of(result_forms())
      .type_name("FORM");
  arguments.option("--out", o->out, "with --to: the folder to write (else flashinfer-bench is printed)")
      .type_name("DIR");
  return [o](Context& context) { return run_export(*o, context); };
}

}  // namespace explog::cli
