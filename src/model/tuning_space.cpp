#include "model/tuning_space.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "model/comments.h"
#include "model/python_knobs.h"

namespace explog {
namespace {

constexpr double most_tuning_combinations = 1 << 20;

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where `word` stands alone in `text`, from `from` on.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool begins = at == 0 || !is_word_character(text[at - 1]);
    bool ends = at + word.size() == text.size() || !is_word_character(text[at + word.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

// A line `#define NAME VALUE`, and whether `#ifndef NAME` encloses it.
struct Definition {
  std::string name, value;
  bool guarded = false;
  int line = 0;
  std::size_t begin = 0, end = 0;  // of the value in the text
};

struct PreprocessorLine {
  std::string word, name;  // "define", "BLOCK"
  std::size_t behind = 0;  // of the name, in the line
};

PreprocessorLine preprocessor_line(std::string_view line) {
  auto word_from = [&](std::size_t& at) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    std::size_t begin = at;
    while (at < line.size() && is_word_character(line[at])) ++at;
    return std::string(line.substr(begin, at - begin));
  };
  PreprocessorLine result;
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#') return result;
  ++at;
  result.word = word_from(at);
  if (result.word == "if") {  // #if !defined(NAME)
    std::size_t defined = line.find("!defined", at);
    if (defined == std::string_view::npos) return result;
    at = defined + 8;
    if (at < line.size() && line[at] == '(') ++at;
  }
  result.name = word_from(at);
  result.behind = at;
  return result;
}

// Values of Python's sources that stand elsewhere: defaults of parameters, hints, settings of a launch. A name that the
// module gives a value in the first column has its value there alone.
void add_places(std::vector<Definition>& found, std::string_view code) {
  std::vector<Definition> elsewhere;
  for (const KnobPlace& place : python_knobs(code)) {
    bool own =
        std::any_of(found.begin(), found.end(), [&](const Definition& d) { return d.name == place.name; });
    auto number = number_at(place);
    if (own || !number) continue;
    elsewhere.push_back({place.name, number_text(*number), true, place.line, place.begin, place.end});
  }
  found.insert(found.end(), elsewhere.begin(), elsewhere.end());
  std::sort(found.begin(), found.end(),
            [](const Definition& a, const Definition& b) { return a.begin < b.begin; });
}

// In Python a module's own NAME = VALUE, in the first column: what configures it writes over it.
std::vector<Definition> assignments_in(std::string_view code) {
  std::vector<Definition> found;
  std::size_t begin = 0;
  int number = 0;
  for (std::string_view line : split(code, '\n')) {
    ++number;
    std::size_t name = 0;
    while (name < line.size() && is_word_character(line[name])) ++name;
    std::size_t equals = line.find_first_not_of(" \t", name);
    bool assigns = name > 0 && equals != std::string_view::npos && line[equals] == '=';
    std::size_t value = assigns ? line.find_first_not_of(" \t", equals + 1) : std::string_view::npos;
    if (value != std::string_view::npos && line[value] != '=') {
      std::string_view text = line.substr(value, line.find_first_of(" \t\r", value) - value);
      std::string_view shown = text == "True" ? "1" : text == "False" ? "0" : text;
      found.push_back({std::string(line.substr(0, name)), std::string(shown), true, number, begin + value,
                       begin + value + text.size()});
    }
    begin += line.size() + 1;
  }
  add_places(found, code);
  return found;
}

bool is_python(const std::string& file) { return file.ends_with(".py"); }

std::string bare_code(std::string_view code, const std::string& file) {
  return without_comments(code, {.python = is_python(file)});
}

// The definitions in a text without comments.
std::vector<Definition> definitions_in(std::string_view code, const std::string& file) {
  if (is_python(file)) return assignments_in(code);
  std::vector<Definition> found;
  std::vector<std::string> guards;
  std::size_t begin = 0;
  int number = 0;
  for (std::string_view line : split(code, '\n')) {
    ++number;
    PreprocessorLine p = preprocessor_line(line);
    if (p.word == "ifndef" || p.word == "if" || p.word == "ifdef")
      guards.push_back(p.word == "ifdef" ? "" : p.name);
    if (p.word == "endif" && !guards.empty()) guards.pop_back();
    if (p.word == "define" && !(p.behind < line.size() && line[p.behind] == '(')) {
      std::string_view value = trim(line.substr(p.behind));
      std::size_t at =
          begin + (value.empty() ? line.size() : static_cast<std::size_t>(value.data() - line.data()));
      bool guarded = std::find(guards.begin(), guards.end(), p.name) != guards.end();
      found.push_back({p.name, std::string(value), guarded, number, at, at + value.size()});
    }
    begin += line.size() + 1;
  }
  return found;
}

[[noreturn]] void wrong_knob(const DeclaredKnob& knob, const std::string& what, const std::string& hint) {
  throw Error(Exit::usage, knob.place + ": knob " + knob.name + " " + what, hint);
}

// The value that the code gives the knob where nobody else does.
std::optional<double> default_of(const DeclaredKnob& knob, const std::vector<Definition>& definitions,
                                 const std::string& file) {
  for (const Definition& d : definitions) {
    if (d.name != knob.name) continue;
    if (!d.guarded)
      wrong_knob(knob, "has its value fixed in line " + std::to_string(d.line) + " of " + file,
                 "write #ifndef " + knob.name + " before that #define and #endif behind it");
    auto value = parse_number(d.value);
    if (!value || std::trunc(*value) != *value)
      wrong_knob(knob, "is no number but '" + d.value + "' in line " + std::to_string(d.line) + " of " + file,
                 "give it a number, or name its value under \"original\" in a space file");
    return value;
  }
  return std::nullopt;
}

const Scalar* declared_original(const DeclaredSpace& declared, const std::string& name) {
  for (const auto& [knob, value] : declared.original) {
    if (knob == name) return &value;
  }
  return nullptr;
}

Configuration original_row(TuningSpace& space) {
  Configuration row;
  for (std::size_t i = 0; i < space.original.size(); ++i)
    row.push_back(space.space.parameters[i].number_of(space.original[i].second));
  return row;
}

// A rule as a condition; empty where the device's limit is not known.
std::string condition_of(const Rule& rule, const DeviceLimits& limits) {
  if (rule.name == "where") return rule.expression;
  double limit = rule.name == "threads" ? limits.threads : limits.shared_bytes;
  return limit > 0 ? "(" + rule.expression + ") <= " + number_text(limit) : "";
}

std::string pruned_name(const Rule& rule) {
  return rule.name == "where" ? "where " + rule.expression : rule.name;
}

}  // namespace

TuningSpace tuning_space(const DeclaredSpace& declared, std::string_view code, const std::string& file) {
  std::string bare = bare_code(code, file);
  std::vector<Definition> definitions = definitions_in(bare, file);
  TuningSpace result;
  result.rules = declared.rules;
  double combinations = 1;
  for (const DeclaredKnob& knob : declared.knobs) {
    bool defined = std::any_of(definitions.begin(), definitions.end(),
                               [&](const Definition& d) { return d.name == knob.name; });
    if (!defined && find_word(bare, knob.name) == std::string::npos)
      wrong_knob(knob, "does not occur in " + file, "name a macro that the source uses");
    Parameter parameter(knob.name);
    for (double value : knob.values) parameter.number_of(value);
    const Scalar* given = declared_original(declared, knob.name);
    auto own = given ? std::nullopt : default_of(knob, definitions, file);
    result.original.emplace_back(knob.name, given ? *given : Scalar(own.value_or(knob.values.front())));
    parameter.number_of(result.original.back().second);
    combinations *= static_cast<double>(parameter.values.size());
    result.space.parameters.push_back(std::move(parameter));
  }
  if (combinations > most_tuning_combinations)
    throw Error(Exit::usage,
                file + ": its knobs make " + number_text(combinations) + " combinations, at most " +
                    number_text(most_tuning_combinations) + " are looked at",
                "shorten a list of values, or leave a knob out: conditions are not counted here");
  return result;
}

DeviceLimits limits_of(const std::string& arch) {
  // Shared memory of a block in KiB, as the CUDA C++ Programming Guide lists it by compute capability.
  constexpr std::pair<std::string_view, double> shared_kib[] = {
      {"sm_70", 96}, {"sm_72", 96},  {"sm_75", 64},   {"sm_80", 163},  {"sm_86", 99},   {"sm_87", 163},
      {"sm_89", 99}, {"sm_90", 227}, {"sm_100", 227}, {"sm_103", 227}, {"sm_110", 227}, {"sm_120", 99}};
  DeviceLimits limits;
  for (const auto& [name, kib] : shared_kib) {
    bool same = arch.starts_with(name) &&
                (arch.size() == name.size() || !std::isdigit(static_cast<unsigned char>(arch[name.size()])));
    if (same) limits.shared_bytes = 1024 * kib;
  }
  return limits;
}

TuningRows tuning_rows(const TuningSpace& declared, const DeviceLimits& limits) {
  TuningSpace space = declared;
  TuningRows result;
  Configuration original = original_row(space);
  std::vector<Configuration> left = configurations(space.space, "the space");
  for (const Rule& rule : space.rules) {
    std::string condition = condition_of(rule, limits);
    if (condition.empty()) continue;
    std::size_t before = left.size();
    space.space.where.push_back(condition);
    left = configurations(space.space, rule.place);
    result.pruned.push_back({pruned_name(rule), before - left.size()});
  }
  std::erase(left, original);
  result.rows = {original};
  result.rows.insert(result.rows.end(), left.begin(), left.end());
  return result;
}

std::string without_knob_values(std::string_view source, const std::string& file,
                                const std::vector<std::string>& knobs) {
  std::string bare = bare_code(source, file), result;
  std::size_t done = 0;
  for (const Definition& d : definitions_in(bare, file)) {
    if (std::find(knobs.begin(), knobs.end(), d.name) == knobs.end()) continue;
    result += bare.substr(done, d.begin - done) + "?";
    done = d.end;
  }
  result += bare.substr(done);
  std::string lines;  // without blanks that end a line, which a comment leaves behind, and empty lines
  for (std::string_view line : split(result, '\n')) {
    std::string_view kept = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (!kept.empty()) lines += std::string(kept) + "\n";
  }
  return lines;
}

std::optional<std::string> with_knob_values(std::string_view source, const std::string& file,
                                            const Settings& settings) {
  std::vector<Definition> places = definitions_in(bare_code(source, file), file);
  std::string text(source);
  std::size_t written = 0;
  for (auto d = places.rbegin(); d != places.rend(); ++d) {
    for (const auto& [name, value] : settings) {
      if (name != d->name || !d->guarded) continue;
      text.replace(d->begin, d->end - d->begin, scalar_text(value));
      ++written;
    }
  }
  return written == settings.size() ? std::optional(text) : std::nullopt;
}

}  // namespace explog
