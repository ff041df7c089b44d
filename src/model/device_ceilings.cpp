#include "model/device_ceilings.h"

#include <nlohmann/json.hpp>

#include "model/json.h"

namespace explog {
namespace {

std::string text_field(const Json& j, const char* name) {
  if (!j.contains(name)) return "";
  if (!j[name].is_string()) throw JsonError(std::string(name) + ": expected text");
  return j[name].get<std::string>();
}

double number_field(const Json& j, const char* name) {
  if (!j.contains(name)) return 0;
  if (!j[name].is_number()) throw JsonError(std::string(name) + ": expected a number");
  return j[name].get<double>();
}

}  // namespace

double DeviceCeilings::rate(std::string_view name) const {
  for (const auto& [key, value] : rates) {
    if (key == name) return value;
  }
  return 0;
}

std::string to_json(const DeviceCeilings& c) {
  JsonWriter json;
  json.begin_object();
  json.field("gpu", c.gpu);
  json.field("arch", c.arch);
  json.field("driver_cuda", c.driver);
  json.field("toolkit", c.toolkit);
  json.field("multiprocessors", c.multiprocessors);
  json.field("sm_mhz", c.sm_mhz);
  json.key("ceilings");
  json.begin_object();
  for (const auto& [name, value] : c.rates) json.field(name, value);
  json.end_object();
  json.key("how");
  json.begin_object();
  for (const auto& [name, text] : c.how) json.field(name, text);
  json.end_object();
  json.end_object();
  return json.take();
}

DeviceCeilings parse_device_ceilings(std::string_view text) {
  Json j = parse_json(text);
  if (!j.is_object()) throw JsonError("expected an object");
  DeviceCeilings c;
  c.gpu = text_field(j, "gpu");
  c.arch = text_field(j, "arch");
  c.driver = text_field(j, "driver_cuda");
  c.toolkit = text_field(j, "toolkit");
  double multiprocessors = number_field(j, "multiprocessors");
  if (multiprocessors < 0 || multiprocessors > 1e6) throw JsonError("multiprocessors: expected a count");
  c.multiprocessors = static_cast<int>(multiprocessors);
  c.sm_mhz = number_field(j, "sm_mhz");
  if (!j.contains("ceilings") || !j["ceilings"].is_object()) throw JsonError("ceilings: expected an object");
  for (const auto& [name, value] : j["ceilings"].items()) {
    if (!value.is_number() || value.get<double>() <= 0)
      throw JsonError("ceilings." + name + ": expected a number above 0");
    c.rates.emplace_back(name, value.get<double>());
  }
  if (j.contains("how") && j["how"].is_object()) {
    for (const auto& [name, value] : j["how"].items()) {
      if (value.is_string()) c.how.emplace_back(name, value.get<std::string>());
    }
  }
  return c;
}

}  // namespace explog
