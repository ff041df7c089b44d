// list and search: filters and words -> records.
#include <memory>

#include "answers/records.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct ListFlags {
  FilterFlags filters;
  FormatFlags format;
  std::vector<std::string> words;
  int limit = 20;
};

int run_search(const ListFlags& o, Context& context) {
  app::FoundRecords found(o.filters.search_text(o.words), context.session);
  answers::Format format = o.format.format(context);
  if (format == answers::Format::json || format == answers::Format::jsonl) {
    if (answers::print_records(context.terminal, found, o.limit, format == answers::Format::jsonl) > 0)
      return 0;
  } else if (answers::print_record_rows(context.terminal, format, found, o.limit) > 0) {
    return 0;
  }
  answers::print_nothing_found(context.terminal, found);
  return static_cast<int>(Exit::negative);
}

Action setup_listing(Arguments& arguments, bool with_words) {
  auto o = std::make_shared<ListFlags>();
  o->filters.add_to(arguments);
  o->format.add_to(arguments);
  arguments.option("-n,--limit", o->limit, "at most this many, 0 for all")
      .type_name("N")
      .zero_or_more()
      .show_default();
  if (with_words) {
    arguments
        .option("text", o->words,
                "words, \"phrases\", field:value, field>=number, field~regex, after:2026-11, "
                "before:2026-11-30, -not, "
                "sort:field or sort:-field")
        .required()
        .filled()
        .type_name("TEXT")
        .names_a("fields");
    arguments.minus_words_go_to(o->words);
  }
  return [o](Context& context) { return run_search(*o, context); };
}

}  // namespace

Action setup_list(Arguments& arguments) { return setup_listing(arguments, false); }
Action setup_search(Arguments& arguments) { return setup_listing(arguments, true); }

}  // namespace explog::cli
