#include "model/task.h"

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/backend.h"
#include "model/json.h"

namespace explog {
namespace {

struct DtypeRow {
  std::string_view name;
  size_t bytes;
  int significand;
};
constexpr std::array<DtypeRow, 7> dtypes = {{{"f32", 4, 24},
                                             {"f64", 8, 53},
                                             {"f16", 2, 11},
                                             {"bf16", 2, 8},
                                             {"i32", 4, 0},
                                             {"i64", 8, 0},
                                             {"u8", 1, 0}}};
constexpr std::array<std::string_view, 5> roles = {"in", "out", "inout", "scalar", "workspace"};

const std::vector<std::string>& words(const std::string& field) {
  static const std::vector<std::string> precisions = {"f64", "f32", "tf32", "f16", "bf16"};
  static const std::vector<std::string> units = {"fp64", "fp32", "tf32", "f16", "bf16"};
  static const std::vector<std::string> backends = backend_names();
  return field == "intermediate" ? precisions : field == "unit" ? units : backends;
}

// Text, or a number where an expression is meant; `fallback` nullptr makes the key required.
std::string text(const Json& object, const char* key, const std::string& where,
                 const char* fallback = nullptr) {
  auto it = object.find(key);
  if (it == object.end()) {
    if (!fallback) bad(where + ": \"" + key + "\" is missing");
    return fallback;
  }
  if (it->is_number()) return number_text(it->get<double>());
  if (!it->is_string()) bad(where + ": \"" + key + "\" must be text");
  return it->get<std::string>();
}

bool flag(const Json& object, const char* key, bool fallback) {
  auto it = object.find(key);
  if (it == object.end()) return fallback;
  if (!it->is_boolean()) bad(std::string("\"") + key + "\" must be true or false");
  return it->get<bool>();
}

std::vector<std::string> texts(const Json& object, const char* key, const std::string& where) {
  std::vector<std::string> result;
  auto it = object.find(key);
  if (it == object.end()) return result;
  if (!it->is_array()) bad(where + ": \"" + key + "\" must be a list");
  for (const Json& entry : *it) {
    if (entry.is_number())
      result.push_back(number_text(entry.get<double>()));
    else if (entry.is_string())
      result.push_back(entry.get<std::string>());
    else
      bad(where + ": \"" + key + "\" must hold text or numbers");
  }
  return result;
}

void check_name(const std::string& name, const std::string& where) {
  if (!is_name(name)) bad(where + ": '" + name + "' is no name (letters, digits and _)");
}

void check_word(const std::string& word, const std::vector<std::string>& known, const std::string& where) {
  if (std::find(known.begin(), known.end(), word) == known.end())
    bad(where + ": unknown '" + word + "'" + did_you_mean(word, known));
}

Dims dims_of(const Json& object, const std::vector<std::string>& names, const std::string& where) {
  check_keys(object, names, where);
  Dims dims;
  for (const std::string& name : names) {
    auto it = object.find(name);
    if (it == object.end()) bad(where + ": " + name + " is missing");
    if (!it->is_number_integer() || it->get<std::int64_t>() < 1)
      bad(where + ": " + name + " must be 1 or more");
    dims.emplace_back(name, it->get<std::int64_t>());
  }
  return dims;
}

std::vector<Dims> shapes_of(const Json& object, const char* key, const Task& task, const std::string& where) {
  std::vector<Dims> shapes;
  auto it = object.find(key);
  if (it == object.end()) return shapes;
  if (!it->is_array()) bad(where + ": \"" + key + "\" must be a list");
  for (size_t i = 0; i < it->size(); ++i)
    shapes.push_back(dims_of((*it)[i], task.dims, where + "." + key + "[" + std::to_string(i) + "]"));
  return shapes;
}

Argument argument_of(const Json& object, const std::string& where) {
  check_keys(object, {"name", "dtype", "role", "shape", "value", "fill", "scale"}, where);
  Argument a;
  a.name = text(object, "name", where);
  check_name(a.name, where);
  std::string dtype = text(object, "dtype", where), role = text(object, "role", where);
  auto known = parse_dtype(dtype);
  if (!known) bad(where + ": unknown dtype '" + dtype + "' (f32 f64 f16 bf16 i32 i64 u8)");
  a.dtype = *known;
  auto at = std::find(roles.begin(), roles.end(), role);
  if (at == roles.end()) bad(where + ": unknown role '" + role + "' (in out inout scalar workspace)");
  a.role = static_cast<Role>(at - roles.begin());
  a.shape = texts(object, "shape", where);
  a.value = text(object, "value", where, "");
  a.fill = text(object, "fill", where, "");
  a.scale = text(object, "scale", where, "1");
  if (!a.fill.empty()) check_word(a.fill, known_distributions(), where);
  if (a.role == Role::scalar && a.value.empty()) bad(where + ": a scalar needs \"value\"");
  if (a.role != Role::scalar && a.shape.empty()) bad(where + ": \"shape\" is missing");
  return a;
}

std::vector<double> weights_of(const Json& list, std::size_t shapes, const std::string& where) {
  auto is_weight = [](const Json& w) { return w.is_number() && w.get<double>() > 0; };
  if (!list.is_array() || list.size() != shapes || !std::all_of(list.begin(), list.end(), is_weight))
    bad(where + ": \"weights\" must hold a number above 0 for each timed shape, in their order");
  return list.get<std::vector<double>>();
}

TaskBackend backend_of(const Json& object, const Task& task, const std::string& where) {
  check_keys(object, {"name", "baseline", "timed", "weights"}, where);
  TaskBackend b;
  b.name = text(object, "name", where);
  check_word(b.name, words("backends"), where);
  b.baseline = text(object, "baseline", where);
  b.timed = shapes_of(object, "timed", task, where);
  if (b.timed.empty()) bad(where + ": \"timed\" holds no shape, so there is nothing to judge");
  if (object.contains("weights")) b.weights = weights_of(object["weights"], b.timed.size(), where);
  return b;
}

Json optional_list(const Json& json, const char* key) {
  auto it = json.find(key);
  if (it == json.end()) return Json::array();
  if (!it->is_array()) bad(std::string("task: \"") + key + "\" must be a list");
  return *it;
}

void read_given(const Json& json, Task& task) {
  Json entries = optional_list(json, "data");
  if (json.contains("data") && json["format"] == first_task_format) bad("\"data\" needs \"format\": 2");
  for (size_t i = 0; i < entries.size(); ++i) {
    std::string where = "data[" + std::to_string(i) + "]";
    check_keys(entries[i], {"shape", "inputs"}, where);
    if (!entries[i].contains("shape") || !entries[i].contains("inputs"))
      bad(where + ": \"shape\" and \"inputs\" must be there");
    task.given.push_back({dims_of(entries[i]["shape"], task.dims, where + ".shape"),
                          given_inputs(entries[i]["inputs"], task, where)});
  }
}

void read_lists(const Json& json, Task& task) {
  Json arguments = optional_list(json, "arguments"), backends = optional_list(json, "backends");
  for (size_t i = 0; i < arguments.size(); ++i)
    task.arguments.push_back(argument_of(arguments[i], "arguments[" + std::to_string(i) + "]"));
  for (size_t i = 0; i < backends.size(); ++i) {
    std::string where = "backends[" + std::to_string(i) + "]";
    task.backends.push_back(backend_of(backends[i], task, where));
    if (!task.backends.back().weights.empty() && json["format"] < weighted_task_format)
      bad(where + ": \"weights\" needs \"format\": 3");
  }
  task.hidden = shapes_of(json, "hidden", task, "task");
  read_given(json, task);
  task.distributions = texts(json, "distributions", "task");
  task.exact = texts(json, "exact", "task");
  for (const std::string& name : task.distributions)
    check_word(name, known_distributions(), "\"distributions\"");
  for (const std::string& name : task.exact) check_word(name, task.distributions, "\"exact\"");
}

void check_unique(std::vector<std::string> names, const std::string& what) {
  std::sort(names.begin(), names.end());
  if (auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    bad("two " + what + " are named '" + *twice + "'");
}

void check_whole(const Task& task) {
  if (std::none_of(task.arguments.begin(), task.arguments.end(),
                   [](const Argument& a) { return a.is_output(); }))
    bad("no argument is an output, so there is nothing to compare");
  if (task.backends.empty()) bad("\"backends\" is empty: name a baseline and the shapes to time");
  if (task.distributions.empty()) bad("\"distributions\" is empty: name at least normal");
  std::vector<std::string> arguments, backends, dims;
  for (const Argument& a : task.arguments) arguments.push_back(a.name);
  for (const TaskBackend& b : task.backends) backends.push_back(b.name);
  for (const std::string& dim : task.dims)
    dims.push_back(lower(dim));  // SQL, which evaluates them, ignores case
  check_unique(std::move(arguments), "arguments");
  check_unique(std::move(backends), "backends");
  check_unique(std::move(dims), "dimensions");
}

}  // namespace

std::optional<Dtype> parse_dtype(std::string_view name) {
  for (size_t i = 0; i < dtypes.size(); ++i) {
    if (dtypes[i].name == name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}
std::string_view dtype_name(Dtype dtype) { return dtypes[static_cast<size_t>(dtype)].name; }
size_t dtype_bytes(Dtype dtype) { return dtypes[static_cast<size_t>(dtype)].bytes; }
int significand_bits(Dtype dtype) { return dtypes[static_cast<size_t>(dtype)].significand; }
std::string_view role_name(Role role) { return roles[static_cast<size_t>(role)]; }

const std::vector<std::string>& known_distributions() {
  static const std::vector<std::string> names = {"normal", "positive", "mixed", "large", "offset",
                                                 "sparse", "integers", "index", "unit",  "equal"};
  return names;
}

std::string dims_text(const Dims& dims) {
  std::string text;
  for (const auto& [name, value] : dims)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text;
}

double volume(const Dims& dims) {
  double product = 1;
  for (const auto& [name, value] : dims) product *= static_cast<double>(value);
  return product;
}

bool is_name(const std::string& text) {
  static const RE2 form("[A-Za-z_][A-Za-z0-9_]{0,63}");
  return RE2::FullMatch(text, form);
}

const TaskBackend* Task::backend(std::string_view backend_name) const {
  for (const TaskBackend& b : backends) {
    if (b.name == backend_name) return &b;
  }
  std::string shared = stands_on(backend_name);
  return shared.empty() ? nullptr : backend(shared);
}

double TaskBackend::weight_of(const Dims& dims) const {
  auto at = std::find(timed.begin(), timed.end(), dims);
  return weights.empty() || at == timed.end() ? 1 : weights[static_cast<std::size_t>(at - timed.begin())];
}

const Argument* Task::argument(std::string_view argument_name) const {
  for (const Argument& a : arguments) {
    if (a.name == argument_name) return &a;
  }
  return nullptr;
}

const GivenShape* Task::given_at(const Dims& dims) const {
  auto at = std::find_if(given.begin(), given.end(), [&](const GivenShape& g) { return g.dims == dims; });
  return at != given.end() ? &*at : nullptr;
}

Task parse_task(std::string_view source) {
  Json json = parse_json(source);
  refuse_other_format(json, first_task_format, task_format);
  check_keys(json, {"format",   "name",   "title",         "kernel_type", "dims",         "arguments",
                    "backends", "hidden", "distributions", "exact",       "intermediate", "reduction",
                    "rows",     "flops",  "bytes",         "unit",        "reference",    "deterministic",
                    "loose",    "limits", "imported_from", "tolerance",   "data",         "torch"},
             "task");
  if (!json.contains("format") || !json["format"].is_number_integer()) bad("\"format\" is missing");
  Task task;
  task.name = text(json, "name", "task");
  check_name(task.name, "task");
  task.title = text(json, "title", "task", "");
  task.kernel_type = text(json, "kernel_type", "task");
  task.dims = texts(json, "dims", "task");
  for (const std::string& name : task.dims) check_name(name, "\"dims\"");
  task.intermediate = text(json, "intermediate", "task", "f32");
  check_word(task.intermediate, words("intermediate"), "\"intermediate\"");
  task.unit = text(json, "unit", "task", "fp32");
  check_word(task.unit, words("unit"), "\"unit\"");
  task.reduction = text(json, "reduction", "task", "1");
  task.rows = text(json, "rows", "task", "1");
  task.flops = text(json, "flops", "task", "0");
  task.bytes = text(json, "bytes", "task", "0");
  task.reference = text(json, "reference", "task");
  task.torch = text(json, "torch", "task", "");
  if (!task.torch.empty() && !task.torch.ends_with(".py")) bad("\"torch\" must name a Python file (.py)");
  task.deterministic = flag(json, "deterministic", true);
  task.loose = flag(json, "loose", false);
  if (json.contains("limits")) task.limits = texts(json, "limits", "task");
  if (json.contains("imported_from"))
    task.imported_from = origin_in(json["imported_from"], "\"imported_from\"");
  if (json.contains("tolerance")) task.tolerance = tolerance_in(json["tolerance"], "\"tolerance\"");
  read_lists(json, task);
  check_whole(task);
  return task;
}

}  // namespace explog
