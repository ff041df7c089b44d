#include "model/t1_space.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/python_expression.h"

namespace explog {
namespace {

std::string text_at(const Json& object, const std::string& key, const std::string& where) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string())
    bad(where + " lacks \"" + key + "\" as text");
  return object[key].get<std::string>();
}

// What `body` refuses is said of `where`.
template <class Body>
auto at_place(const std::string& where, const Body& body) {
  try {
    return body();
  } catch (const JsonError& e) {
    bad(where + ": " + e.what());
  }
}

Json values_of(const Json& parameter, const std::string& name) {
  std::string type = text_at(parameter, "Type", "parameter " + name);
  if (type == "string") bad("parameter " + name + " is text; knobs are whole numbers");
  std::string written = text_at(parameter, "Values", "parameter " + name);
  return at_place("parameter " + name, [&] {
    Json values = Json::array();
    for (double value : python_list(parse_python(written))) {
      if (std::trunc(value) != value) bad("a value is no whole number");
      values.push_back(static_cast<std::int64_t>(value));
    }
    return values;
  });
}

std::optional<std::string> threads_of(const Json& document, const std::vector<std::string>& names) {
  const Json& kernel = document["KernelSpecification"];
  if (!kernel.is_object() || !kernel.contains("LocalSize") || !kernel["LocalSize"].is_object())
    return std::nullopt;
  std::string product;
  for (const auto& [axis, size] : kernel["LocalSize"].items()) {
    std::string written = size.is_string() ? size.get<std::string>() : size.dump();
    try {
      product += (product.empty() ? "" : " * ") + python_as_sql(parse_python(written), names);
    } catch (const JsonError&) {
      return std::nullopt;  // of a launch that is not made of the parameters nothing is known
    }
  }
  return product.empty() ? std::nullopt : std::optional(product);
}

}  // namespace

bool is_t1(const Json& document) { return document.is_object() && document.contains("ConfigurationSpace"); }

Json space_of_t1(const Json& document) {
  const Json& given = document["ConfigurationSpace"];
  if (!given.is_object() || !given.contains("TuningParameters") || !given["TuningParameters"].is_array())
    bad("\"ConfigurationSpace\" has no list \"TuningParameters\"");
  Json space = {{"format", 1}, {"parameters", Json::object()}, {"where", Json::array()}};
  Json original = Json::object();
  std::vector<std::string> names;
  for (const Json& parameter : given["TuningParameters"]) {
    std::string name = text_at(parameter, "Name", "a parameter");
    if (space["parameters"].contains(name)) bad("parameter " + name + " is declared twice");
    Json values = values_of(parameter, name);
    Json usual = parameter.value("Default", Json());
    if (std::find(values.begin(), values.end(), usual) != values.end()) original[name] = usual;
    space["parameters"][name] = std::move(values);
    names.push_back(name);
  }
  const Json conditions = given.value("Conditions", Json::array());
  if (!conditions.is_array()) bad("\"Conditions\" is no list");
  for (const Json& condition : conditions) {
    std::string written = text_at(condition, "Expression", "a condition");
    space["where"].push_back(
        at_place("condition '" + written + "'", [&] { return python_as_sql(parse_python(written), names); }));
  }
  if (space["where"].empty()) space.erase("where");
  if (!original.empty()) space["original"] = std::move(original);
  if (document.contains("KernelSpecification")) {
    if (auto threads = threads_of(document, names)) space["threads"] = *threads;
  }
  return space;
}

}  // namespace explog
