#include "campaign/contract.h"

#include <array>
#include <nlohmann/json.hpp>

#include "model/json.h"

namespace explog::campaign {
namespace {

constexpr std::array<std::string_view, 3> rule_words = {"seed", "strict", "explore"};

constexpr std::array<std::pair<const char*, std::string Contract::*>, 5> optional_texts = {
    {{"before", &Contract::before},
     {"after", &Contract::after},
     {"lock_clocks", &Contract::lock_clocks},
     {"reference", &Contract::reference},
     {"commit", &Contract::commit}}};

std::string text_at(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_string()) bad(std::string(key) + ": expected text");
  return object[key].get<std::string>();
}

double number_at(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_number()) bad(std::string(key) + ": expected a number");
  return object[key].get<double>();
}

const Json& object_at(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_object()) bad(std::string(key) + ": expected an object");
  return object[key];
}

Limits limits_in(const Json& object) {
  Limits limits;
  limits.max_versions = static_cast<int>(number_at(object, "max_versions"));
  limits.minutes = number_at(object, "minutes");
  limits.shape_s = number_at(object, "shape_s");
  limits.budget_s = number_at(object, "budget_s");
  limits.no_gain = static_cast<int>(number_at(object, "no_gain"));
  limits.noise = number_at(object, "noise");
  return limits;
}

void write(JsonWriter& json, const Limits& limits) {
  json.begin_object();
  json.field("max_versions", limits.max_versions);
  json.field("minutes", limits.minutes);
  json.field("shape_s", limits.shape_s);
  json.field("budget_s", limits.budget_s);
  json.field("no_gain", limits.no_gain);
  json.field("noise", limits.noise);
  json.end_object();
}

}  // namespace

std::string_view word(Rules rules) { return rule_words[static_cast<std::size_t>(rules)]; }

std::vector<std::string> rule_names() { return {rule_words.begin(), rule_words.end()}; }

Rules rules_named(const std::string& text) {
  for (std::size_t i = 0; i < rule_words.size(); ++i) {
    if (rule_words[i] == text) return static_cast<Rules>(i);
  }
  bad("rules: '" + text + "' is none of seed, strict, explore");
}

std::string to_json(const Contract& c) {
  JsonWriter json;
  json.begin_object();
  json.field("format", campaign_format);
  json.field("id", c.id);
  json.key("task");
  json.begin_object();
  json.field("name", c.task), json.field("hash", c.task_hash);
  json.end_object();
  json.field("kernel_type", c.kernel_type);
  json.field("backend", c.backend), json.field("arch", c.arch), json.field("dtype", c.dtype);
  json.key("baseline");
  json.begin_object();
  json.field("file", c.baseline.file), json.field("hash", c.baseline.hash);
  json.end_object();
  json.field("compiler_flags", c.compiler_flags);
  if (c.allow_in_process) json.field("allow_in_process", true);
  if (c.external.given()) {
    json.key("external");
    json.begin_object();
    json.field("measure", c.external.measure), json.field("check", c.external.check);
    json.field("folder", c.external.folder);
    json.end_object();
  }
  for (const auto& [name, member] : optional_texts) {
    if (!(c.*member).empty()) json.field(name, c.*member);
  }
  json.field("rules", word(c.rules));
  json.key("limits");
  write(json, c.limits);
  json.field("explog", c.explog);
  json.field("created", c.created);
  json.end_object();
  return json.take() + "\n";
}

Contract parse_contract(std::string_view text) {
  Json json = parse_json(text);
  if (!json.is_object()) bad("expected an object");
  refuse_other_format(json, campaign_format);
  Contract c;
  c.id = text_at(json, "id");
  const Json& task = object_at(json, "task");
  c.task = text_at(task, "name"), c.task_hash = text_at(task, "hash");
  c.kernel_type = text_at(json, "kernel_type");
  c.backend = text_at(json, "backend"), c.arch = text_at(json, "arch"), c.dtype = text_at(json, "dtype");
  const Json& baseline = object_at(json, "baseline");
  c.baseline = {text_at(baseline, "file"), text_at(baseline, "hash")};
  if (!json.contains("compiler_flags") || !json["compiler_flags"].is_array())
    bad("compiler_flags: expected a list");
  for (const Json& flag : json["compiler_flags"]) {
    if (!flag.is_string()) bad("compiler_flags: expected text");
    c.compiler_flags.push_back(flag.get<std::string>());
  }
  if (json.contains("allow_in_process")) {
    if (!json["allow_in_process"].is_boolean()) bad("allow_in_process: expected true or false");
    c.allow_in_process = json["allow_in_process"].get<bool>();
  }
  if (json.contains("external")) {
    const Json& external = object_at(json, "external");
    c.external = {text_at(external, "measure"), text_at(external, "check"), text_at(external, "folder")};
  }
  for (const auto& [name, member] : optional_texts) {
    if (json.contains(name)) c.*member = text_at(json, name);
  }
  c.rules = rules_named(text_at(json, "rules"));
  c.limits = limits_in(object_at(json, "limits"));
  c.explog = text_at(json, "explog"), c.created = text_at(json, "created");
  return c;
}

}  // namespace explog::campaign
