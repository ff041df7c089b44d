#include "answers/record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/date.h"
#include "base/text.h"
#include "model/event.h"
#include "model/json.h"

namespace explog::answers {
namespace {

// Whether `body` is a JSON object within our limits; a stranger's event may hold anything.
bool is_object(const std::string& body) try {
  return parse_json(body).is_object();
} catch (const JsonError&) {
  return false;
}

std::string record_json(const store::Record& record) {
  std::string json = fmt::format("{{\"id\":\"{}\",\"at_ms\":{},\"kind\":\"{}\"", record.id, record.at_ms,
                                 kind_name(static_cast<Kind>(record.kind)));
  if (record.retracted) json += ",\"retracted\":" + json_quote(*record.retracted);
  if (!is_object(record.body)) return json + ",\"body\":" + json_quote(record.body) + '}';
  return json + (record.body == "{}" ? "" : ",") + printable_json(record.body).substr(1);
}

std::string json_for_people(const Json& value) {
  return value.is_number_float() ? number_for_people(value.get<double>()) : value.dump();
}

// Prose keeps its lines, indented under the field's name.
std::string indented(const Json& value) {
  std::string text =
      value.is_string() ? printable(value.get<std::string>(), false) : printable(json_for_people(value));
  return replace_all(text, "\n", "\n" + std::string(21, ' '));
}

// "N=4096  D=64"; names that are long have a line each.
std::string entries_of(const Json& object) {
  const std::string own_line = "\n" + std::string(21, ' ');
  std::string entries;
  for (const auto& [key, entry] : object.items()) {
    std::string text = entry.is_string() ? entry.get<std::string>() : json_for_people(entry);
    if (!entries.empty()) entries += key.size() > 24 ? own_line : "  ";
    entries += printable(key + "=" + text);
  }
  return entries;
}

void print_record(const Terminal& terminal, const store::Record& record) {
  terminal.out << terminal.bold(record.id) << "\n";
  auto line = [&](const std::string& name, const std::string& value) {
    terminal.out << fmt::format("  {:<18} {}\n", name, value);
  };
  line("at", date_text(record.at_ms));
  if (!record.is_experience()) line("kind", std::string(kind_name(static_cast<Kind>(record.kind))));
  if (record.retracted) line("retracted", printable(*record.retracted));
  if (record.body.empty()) return line("body", "erased");
  if (!is_object(record.body)) return line("body", printable(record.body));
  Json body = parse_json(record.body);
  for (const auto& [name, value] : body.items())
    line(printable(name), value.is_object() ? entries_of(value) : indented(value));
}

}  // namespace

std::string records_json(const std::vector<store::Record>& records) {
  JsonWriter json;
  begin_answer(json);
  json.key("records");
  json.begin_array();
  for (const store::Record& record : records) json.raw(record_json(record));
  json.end_array();
  json.end_object();
  return json.take();
}

void print_records(const Terminal& terminal, const std::vector<store::Record>& records) {
  for (const store::Record& record : records) {
    if (&record != records.data()) terminal.out << '\n';
    print_record(terminal, record);
  }
}

}  // namespace explog::answers
