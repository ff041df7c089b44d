#include "model/tuned.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/backend.h"
#include "model/evidence.h"
#include "model/json.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

constexpr const char* tuned_key = "tuned";  // of an experience's body
const std::vector<std::pair<const char*, std::string TuningKey::*>> key_texts = {
    {"task", &TuningKey::task},     {"kernel_type", &TuningKey::kernel_type},
    {"kernel", &TuningKey::kernel}, {"source", &TuningKey::source},
    {"dtype", &TuningKey::dtype},   {"backend", &TuningKey::backend},
    {"arch", &TuningKey::arch},     {"gpu", &TuningKey::gpu},
    {"flags", &TuningKey::flags},   {"toolkit", &TuningKey::toolkit}};

Json tuned_object(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [name, value] : settings) object[name] = json_value(value);
  return object;
}

Json tuned_object(const TuningKey& key) {
  Json object = Json::object();
  for (const auto& [name, text] : key_texts) object[name] = key.*text;
  object["shape"] = Json::object();
  for (const auto& [name, value] : key.shape) object["shape"][name] = value;
  if (!key.task_hash.empty()) object["task_hash"] = key.task_hash;
  return object;
}

const Json& tuned_member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) bad(std::string("\"") + key + "\" is missing");
  return object[key];
}

std::string tuned_text(const Json& object, const char* key) {
  const Json& value = tuned_member(object, key);
  if (!value.is_string()) bad(std::string("\"") + key + "\" must be text");
  return value.get<std::string>();
}

double tuned_number(const Json& object, const char* key) {
  const Json& value = tuned_member(object, key);
  if (!value.is_number() || value.get<double>() < 0)
    bad(std::string("\"") + key + "\" must be a number of 0 or more");
  return value.get<double>();
}

bool tuned_flag(const Json& object, const char* key) {
  const Json& value = tuned_member(object, key);
  if (!value.is_boolean()) bad(std::string("\"") + key + "\" must be true or false");
  return value.get<bool>();
}

const Json& tuned_list(const Json& object, const char* key) {
  const Json& value = tuned_member(object, key);
  if (!value.is_array()) bad(std::string("\"") + key + "\" must be a list");
  return value;
}

Settings settings_in(const Json& object, const char* key) {
  const Json& values = tuned_member(object, key);
  if (!values.is_object()) bad(std::string("\"") + key + "\" must be an object");
  Settings settings;
  for (const auto& [name, value] : values.items()) {
    if (!is_name(name) || !value.is_number())
      bad(std::string("\"") + key + "\" must hold names with numbers");
    settings.emplace_back(name, value.get<double>());
  }
  return settings;
}

TuningKey key_in(const Json& object) {
  TuningKey key;
  for (const auto& [name, text] : key_texts) key.*text = tuned_text(object, name);
  if (object.contains("task_hash")) key.task_hash = tuned_text(object, "task_hash");
  const Json& shape = tuned_member(object, "shape");
  if (!shape.is_object()) bad("\"shape\" must be an object");
  for (const auto& [name, value] : shape.items()) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1)
      bad("\"shape\" must hold whole numbers from 1");
    key.shape.emplace_back(name, value.get<std::int64_t>());
  }
  return key;
}

Json failures_json(const std::vector<TuningFailure>& failures) {
  Json list = Json::array();
  for (const TuningFailure& f : failures)
    list.push_back({{"params", tuned_object(f.params)}, {"cause", f.cause}, {"line", f.line}});
  return list;
}

Json estimates_json(const std::vector<TuningEstimate>& estimates) {
  Json list = Json::array();
  for (const TuningEstimate& e : estimates)
    list.push_back({{"params", tuned_object(e.params)},
                    {"asked", tuned_object(e.asked)},
                    {"from", e.from},
                    {"estimate_ms", e.estimate_ms},
                    {"ms", e.ms}});
  return list;
}

void read_estimates(Tuned& tuned, const Json& object) {
  if (!object.contains("estimates")) return;  // there were none
  for (const Json& e : tuned_list(object, "estimates"))
    tuned.estimates.push_back({settings_in(e, "params"), settings_in(e, "asked"), tuned_text(e, "from"),
                               tuned_number(e, "estimate_ms"), tuned_number(e, "ms")});
}

void read_controls(Tuned& tuned, const Json& object) {
  if (!object.contains("controls")) return;
  if (!object["controls"].is_object()) bad("\"controls\" must be an object");
  for (const auto& [name, value] : object["controls"].items()) {
    if (!value.is_number()) bad("\"controls\" must hold numbers");
    tuned.controls.emplace_back(name, value.get<double>());
  }
}

void read_details(Tuned& tuned, const Json& object) {
  read_controls(tuned, object);
  read_estimates(tuned, object);
  for (const Json& tie : tuned_list(object, "ties")) tuned.ties.push_back(settings_in({{"tie", tie}}, "tie"));
  for (const Json& f : tuned_list(object, "failures"))
    tuned.failures.push_back({settings_in(f, "params"), tuned_text(f, "cause"), tuned_text(f, "line")});
  const Json& pruned = tuned_member(object, "pruned");
  if (!pruned.is_object()) bad("\"pruned\" must be an object");
  for (const auto& [rule, n] : pruned.items()) {
    if (!n.is_number_unsigned()) bad("\"pruned\" must hold whole numbers");
    tuned.pruned.push_back({rule, n.get<std::size_t>()});
  }
}

std::size_t tuned_count(const Json& object, const char* key) {
  double value = tuned_number(object, key);
  if (value != std::trunc(value) || value > 1e9) bad(std::string("\"") + key + "\" must be a whole number");
  return static_cast<std::size_t>(value);
}

}  // namespace

Dims bucket_of(const Dims& shape) {
  Dims bucket = shape;
  for (auto& [name, value] : bucket)
    value = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1))));
  return bucket;
}

std::string left_open(const Tuned& t) {
  if (t.complete || t.reason == "shard") return "";
  const bool all_measured = t.successes + t.failed >= t.configurations;
  return all_measured ? "the judge could not tell of the fastest" : "the search was cut short";
}

std::string to_json(const Tuned& t) {
  Json ties = Json::array(), pruned = Json::object();
  for (const Settings& tie : t.ties) ties.push_back(tuned_object(tie));
  for (const PrunedCount& p : t.pruned)
    pruned[p.rule] = p.n + (pruned.contains(p.rule) ? pruned[p.rule].get<std::size_t>() : 0);
  Json object{{"format", tuned_format},
              {"key", tuned_object(t.key)},
              {"complete", t.complete},
              {"best", {{"params", tuned_object(t.best)}, {"ms", t.best_ms}}},
              {"original", {{"params", tuned_object(t.original)}, {"ms", t.original_ms}}},
              {"original_wins", t.original_wins},
              {"faster", t.faster},
              {"lo", t.lo},
              {"hi", t.hi},
              {"reason", t.reason},
              {"ties", ties},
              {"space", t.space},
              {"search", t.search},
              {"configurations", t.configurations},
              {"successes", t.successes},
              {"failed", t.failed},
              {"failures", failures_json(t.failures)},
              {"pruned", pruned}};
  if (t.in_process) object["in_process"] = true;
  if (!t.rows.empty()) object["rows"] = t.rows;
  if (!t.estimates.empty()) object["estimates"] = estimates_json(t.estimates);
  for (const auto& [name, number] : t.controls) object["controls"][name] = json_value(number);
  return object.dump();
}

Tuned parse_tuned(std::string_view json) {
  Json object = parse_json(json);
  refuse_other_format(object, tuned_format);
  tuned_number(object, "format");
  Tuned t;
  t.key = key_in(tuned_member(object, "key"));
  t.complete = tuned_flag(object, "complete");
  t.best = settings_in(tuned_member(object, "best"), "params");
  t.best_ms = tuned_number(object["best"], "ms");
  t.original = settings_in(tuned_member(object, "original"), "params");
  t.original_ms = tuned_number(object["original"], "ms");
  t.original_wins = tuned_flag(object, "original_wins");
  t.faster = tuned_number(object, "faster");
  t.lo = tuned_number(object, "lo");
  t.hi = tuned_number(object, "hi");
  t.reason = tuned_text(object, "reason");
  t.space = tuned_text(object, "space");
  t.search = tuned_text(object, "search");
  t.configurations = tuned_count(object, "configurations");
  t.successes = tuned_count(object, "successes");
  t.failed = tuned_count(object, "failed");
  t.in_process = object.contains("in_process") && tuned_flag(object, "in_process");
  if (object.contains("rows")) t.rows = tuned_text(object, "rows");
  read_details(t, object);
  return t;
}

Experience experience_of(const Tuned& t) {
  Experience e;
  e.kernel_type = t.key.kernel_type;
  e.kernel = t.key.task + "/" + t.key.kernel;
  e.backend = recorded_backend(t.key.backend);
  if (t.key.backend != "host") e.arch = t.key.arch;
  e.gpu = t.key.gpu;
  e.dtype = t.key.dtype;
  for (const auto& [name, value] : t.key.shape) e.shape.emplace_back(name, static_cast<double>(value));
  e.strategy = "autotune";
  e.params = t.best;
  if (t.original_ms > 0) e.latency_before_ms = t.original_ms;
  if (t.best_ms > 0) e.latency_after_ms = t.best_ms;
  if (!t.original_wins && t.original_ms > 0) e.speedup = t.faster, e.speedup_lo = t.lo, e.speedup_hi = t.hi;
  e.correctness = word(t.successes > 0 ? Correctness::pass : Correctness::fail);
  e.decision = t.original_wins ? "revert" : "keep";
  e.outcome = word(t.original_wins ? Outcome::neutral : Outcome::success);
  e.level = word(Level::measured);
  if (t.in_process) e.tags.emplace_back(in_process_tag);
  e.campaign = "tune";
  e.toolkit = t.key.toolkit;
  e.source = "tune " + e.kernel;
  e.source_before = t.key.source;
  e.extra.emplace_back(tuned_key, to_json(t));
  return e;
}

std::optional<Tuned> tuned_of(const Experience& e) {
  for (const auto& [key, json] : e.extra) {
    if (key != tuned_key) continue;
    try {
      return parse_tuned(json);
    } catch (const JsonError&) {  // a later program's, or a stranger's
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace explog
