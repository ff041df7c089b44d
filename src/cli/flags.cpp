#include "cli/flags.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::cli {
namespace {

std::vector<std::pair<std::string, std::string>> parse_pairs(const std::vector<std::string>& texts,
                                                             const std::string& flag) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    for (std::string_view entry : split(text, ',')) {
      entry = trim(entry);
      if (entry.empty()) continue;
      size_t at = entry.find('=');
      if (at == std::string_view::npos || at == 0) {
        throw Error(Exit::usage, flag + ": '" + std::string(entry) + "' is not of the form name=value");
      }
      std::string name(trim(entry.substr(0, at)));
      bool twice =
          std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == name; });
      if (twice) throw Error(Exit::usage, flag + ": '" + name + "' is given twice");
      pairs.emplace_back(name, std::string(trim(entry.substr(at + 1))));
    }
  }
  return pairs;
}

std::string flag_name(std::string_view field) {
  if (field == "kernel_type") return "--kernel,--kernel-type";
  if (field == "kernel") return "--kernel-name";
  if (field == "arch") return "--arch,--chip";
  if (field == "strategy") return "-o,--strategy,--optimization";
  if (field == "latency_before_ms") return "--latency-before,--latency-before-ms";
  if (field == "latency_after_ms") return "--latency-after,--latency-after-ms";
  if (field == "iteration") return "-i,--iteration";
  return "--" + replace_all(std::string(field), "_", "-");
}

double number(const std::string& text, std::string_view field) {
  auto value = parse_number(text);
  if (!value)
    throw Error(Exit::usage,
                "--" + replace_all(std::string(field), "_", "-") + ": '" + text + "' is not a number");
  return *value;
}

// Sets one field of a record from the values of its flag.
struct Apply {
  Experience& e;
  const std::vector<std::string>& texts;
  std::string_view field;
  bool only_empty;

  template <class T>
  bool keep(const T& value) const {
    return only_empty && !value.empty();
  }
  void operator()(std::string Experience::*member) const {
    if (!keep(e.*member)) e.*member = texts.back();
  }
  void operator()(std::optional<double> Experience::*member) const {
    if (!(only_empty && (e.*member))) e.*member = number(texts.back(), field);
  }
  void operator()(Facts Experience::*member) const {
    if (!keep(e.*member)) e.*member = parse_facts(texts, "--" + replace_all(std::string(field), "_", "-"));
  }
  void operator()(Params Experience::*member) const {
    if (!keep(e.*member)) e.*member = parse_params(texts, "--params");
  }
  void operator()(Tags Experience::*member) const {
    if (keep(e.*member)) return;
    (e.*member).clear();
    for (const std::string& text : texts) {
      for (std::string_view tag : split(text, ',')) {
        if (!trim(tag).empty()) (e.*member).emplace_back(trim(tag));
      }
    }
  }
};

// How --help names the value of a field's flag.
const char* value_name(FieldType type) {
  switch (type) {
    case FieldType::text:
      return "TEXT";
    case FieldType::number:
      return "NUMBER";
    case FieldType::facts:
    case FieldType::params:
      return "NAME=VALUE,...";
    case FieldType::tags:
      return "A,B,...";
  }
  return "";
}

// What `completion --values` calls the values of a field.
std::string kind_of(std::string_view field) {
  for (auto [name, kind] : {std::pair("kernel_type", "kernels"),
                            {"backend", "backends"},
                            {"arch", "archs"},
                            {"dtype", "dtypes"},
                            {"bottleneck", "bottlenecks"},
                            {"strategy", "strategies"},
                            {"outcome", "outcomes"},
                            {"cause", "causes"}}) {
    if (field == name) return kind;
  }
  return "";
}

}  // namespace

Facts parse_facts(const std::vector<std::string>& texts, const std::string& flag) {
  Facts facts;
  for (const auto& [name, text] : parse_pairs(texts, flag)) {
    auto value = parse_number(text);
    if (!value) throw Error(Exit::usage, flag + ": " + name + " must be a number, got '" + text + "'");
    facts.emplace_back(name, *value);
  }
  return facts;
}

Params parse_params(const std::vector<std::string>& texts, const std::string& flag) {
  Params params;
  for (const auto& [name, text] : parse_pairs(texts, flag)) {
    if (text == "true" || text == "false") {
      params.emplace_back(name, Scalar(text == "true"));
    } else if (auto value = parse_number(text)) {
      params.emplace_back(name, Scalar(*value));
    } else {
      params.emplace_back(name, Scalar(text));
    }
  }
  return params;
}

void ExperienceFlags::add_to(Arguments& arguments, bool for_defaults) {
  for (const Field& field : experience_fields()) {
    bool own = field.name == "level" || field.name == "idempotency_key" || field.name == "at" ||
               field.name == "strategy_text";
    if (own) continue;
    values.emplace_back(&field, std::vector<std::string>{});
  }
  for (auto& [field, texts] : values) {
    Option option = arguments.option(flag_name(field->name), texts, std::string(field->help));
    option.group(for_defaults ? "Where the file does not say" : "Record").repeatable();
    option.type_name(value_name(type_of(*field))).names_a(kind_of(field->name));
    bool always = field->name == "kernel_type" || field->name == "backend" || field->name == "arch";
    if (always && !for_defaults) option.needed();
  }
}

void ExperienceFlags::apply(Experience& e, bool only_empty) const {
  for (const auto& [field, texts] : values) {
    if (!texts.empty()) std::visit(Apply{e, texts, field->name, only_empty}, field->member);
  }
}

bool ExperienceFlags::given(std::string_view name) const {
  return std::any_of(values.begin(), values.end(),
                     [&](const auto& value) { return value.first->name == name && !value.second.empty(); });
}

void expect_no_words(const std::string& command, const std::vector<std::string>& words,
                     const std::string& hint) {
  if (words.empty()) return;
  throw Error(Exit::usage, command + ": unexpected argument: " + printable(join(words, " ")), hint);
}

void FilterFlags::add_to(Arguments& arguments) {
  arguments.option("--kernel", kernel, "only this kernel type").type_name("TYPE").names_a("kernels").filled();
  arguments.option("--backend", backend, "only this backend").type_name("B").names_a("backends").filled();
  arguments.option("--arch,--chip", arch, "only this architecture").type_name("A").names_a("archs").filled();
  arguments.option("--bottleneck", bottleneck, "only this bottleneck")
      .type_name("X")
      .names_a("bottlenecks")
      .filled();
  arguments.option("--outcome", outcome, "only success, neutral or failure")
      .type_name("O")
      .names_a("outcomes")
      .filled();
  arguments.option("--strategy", strategy, "only this strategy")
      .type_name("S")
      .names_a("strategies")
      .filled();
  arguments.option("--level", level, "only this evidence level").type_name("L").names_a("levels").filled();
}

std::string FilterFlags::search_text(const std::vector<std::string>& more_words) const {
  std::string text;
  auto add = [&](const char* field, const std::string& value) {
    if (value.empty()) return;
    if (auto vocabulary = vocabulary_of(field); vocabulary && !canonical(*vocabulary, value)) {
      throw Error(Exit::usage, std::string("unknown ") + field + " '" + value + "'" +
                                   did_you_mean(value, words(*vocabulary)));
    }
    text += std::string(text.empty() ? "" : " ") + field + ":\"" + replace_all(value, "\"", "") + "\"";
  };
  add("kernel_type", kernel);
  add("backend", backend);
  add("arch", arch);
  add("bottleneck", bottleneck);
  add("outcome", outcome);
  add("strategy", strategy);
  add("level", level);
  for (const std::string& word : more_words) text += " " + word;
  return text;
}

void FormatFlags::add_to(Arguments& arguments) {
  arguments.flag("--csv", csv, "comma-separated values (RFC 4180)");
  arguments.flag("--markdown", markdown, "a Markdown table");
  arguments.flag("--jsonl", jsonl, "one JSON object a line");
}

answers::Format FormatFlags::format(const Context& context) const {
  if (csv + markdown + jsonl + context.json > 1)
    throw Error(Exit::usage, "choose one of --csv, --markdown, --json, --jsonl");
  if (csv) return answers::Format::csv;
  if (markdown) return answers::Format::markdown;
  if (jsonl) return answers::Format::jsonl;
  return context.json ? answers::Format::json : answers::Format::text;
}

}  // namespace explog::cli
