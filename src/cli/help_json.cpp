#include "cli/help_json.h"

#include <span>

#include "answers/answer.h"
#include "cli/examples.h"
#include "cli/glossary.h"
#include "cli/program_facts.h"

namespace explog::cli {
namespace {

// `kind`: a list that `completion --values` prints.
void write_option(JsonWriter& json, const OptionInfo& option) {
  json.begin_object();
  json.field("names", option.names);
  json.field("value", option.value);
  json.field("help", option.help);
  json.field("required", option.required);
  json.field("many", option.many);
  if (!option.fallback.empty()) json.field("default", option.fallback);
  if (!option.words.empty()) json.field("words", option.words);
  if (!option.kind.empty()) json.field("kind", option.kind);
  json.end_object();
}

// Those with a name, or those that are known by their place.
void write_options(JsonWriter& json, const char* key, const std::vector<OptionInfo>& options, bool named) {
  json.key(key);
  json.begin_array();
  for (const OptionInfo& option : options) {
    if (option.names.empty() != named) write_option(json, option);
  }
  json.end_array();
}

void write_command(JsonWriter& json, const Command& command) {
  json.field("command", command.name);
  json.field("form", command.form);
  json.field("summary", command.summary);
}

void write_facts(JsonWriter& json, const char* key, std::span<const Fact> facts) {
  json.key(key);
  json.begin_object();
  for (const Fact& fact : facts) json.field(fact.name, fact.meaning);
  json.end_object();
}

}  // namespace

std::string overview_json() {
  JsonWriter json;
  answers::begin_answer(json);
  json.key("commands");
  json.begin_array();
  for (const Command& command : commands()) {
    json.begin_object();
    write_command(json, command);
    json.end_object();
  }
  json.end_array();
  write_options(json, "options", global_options(), true);
  write_facts(json, "environment", variables());
  write_facts(json, "exit_codes", exit_codes());
  json.end_object();
  return json.take();
}

std::string command_json(const Command& command, const Arguments& arguments) {
  JsonWriter json;
  answers::begin_answer(json);
  write_command(json, command);
  std::vector<OptionInfo> options = arguments.options();
  std::erase_if(options, [](const OptionInfo& option) { return option.group == global_group; });
  write_options(json, "arguments", options, false);
  write_options(json, "options", options, true);
  json.key("examples");
  json.begin_array();
  for (std::string_view example : examples_of(command.name)) json.text(example);
  json.end_array();
  json.end_object();
  return json.take();
}

std::string glossary_json() {
  JsonWriter json;
  answers::begin_answer(json);
  json.key("words");
  json.begin_object();
  for (const Word& word : glossary()) json.field(word.word, word.meaning);
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace explog::cli
