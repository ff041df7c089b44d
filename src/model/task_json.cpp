// A task as its task.json: what people finish by hand.
#include <nlohmann/json.hpp>

#include "model/json.h"
#include "model/task.h"

namespace explog {
namespace {

// On one line, with blanks as people set them.
std::string one_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items())
    text += (text.empty() ? "" : ", ") + (json.is_object() ? Json(key).dump() + ": " : "") + one_line(value);
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// A line for each member, and for each entry of a list of objects: what people finish by hand.
std::string readable(const Json& json) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "  " : ",\n  ") + Json(key).dump() + ": ";
    if (!value.is_array() || value.empty() || !value[0].is_object()) {
      text += one_line(value);
      continue;
    }
    std::string entries;
    for (const Json& entry : value) entries += (entries.empty() ? "    " : ",\n    ") + one_line(entry);
    text += "[\n" + entries + "\n  ]";
  }
  return "{\n" + text + "\n}";
}

Json dims_json(const Dims& dims) {
  Json object = Json::object();
  for (const auto& [name, value] : dims) object[name] = value;
  return object;
}

Json shapes_json(const std::vector<Dims>& shapes) {
  Json list = Json::array();
  for (const Dims& dims : shapes) list.push_back(dims_json(dims));
  return list;
}

Json argument_json(const Argument& a) {
  Json object = {{"name", a.name}, {"dtype", dtype_name(a.dtype)}, {"role", role_name(a.role)}};
  if (a.role == Role::scalar)
    object["value"] = a.value;
  else
    object["shape"] = a.shape;
  if (!a.fill.empty()) object["fill"] = a.fill;
  if (a.scale != "1") object["scale"] = a.scale;
  return object;
}

}  // namespace

std::string to_json(const Task& task) {
  Json arguments = Json::array(), backends = Json::array();
  for (const Argument& a : task.arguments) arguments.push_back(argument_json(a));
  int format = task.given.empty() ? first_task_format : given_task_format;
  for (const TaskBackend& b : task.backends) {
    backends.push_back({{"name", b.name}, {"baseline", b.baseline}, {"timed", shapes_json(b.timed)}});
    if (!b.weights.empty()) backends.back()["weights"] = b.weights, format = weighted_task_format;
  }
  Json json = {{"format", format},
               {"name", task.name},
               {"title", task.title},
               {"kernel_type", task.kernel_type},
               {"dims", task.dims},
               {"arguments", arguments},
               {"backends", backends},
               {"hidden", shapes_json(task.hidden)},
               {"distributions", task.distributions},
               {"exact", task.exact},
               {"intermediate", task.intermediate},
               {"reduction", task.reduction},
               {"rows", task.rows},
               {"flops", task.flops},
               {"bytes", task.bytes},
               {"unit", task.unit},
               {"reference", task.reference}};
  if (!task.torch.empty()) json["torch"] = task.torch;
  for (const GivenShape& g : task.given)
    json["data"].push_back({{"shape", dims_json(g.dims)}, {"inputs", given_inputs_json(g)}});
  if (!task.deterministic) json["deterministic"] = false;
  if (task.loose) json["loose"] = true;
  if (!task.limits.empty()) json["limits"] = task.limits;
  if (task.tolerance) json["tolerance"] = tolerance_json(*task.tolerance);
  if (task.imported_from) json["imported_from"] = origin_json(*task.imported_from);
  return readable(json);
}

}  // namespace explog
