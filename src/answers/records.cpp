#include "answers/records.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"
#include "model/experience.h"
#include "model/json.h"

namespace explog::answers {
namespace {

const std::string columns_for_people =
    "substr(at, 1, 10) AS date, kernel_type AS kernel, backend, arch, bottleneck, strategy, outcome, "
    "round(speedup, 3) AS speedup, level";

std::string markdown_text(std::string_view s) {
  return replace_all(replace_all(printable(s), "|", "\\|"), "<", "&lt;");
}

std::string markdown_row(const app::RecordPage::Row& row) {
  std::string line;
  auto cell = [&](const std::string& text) { line += "| " + text + " "; };
  for (const std::string* text :
       {&row.id, &row.date, &row.iteration, &row.arch, &row.bottleneck, &row.strategy})
    cell(markdown_text(ellipsis(*text, 120)));
  cell(row.speedup ? short_number(*row.speedup) + "x" : "");
  for (const std::string* text : {&row.outcome, &row.notes}) cell(markdown_text(ellipsis(*text, 120)));
  return line + "|";
}

std::string lesson(const std::string& name, const app::RecordPage::Section& section) {
  std::string text = fmt::format("- {}: {} of {} attempts helped", markdown_text(name), section.success,
                                 section.rows.size());
  if (!section.best_strategy.empty())
    text += fmt::format("; best {} at {}x", markdown_text(section.best_strategy), short_number(section.best));
  return text + fmt::format("; {} failed.\n", section.failure);
}

}  // namespace

std::size_t print_record_rows(const Terminal& terminal, Format format, app::FoundRecords& found, int limit) {
  // On a terminal an id is as short as it can be typed again.
  bool shortest = format == Format::text && terminal.interactive;
  sql::Stmt stmt =
      found.rows((shortest ? "rid AS id, " : "substr(id, 1, 18) AS id, ") + columns_for_people, limit);
  RowPrinter printer(terminal, format);
  printer.can_miss({"level", "bottleneck", "date", "backend", "arch", "speedup"});
  printer.show_whole({"id", "strategy"});
  printer.header(names_of(stmt));
  while (stmt.step()) {
    std::vector<sql::Value> values = values_of(stmt);
    if (shortest) values[0] = found.short_id(stmt.integer(0));
    printer.row(values);
  }
  printer.finish();
  return printer.rows();
}

std::size_t print_records(const Terminal& terminal, app::FoundRecords& found, int limit, bool lines) {
  sql::Stmt stmt = found.rows("id, at, body", limit);
  if (!lines) terminal.out << list_opening("records");
  const char* glue = "";
  std::size_t n = 0;
  for (; found.next(stmt); ++n) {
    std::string body = printable_json(stmt.text(2));
    terminal.out << glue << "{\"id\":\"" << stmt.text(0) << "\",\"at\":\"" << stmt.text(1) << "\""
                 << (body == "{}" ? "" : ",") << std::string_view(body).substr(1) << (lines ? "\n" : "");
    glue = lines ? "" : ",\n ";
  }
  if (!lines) terminal.out << list_closing;
  return n;
}

void print_nothing_found(const Terminal& terminal, app::FoundRecords& found) {
  auto reasons = found.why_empty();
  terminal.warn({"nothing_found", "nothing found" + (reasons.empty() ? "" : ": " + join(reasons, "; "))});
}

void print_record_csv(const Terminal& terminal, app::FoundRecords& found) {
  std::string columns = "id, at";
  for (const Field& field : experience_fields()) columns += ", " + std::string(field.name);
  sql::Stmt stmt = found.rows(columns, 0);
  RowPrinter printer(terminal, Format::csv);
  printer.header(names_of(stmt));
  while (found.next(stmt)) printer.row(values_of(stmt));
  printer.finish();
}

void print_record_page(const Terminal& terminal, const app::RecordPage& page) {
  std::ostream& out = terminal.out;
  out << "# Experiences\n\n"
      << fmt::format("{} records: {} success, {} failure, {} neutral.\n", page.n, page.success, page.failure,
                     page.n - page.success - page.failure);
  for (const auto& [name, section] : page.sections) {
    out << "\n## " << markdown_text(name) << "\n\n"
        << "| id | date | iteration | arch | bottleneck | strategy | speed-up | outcome | notes |\n"
           "|---|---|---|---|---|---|---|---|---|\n";
    for (const app::RecordPage::Row& row : section.rows) out << markdown_row(row) << '\n';
  }
  out << "\n## Lessons learned\n\n";
  for (const auto& [name, section] : page.sections) out << lesson(name, section);
}

}  // namespace explog::answers
