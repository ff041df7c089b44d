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
        throw Error(Exit::usage, flag + ": '" + printable(entry) + "' is not of the form name=value");
      }
      std::string name(trim(entry.substr(0, at)));
      bool twice =
          std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == name; });
      if (twice) throw Error(Exit::usage, flag + ": '" + printable(name) + "' is given twice");
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
    throw Error(Exit::usage, "--" + replace_all(std::string(field), "_", "-") + ": '" + printable(text) +
                                 "' is not a number");
  return *value;
}

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

}  // namespace

CLI::Validator zero_or_more() {
  auto check = [](std::string& text) {
    auto value = parse_number(text);
    return value && *value >= 0 ? std::string() : "'" + printable(text) + "' is not a number of 0 or more";
  };
  return {check, "", "zero_or_more"};
}

std::string arch_named(const std::string& text) {
  auto arch = canonical_arch(text);
  if (arch) return *arch;
  throw Error(Exit::usage, "--arch: unknown '" + printable(text) + "'" + did_you_mean(text, known_archs()),
              "for example sm_90");
}

Facts parse_facts(const std::vector<std::string>& texts, const std::string& flag) {
  Facts facts;
  for (const auto& [name, text] : parse_pairs(texts, flag)) {
    auto value = parse_number(text);
    if (!value)
      throw Error(Exit::usage,
                  flag + ": " + printable(name) + " must be a number, got '" + printable(text) + "'");
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

void ExperienceFlags::add_to(CLI::App& app, bool for_defaults) {
  for (const Field& field : experience_fields()) {
    bool own = field.name == "level" || field.name == "idempotency_key" || field.name == "at";
    if (own) continue;
    values.emplace_back(&field, std::vector<std::string>{});
  }
  for (auto& [field, texts] : values) {
    auto* option = app.add_option(flag_name(field->name), texts, std::string(field->help));
    option->group(for_defaults ? "Where the file does not say" : "Record")->expected(1)->take_all();
    bool pairs = field->member.index() == 2 || field->member.index() == 3;
    option->type_name(field->member.index() == 1   ? "NUMBER"
                      : pairs                      ? "NAME=VALUE,..."
                      : field->member.index() == 4 ? "A,B,..."
                                                   : "TEXT");
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

void FilterFlags::add_to(CLI::App& app) {
  app.add_option("--kernel", kernel, "only this kernel type")->type_name("TYPE");
  app.add_option("--backend", backend, "only this backend")->type_name("B");
  app.add_option("--arch,--chip", arch, "only this architecture")->type_name("A");
  app.add_option("--bottleneck", bottleneck, "only this bottleneck")->type_name("X");
  app.add_option("--outcome", outcome, "only success, neutral or failure")->type_name("O");
  app.add_option("--strategy", strategy, "only this strategy")->type_name("S");
  app.add_option("--level", level, "only this evidence level")->type_name("L");
}

std::string FilterFlags::search_text() const {
  std::string text;
  auto add = [&](const char* field, const std::string& value) {
    if (value.empty()) return;
    if (auto vocabulary = vocabulary_of(field); vocabulary && !canonical(*vocabulary, value)) {
      throw Error(Exit::usage, std::string("unknown ") + field + " '" + printable(value) + "'" +
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
  return text;
}

}  // namespace explog::cli
