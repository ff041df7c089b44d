#include "model/sweep.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "model/json.h"
#include "model/task.h"

namespace explog {
namespace {

constexpr std::size_t most_parameters = 16, most_values = 64, most_conditions = 64, longest_condition = 1000;
constexpr double most_combinations = 1 << 20;
constexpr std::int64_t largest_value = std::int64_t{1} << 31;

const Json& member(const Json& object, const char* key) {
  auto it = object.find(key);
  if (it == object.end()) bad(std::string("\"") + key + "\" is missing");
  return *it;
}

std::int64_t value_of(const Json& value, const std::string& name) {
  if (!value.is_number_integer()) bad("parameter " + name + ": a value is no whole number");
  auto number = value.get<std::int64_t>();
  if (number < -largest_value || number > largest_value) bad("parameter " + name + ": a value beyond 2^31");
  return number;
}

Parameter parameter_of(const std::string& name, const Json& values) {
  if (!is_name(name)) bad("'" + name + "' is no name of a parameter (letters, digits and _)");
  if (!values.is_array() || values.empty() || values.size() > most_values)
    bad("parameter " + name + ": give 1 to " + std::to_string(most_values) + " values in a list");
  Parameter parameter(name);
  for (const Json& value : values) {
    std::size_t before = parameter.values.size();
    if (parameter.number_of(static_cast<double>(value_of(value, name))) != before)
      bad("parameter " + name + ": " + value.dump() + " is listed twice");
  }
  return parameter;
}

std::vector<Parameter> parameters_of(const Json& object) {
  if (!object.is_object() || object.empty() || object.size() > most_parameters)
    bad("\"parameters\" must be an object of 1 to " + std::to_string(most_parameters) + " lists");
  std::vector<Parameter> parameters;
  std::set<std::string> names;  // SQL, which evaluates the conditions, ignores case
  double combinations = 1;
  for (const auto& [name, values] : object.items()) {
    parameters.push_back(parameter_of(name, values));
    if (!names.insert(lower(name)).second) bad("two parameters are named '" + name + "'");
    combinations *= static_cast<double>(values.size());
  }
  if (combinations > most_combinations)
    bad("\"parameters\" make " + number_text(combinations) + " combinations, at most " +
        number_text(most_combinations) + " are looked at");
  return parameters;
}

std::vector<std::string> conditions_of(const Json& list) {
  if (!list.is_array() || list.size() > most_conditions)
    bad("\"where\" must be a list of at most " + std::to_string(most_conditions) + " expressions");
  std::vector<std::string> conditions;
  for (const Json& entry : list) {
    if (!entry.is_string() || trim(entry.get<std::string>()).empty()) bad("\"where\" must hold text");
    conditions.push_back(entry.get<std::string>());
    if (conditions.back().size() > longest_condition)
      bad("\"where\" holds an expression of more than " + std::to_string(longest_condition) + " bytes");
  }
  return conditions;
}

}  // namespace

Sweep parse_sweep(std::string_view json) {
  Json object = parse_json(json);
  refuse_other_format(object, sweep_format);
  check_keys(object, {"format", "file", "parameters", "where"}, "a sweep");
  if (!member(object, "format").is_number_integer()) bad("\"format\" must be a number");
  Sweep sweep;
  const Json& file = member(object, "file");
  if (!file.is_string() || file.get<std::string>().empty()) bad("\"file\" must name the kernel's source");
  sweep.file = file.get<std::string>();
  if (sweep.file.find('/') != std::string::npos) bad("\"file\" must lie beside the sweep: no folders");
  sweep.space.parameters = parameters_of(member(object, "parameters"));
  if (object.contains("where")) sweep.space.where = conditions_of(object["where"]);
  return sweep;
}

std::string to_json(const Sweep& sweep) {
  Json parameters = Json::object();
  for (const Parameter& p : sweep.space.parameters) {
    Json& values = parameters[p.name] = Json::array();
    for (const Scalar& value : p.values) values.push_back(json_value(value));
  }
  Json json = {{"format", sweep_format}, {"file", sweep.file}, {"parameters", parameters}};
  if (!sweep.space.where.empty()) json["where"] = sweep.space.where;
  return json.dump(2) + "\n";
}

std::vector<Configuration> configurations(const Sweep& sweep) {
  return configurations(sweep.space, "sweep of " + printable(sweep.file));
}

}  // namespace explog
