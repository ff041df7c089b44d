#include "answers/strategy_names.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {

std::string unmapped_json(const std::vector<app::UnmappedStrategy>& names) {
  JsonWriter json;
  begin_answer(json);
  json.key("names");
  json.begin_array();
  for (const app::UnmappedStrategy& one : names) {
    json.begin_object();
    json.field("name", one.count.name);
    json.field("n", one.count.n);
    json.field("success", one.count.success);
    json.field("backends", one.count.backends);
    json.field("nearest", one.nearest);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_unmapped(const Terminal& terminal, Format format,
                    const std::vector<app::UnmappedStrategy>& names) {
  if (names.empty() && format == Format::text) {
    terminal.out << "every strategy of every record is in the playbook\n";
    return;
  }
  RowPrinter printer(terminal, format);
  printer.header({"name", "n", "success", "backends", "nearest"});
  for (const app::UnmappedStrategy& one : names) {
    printer.row({one.count.name, static_cast<double>(one.count.n), static_cast<double>(one.count.success),
                 one.count.backends, join(one.nearest, ",")});
  }
  printer.finish();
  if (format == Format::text) terminal.out << "\n`explog strategies alias NAME ID` says what one means\n";
}

std::string alias_json(const app::NewAlias& alias) {
  JsonWriter json;
  begin_answer(json);
  json.field("name", alias.name);
  json.field("target", alias.target);
  json.field("records", alias.records);
  json.end_object();
  return json.take();
}

void print_alias(const Terminal& terminal, const app::NewAlias& alias) {
  if (alias.name == alias.target) {
    terminal.out << fmt::format("{} stands for itself again\n", alias.name);
    return;
  }
  terminal.out << fmt::format("{} counts for {} from now on ({} records)\n", alias.name, alias.target,
                              alias.records);
}

}  // namespace explog::answers
