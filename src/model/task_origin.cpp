#include "model/task_origin.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace explog {
namespace {

constexpr std::size_t most_workloads = 64;

std::string origin_text(const Json& json, const char* key, const std::string& where) {
  auto it = json.find(key);
  if (it == json.end() || !it->is_string() || it->get_ref<const std::string&>().empty())
    bad(where + ": \"" + key + "\" must be text");
  return it->get<std::string>();
}

double bound_in(const Json& json, const char* key, const std::string& where, double fallback) {
  auto it = json.find(key);
  if (it == json.end()) return fallback;
  if (!it->is_number() || it->get<double>() < 0)
    bad(where + ": \"" + key + "\" must be a number that is not negative");
  return it->get<double>();
}

}  // namespace

TaskOrigin origin_in(const Json& json, const std::string& where) {
  check_keys(json, {"format", "definition", "workloads"}, where);
  TaskOrigin origin{origin_text(json, "format", where), origin_text(json, "definition", where), {}};
  auto it = json.find("workloads");
  if (it == json.end()) return origin;
  if (!it->is_array() || it->size() > most_workloads)
    bad(where + ": \"workloads\" must be a list of at most " + std::to_string(most_workloads));
  for (const Json& workload : *it) {
    if (!workload.is_object()) bad(where + ": each of \"workloads\" must be an object");
    origin.workloads.push_back(workload.dump());
  }
  return origin;
}

Json origin_json(const TaskOrigin& origin) {
  Json json = {{"format", origin.format}, {"definition", origin.definition}};
  if (origin.workloads.empty()) return json;
  json["workloads"] = Json::array();
  for (const std::string& workload : origin.workloads) json["workloads"].push_back(parse_json(workload));
  return json;
}

ForeignTolerance tolerance_in(const Json& json, const std::string& where) {
  check_keys(json, {"max_atol", "max_rtol", "required_matched_ratio", "max_error_cap"}, where);
  ForeignTolerance t;
  t.max_atol = bound_in(json, "max_atol", where, t.max_atol);
  t.max_rtol = bound_in(json, "max_rtol", where, t.max_rtol);
  t.required_matched_ratio = bound_in(json, "required_matched_ratio", where, t.required_matched_ratio);
  if (t.required_matched_ratio > 1) bad(where + ": \"required_matched_ratio\" must be at most 1");
  auto cap = json.find("max_error_cap");
  if (cap != json.end() && !cap->is_null()) t.max_error_cap = bound_in(json, "max_error_cap", where, 0);
  return t;
}

Json tolerance_json(const ForeignTolerance& t) {
  Json json = {{"max_atol", t.max_atol},
               {"max_rtol", t.max_rtol},
               {"required_matched_ratio", t.required_matched_ratio}};
  if (t.max_error_cap) json["max_error_cap"] = *t.max_error_cap;
  return json;
}

ForeignTolerance strictest(const ForeignTolerance& a, const ForeignTolerance& b) {
  ForeignTolerance t{std::min(a.max_atol, b.max_atol), std::min(a.max_rtol, b.max_rtol),
                     std::max(a.required_matched_ratio, b.required_matched_ratio), a.max_error_cap};
  if (b.max_error_cap)
    t.max_error_cap = std::min(a.max_error_cap.value_or(*b.max_error_cap), *b.max_error_cap);
  return t;
}

}  // namespace explog
