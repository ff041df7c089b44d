#include "model/ladder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "model/backend.h"
#include "model/json.h"
#include "model/task.h"

namespace explog {
namespace {

constexpr std::size_t most_steps = 256, most_macros = 16, longest_text = 1000;
constexpr std::int64_t largest_setting = std::int64_t{1} << 31;

void need_keys(const Json& object, const std::vector<std::string>& names, const std::string& where) {
  check_keys(object, names, where);
  for (const std::string& key : names) {
    if (!object.contains(key)) bad(where + ": \"" + key + "\" is missing");
  }
}

// One line of text: what the head of a file could say as well.
std::string text_of(const Json& row, const char* key, const std::string& where) {
  std::string complaint = where + ": \"" + key + "\" must be one line of text";
  if (!row[key].is_string()) bad(complaint);
  auto text = row[key].get<std::string>();
  bool has_control = std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
  if (text.empty() || text != trim(text) || has_control) bad(complaint);
  if (text.size() > longest_text)
    bad(where + ": \"" + key + "\" has more than " + std::to_string(longest_text) + " bytes");
  return text;
}

std::string file_of(const Json& row, const char* key, const std::string& where) {
  std::string name = text_of(row, key, where);
  if (name.find('/') != std::string::npos)
    bad(where + ": \"" + key + "\" must lie beside the ladder: no folders");
  auto is_source = [&](const Backend& b) { return name.ends_with(b.endings.front()); };
  if (!name.ends_with(".py") && std::none_of(backends().begin(), backends().end(), is_source))
    bad(where + ": \"" + key + "\" must end in .cu, .cpp or .py");
  return name;
}

std::int64_t value_of(const Json& value, const std::string& name, const std::string& where) {
  if (!value.is_number_integer()) bad(where + ": " + name + " must be a whole number");
  auto number = value.get<std::int64_t>();
  if (number < -largest_setting || number > largest_setting) bad(where + ": " + name + " is beyond 2^31");
  return number;
}

Settings macros_of(const Json& set, const std::string& where) {
  if (!set.is_object() || set.empty() || set.size() > most_macros)
    bad(where + ": \"set\" must be an object of 1 to " + std::to_string(most_macros) + " macros");
  Settings macros;
  for (const auto& [name, value] : set.items()) {
    if (!is_name(name)) bad(where + ": '" + name + "' is no name of a macro (letters, digits and _)");
    macros.emplace_back(name, static_cast<double>(value_of(value, name, where)));
  }
  return macros;
}

LadderRow row_of(const Json& object, const std::string& where) {
  need_keys(object, {"step", "file", "set", "after", "strategy", "predicts"}, where);
  LadderRow row;
  row.step = file_of(object, "step", where);
  std::string named = "step " + row.step;
  row.file = file_of(object, "file", named);
  row.set = macros_of(object["set"], named);
  row.after = file_of(object, "after", named);
  row.strategy = text_of(object, "strategy", named);
  row.predicts = text_of(object, "predicts", named);
  if (row.file == row.step) bad(named + " configures itself");
  for (const std::string& other : {row.file, row.after}) {
    if (backend_of_file(other) != backend_of_file(row.step))
      bad(named + ": " + other + " is of another backend");
  }
  return row;
}

void check_names(const std::vector<LadderRow>& rows) {
  std::set<std::string> names;
  for (const LadderRow& row : rows) {
    if (!names.insert(row.step).second) bad("step " + row.step + " is listed twice");
  }
  for (const LadderRow& row : rows) {
    if (names.contains(row.file))
      bad("step " + row.step + ": \"file\" must be a source, not the step " + row.file);
  }
}

}  // namespace

std::vector<LadderRow> parse_ladder(std::string_view json) {
  Json object = parse_json(json);
  refuse_other_format(object, ladder_format);
  need_keys(object, {"format", "steps"}, "a ladder");
  if (!object["format"].is_number_integer()) bad("\"format\" must be a number");
  const Json& steps = object["steps"];
  if (!steps.is_array() || steps.empty() || steps.size() > most_steps)
    bad("\"steps\" must be a list of 1 to " + std::to_string(most_steps) + " steps");
  std::vector<LadderRow> rows;
  for (std::size_t i = 0; i < steps.size(); ++i)
    rows.push_back(row_of(steps[i], "step " + std::to_string(i + 1) + " of the list"));
  check_names(rows);
  return rows;
}

std::string to_json(const std::vector<LadderRow>& rows) {
  Json steps = Json::array();
  for (const LadderRow& row : rows) {
    Json set = Json::object();
    for (const auto& [name, value] : row.set) set[name] = json_value(value);
    steps.push_back(Json::object({{"step", row.step},
                                  {"file", row.file},
                                  {"set", set},
                                  {"after", row.after},
                                  {"strategy", row.strategy},
                                  {"predicts", row.predicts}}));
  }
  return Json::object({{"format", ladder_format}, {"steps", steps}}).dump(2) + "\n";
}

}  // namespace explog
