#include "answers/views.h"

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {

std::string views_json(const Views& views) {
  JsonWriter json;
  begin_answer(json);
  json.key("views");
  json.begin_array();
  for (const auto& [name, text] : views) {
    json.begin_object();
    json.field("name", name);
    json.field("sql", text);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_views(const Terminal& terminal, const Views& views) {
  bool first = true;
  for (const auto& [name, text] : views) {
    if (!std::exchange(first, false)) terminal.out << '\n';
    for (std::string_view line : split(trim(text), '\n'))
      terminal.out << (line.substr(0, 3) == "-- " ? line.substr(3) : line) << '\n';
  }
}

}  // namespace explog::answers
