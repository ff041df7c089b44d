// Knobs and rules as they are written: in comments of a source, on the command line, in a file.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "model/json.h"
#include "model/python_knobs.h"
#include "model/sweep.h"
#include "model/t1_space.h"
#include "model/task.h"
#include "model/tuning_space.h"

namespace explog {
namespace {

constexpr std::size_t most_knobs = 24, most_knob_values = 64, most_rules = 64, longest_rule = 1000;
constexpr double largest_knob = 2147483648.0;

[[noreturn]] void wrong_space(const std::string& place, const std::string& what) {
  throw Error(Exit::usage, place + ": " + what,
              "a source says `// tune: BLOCK 128 256 512`, the command line --space 'BLOCK=128,256,512'");
}

double knob_value(std::string_view text, const std::string& name, const std::string& place) {
  auto value = parse_number(text);
  if (!value || std::trunc(*value) != *value || std::abs(*value) > largest_knob)
    wrong_space(place, "knob " + name + ": '" + std::string(text) + "' is no whole number within 2^31");
  return *value;
}

DeclaredKnob knob_of(const std::string& name, const std::vector<std::string_view>& values,
                     const std::string& place) {
  if (!is_name(name) || (name[0] >= '0' && name[0] <= '9'))
    wrong_space(place, "'" + name + "' is no name of a macro (letters, digits and _)");
  if (values.empty()) wrong_space(place, "knob " + name + " has no values");
  if (values.size() > most_knob_values)
    wrong_space(place, "knob " + name + " has more than " + std::to_string(most_knob_values) + " values");
  DeclaredKnob knob{name, {}, place};
  for (std::string_view text : values) {
    double value = knob_value(text, name, place);
    if (std::find(knob.values.begin(), knob.values.end(), value) != knob.values.end())
      wrong_space(place, "knob " + name + ": " + number_text(value) + " is listed twice");
    knob.values.push_back(value);
  }
  return knob;
}

// SQL, which evaluates the rules, ignores case.
void add_knob(DeclaredSpace& declared, DeclaredKnob knob) {
  for (const DeclaredKnob& other : declared.knobs) {
    if (lower(other.name) == lower(knob.name))
      wrong_space(knob.place, "knob " + knob.name + " is declared twice, first in " + other.place);
  }
  if (declared.knobs.size() == most_knobs)
    wrong_space(knob.place, "more than " + std::to_string(most_knobs) + " knobs");
  declared.knobs.push_back(std::move(knob));
}

void add_rule(DeclaredSpace& declared, const std::string& name, std::string_view text,
              const std::string& place) {
  std::string expression(trim(text));
  if (expression.empty()) wrong_space(place, "\"" + name + "\" is empty");
  if (expression.size() > longest_rule || declared.rules.size() == most_rules)
    wrong_space(place, "more than " + std::to_string(most_rules) + " rules, or one of more than " +
                           std::to_string(longest_rule) + " bytes");
  declared.rules.push_back({name, expression, place});
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word : split(text, ' ')) {
    if (!trim(word).empty()) words.push_back(trim(word));
  }
  return words;
}

const std::vector<std::string> rule_names = {"where", "threads", "shared_bytes"};

// What stands behind `// tune` in a line: ": BLOCK 128", " where: ..."; nothing in any other line.
std::string_view directive_in(std::string_view line, bool python) {
  std::string_view mark = python ? "#" : "//";
  std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  std::string_view rest = trim(line.substr(at + mark.size()));
  if (!rest.starts_with("tune")) return {};
  rest.remove_prefix(4);
  return rest.starts_with(":") || rest.starts_with(" ") ? rest : std::string_view();
}

void read_directive(DeclaredSpace& declared, std::string_view rest, const std::string& place) {
  std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return;  // prose: "tune this later"
  std::string kind(trim(rest.substr(0, colon)));
  std::string_view text = trim(rest.substr(colon + 1));
  if (kind.empty()) {
    std::vector<std::string_view> words = words_of(text);
    if (words.empty()) wrong_space(place, "no knob is named");
    std::string name(words.front());
    words.erase(words.begin());
    add_knob(declared, knob_of(name, words, place));
  } else if (std::find(rule_names.begin(), rule_names.end(), kind) != rule_names.end()) {
    add_rule(declared, kind, text, place);
  } else if (kind.find(' ') == std::string::npos) {
    wrong_space(place, "`tune " + kind + ":` is not known" + did_you_mean(kind, rule_names));
  }
}

// "mine.json:4" of the line that holds `"key"`; the file alone where there is none.
std::string place_of_key(std::string_view json, const std::string& key, const std::string& file) {
  std::size_t at = json.find("\"" + key + "\"");
  if (at == std::string_view::npos) return file;
  return file + ":" +
         std::to_string(1 + std::count(json.begin(), json.begin() + static_cast<long>(at), '\n'));
}

void read_parameters(DeclaredSpace& declared, const Json& object, std::string_view json,
                     const std::string& file) {
  if (!object.is_object()) wrong_space(place_of_key(json, "parameters", file), "\"parameters\" is no object");
  for (const auto& [name, values] : object.items()) {
    std::string place = place_of_key(json, name, file);
    if (!values.is_array()) wrong_space(place, "knob " + name + ": its values are no list");
    std::vector<std::string> texts;
    for (const Json& value : values) texts.push_back(value.dump());
    add_knob(declared, knob_of(name, {texts.begin(), texts.end()}, place));
  }
}

void read_rules(DeclaredSpace& declared, const Json& object, std::string_view json, const std::string& file) {
  for (const std::string& name : rule_names) {
    if (!object.contains(name)) continue;
    Json list = object[name].is_array() ? object[name] : Json::array({object[name]});
    for (const Json& text : list) {
      if (!text.is_string()) wrong_space(place_of_key(json, name, file), "\"" + name + "\" must hold text");
      std::string inside = text.dump();
      inside = inside.substr(1, inside.size() - 2);
      std::string place = place_of_key(json, inside, file);
      add_rule(declared, name, text.get<std::string>(),
               place == file ? place_of_key(json, name, file) : place);
    }
  }
}

void read_original(DeclaredSpace& declared, const Json& object, std::string_view json,
                   const std::string& file) {
  if (!object.contains("original")) return;
  std::string place = place_of_key(json, "original", file);
  if (!object["original"].is_object()) wrong_space(place, "\"original\" is no object");
  for (const auto& [name, value] : object["original"].items()) {
    bool known = std::any_of(declared.knobs.begin(), declared.knobs.end(),
                             [&, &key = name](const DeclaredKnob& k) { return k.name == key; });
    if (!known) wrong_space(place, "\"original\" names " + name + ", which is no knob");
    declared.original.emplace_back(name, knob_value(value.dump(), name, place));
  }
}

Json space_object(std::string_view json, const std::string& file) {
  try {
    Json object = parse_json(json);
    if (is_t1(object)) return space_of_t1(object);
    refuse_other_format(object, sweep_format);
    check_keys(object, {"format", "file", "parameters", "where", "original", "threads", "shared_bytes"},
               "a space");
    if (!object.contains("format")) bad("\"format\" is missing");
    if (!object.contains("parameters")) bad("\"parameters\" is missing");
    return object;
  } catch (const JsonError& e) {
    throw Error(Exit::usage, file + ": " + e.what(), "a space is a file as sweep.json");
  }
}

}  // namespace

DeclaredSpace declared_in_source(std::string_view source, const std::string& file) {
  DeclaredSpace declared;
  bool python = file.ends_with(".py");
  std::size_t number = 0;
  for (std::string_view line : split(source, '\n')) {
    ++number;
    std::string_view rest = directive_in(line, python);
    if (!rest.empty()) read_directive(declared, rest, file + ":" + std::to_string(number));
  }
  return declared;
}

DeclaredSpace knobs_in_source(std::string_view source, const std::string& file) {
  DeclaredSpace declared = declared_in_source(source, file);
  if (!declared.knobs.empty() || !file.ends_with(".py")) return declared;
  DeclaredSpace found = found_in_python(source, file);
  declared.knobs = std::move(found.knobs);
  declared.rules.insert(declared.rules.end(), found.rules.begin(), found.rules.end());
  return declared;
}

DeclaredSpace declared_in_words(std::string_view words, const std::string& place) {
  DeclaredSpace declared;
  for (std::string_view part : split(words, ';')) {
    if (trim(part).empty()) continue;
    std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      wrong_space(place, "'" + std::string(trim(part)) + "' is no NAME=VALUE,VALUE");
    std::vector<std::string_view> values;
    for (std::string_view value : split(part.substr(equals + 1), ',')) values.push_back(trim(value));
    add_knob(declared, knob_of(std::string(trim(part.substr(0, equals))), values, place));
  }
  return declared;
}

DeclaredSpace declared_in_json(std::string_view json, const std::string& file) {
  Json object = space_object(json, file);
  DeclaredSpace declared;
  read_parameters(declared, object["parameters"], json, file);
  read_rules(declared, object, json, file);
  read_original(declared, object, json, file);
  return declared;
}

}  // namespace explog
