#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "mcp/tool.h"

namespace explog::mcp {
namespace {

bool all_are(const Json& values, bool (*fits)(const Json&)) {
  return std::all_of(values.begin(), values.end(), fits);
}

// What the value should have been; "" where it is that.
std::string wrong_kind(const Json& value, const Parameter& p) {
  switch (p.kind) {
    case Kind::text:
      return value.is_string() ? "" : "a string";
    case Kind::whole:
      return value.is_number() && std::trunc(value.get<double>()) == value.get<double>() ? ""
                                                                                         : "a whole number";
    case Kind::number:
      return value.is_number() ? "" : "a number";
    case Kind::yes_no:
      return value.is_boolean() ? "" : "true or false";
    case Kind::numbers:
      return value.is_object() && all_are(value, [](const Json& v) { return v.is_number(); })
                 ? ""
                 : "an object of numbers";
    case Kind::scalars:
      return value.is_object() && all_are(value, [](const Json& v) { return v.is_primitive(); })
                 ? ""
                 : "an object of strings, numbers and booleans";
    case Kind::texts:
      return value.is_array() && value.size() <= 16 &&
                     all_are(value, [](const Json& v) { return v.is_string(); })
                 ? ""
                 : "a list of at most 16 strings";
  }
  return "";
}

std::string out_of_bounds(const Json& value, const Parameter& p) {
  if (p.kind == Kind::text) {
    const auto& text = value.get_ref<const std::string&>();
    std::size_t most = p.most > 0 ? static_cast<std::size_t>(p.most) : 4000;
    if (text.size() > most) return "at most " + std::to_string(most) + " bytes";
    if (p.words == nullptr) return "";
    auto words = p.words();
    return std::find(words.begin(), words.end(), text) != words.end() ? "" : "one of " + join(words, ", ");
  }
  if (p.kind != Kind::whole && p.kind != Kind::number) return "";
  double number = value.get<double>();
  if (number < p.least) return "at least " + number_text(p.least);
  return p.most > p.least && number > p.most ? "at most " + number_text(p.most) : "";
}

}  // namespace

std::string misfit(const Json& arguments, std::span<const Parameter> parameters) {
  std::vector<std::string> names;
  for (const Parameter& p : parameters) {
    names.emplace_back(p.name);
    auto given = arguments.find(p.name);
    if (given == arguments.end()) {
      if (p.required) return std::string(p.name) + " is missing: " + std::string(p.help);
      continue;
    }
    std::string wanted = wrong_kind(*given, p);
    if (wanted.empty()) wanted = out_of_bounds(*given, p);
    if (!wanted.empty()) return std::string(p.name) + " must be " + wanted;
  }
  for (const auto& [name, value] : arguments.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return "no parameter '" + printable(name) + "'" + did_you_mean(name, names) + "; there are " +
             join(names, ", ");
  }
  return "";
}

std::string text_of(const Json& arguments, const char* name, const std::string& otherwise) {
  auto given = arguments.find(name);
  return given == arguments.end() ? otherwise : given->get<std::string>();
}

double number_of(const Json& arguments, const char* name, double otherwise) {
  auto given = arguments.find(name);
  return given == arguments.end() ? otherwise : given->get<double>();
}

bool is_set(const Json& arguments, const char* name) {
  auto given = arguments.find(name);
  return given != arguments.end() && given->get<bool>();
}

}  // namespace explog::mcp
