#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "bench/foreign_parts.h"
#include "model/json.h"

namespace explog::bench {
namespace {

using Size = std::int64_t;

const Json& part(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  auto it = object.find(name);
  return it != object.end() ? *it : none;
}

Size size_at(const Json& tensor, size_t axis) { return part(tensor, "shape").at(axis).get<Size>(); }

// Reads what was found at several parameters: which of them an axis follows.
class ProbeReader {
 public:
  ProbeReader(const Json& probe, const std::string& name) : specs_(part(probe, "specs")) {
    made_.task.name = name_of(name);
    made_.task.title = first_line(name);
    made_.task.kernel_type = type_of("", made_.task.name, made_);
    for (const Json& param : part(probe, "params")) params_.push_back(param.get<std::string>());
    tuple_ = part(probe, "tuple") == true;
  }

  ForeignTask run(const std::string& source) {
    for (size_t i = 0; i < part(specs_[0], "inputs").size(); ++i) add("inputs", i);
    for (size_t i = 0; i < part(specs_[0], "outputs").size(); ++i) {
      if (!is_reused(i)) add("outputs", i);
    }
    for (const std::string& dim : made_.task.dims) add_dimension(made_.task, dim);
    if (made_.task.dims.empty()) refuse_task("none of its sizes has a name, so there is no shape to vary");
    add_timed();
    made_.took.push_back(
        fmt::format("{} arguments, {} dimensions", made_.task.arguments.size(), made_.task.dims.size()));
    if (tuple_)
      made_.left_out.emplace_back(
          "check_implementation: explog's own rule judges, which follows from the types");
    finish(made_, source, tuple_ ? adapter() : "");
    return std::move(made_);
  }

 private:
  const Json& item(size_t spec, const char* list, size_t i) const {
    return part(specs_.at(spec), list).at(i);
  }

  // An output that the problem itself passes as an input, to be written.
  bool is_reused(size_t output) const {
    const Json& reused = part(specs_[0], "reused");
    return reused.is_array() && output < reused.size() && reused.at(output).get<int>() >= 0;
  }
  bool is_written(size_t input) const {
    const Json& reused = part(specs_[0], "reused");
    return std::any_of(reused.begin(), reused.end(), [&](const Json& at) { return at == input; });
  }

  Size param(size_t spec, const std::string& name) const {
    const Json& value = part(part(specs_[spec], "params"), name.c_str());
    return value.is_number() ? value.get<Size>() : 0;
  }

  // The expression of a size: a number, a parameter, or a multiple or a part of one.
  std::string expression(const std::string& name, const std::vector<Size>& sizes) {
    if (std::all_of(sizes.begin(), sizes.end(), [&](Size s) { return s == sizes[0]; }))
      return std::to_string(sizes[0]);
    for (const std::string& p : params_) {
      if (fits(p, sizes, 1, 1)) return used(p);
    }
    for (const std::string& p : params_) {
      Size first = param(0, p);
      if (first > 0 && sizes[0] > 0 && sizes[0] % first == 0 && fits(p, sizes, sizes[0] / first, 1))
        return fmt::format("{}*{}", sizes[0] / first, used(p));
      if (sizes[0] > 0 && first % sizes[0] == 0 && fits(p, sizes, 1, first / sizes[0]))
        return fmt::format("{}/{}", used(p), first / sizes[0]);
    }
    refuse_task(name + " has a size that no parameter explains");
  }

  bool fits(const std::string& p, const std::vector<Size>& sizes, Size times, Size over) const {
    for (size_t spec = 0; spec < sizes.size(); ++spec) {
      if (static_cast<double>(param(spec, p)) * static_cast<double>(times) !=
          static_cast<double>(sizes[spec]) * static_cast<double>(over))
        return false;
    }
    return true;
  }

  std::string used(const std::string& p) {
    auto& dims = made_.task.dims;
    if (std::find(dims.begin(), dims.end(), p) == dims.end()) dims.push_back(p);
    return p;
  }

  void add(const char* list, size_t i) {
    const Json& first = item(0, list, i);
    bool input = std::string_view(list) == "inputs";
    std::string name = part(first, "name").get<std::string>();
    if (part(first, "value").is_number() || part(first, "value").is_boolean()) return add_value(name, first);
    auto dtype =
        dtype_of_torch(part(first, "dtype").is_string() ? part(first, "dtype").get<std::string>() : "");
    if (!dtype)
      refuse_task(
          fmt::format("{} is {}, which explog has not", name,
                      printable(part(first, part(first, "dtype").is_string() ? "dtype" : "kind").dump())));
    Argument a;
    a.name = name;
    a.dtype = *dtype;
    a.scale = "1";
    a.role = input && !is_written(i) ? Role::in : Role::out;
    if (a.role == Role::in && !is_float(a.dtype)) {
      a.fill = "index";
      made_.guessed.push_back(name + ": whole numbers, filled as \"index\"; what they must be is not said");
    }
    for (size_t axis = 0; axis < part(first, "shape").size(); ++axis) {
      std::vector<Size> sizes;
      for (size_t spec = 0; spec < specs_.size(); ++spec) {
        const Json& tensor = item(spec, list, i);
        if (part(tensor, "shape").size() != part(first, "shape").size())
          refuse_task(name + " has shapes of several ranks");
        sizes.push_back(size_at(tensor, axis));
      }
      a.shape.push_back(expression(name, sizes));
    }
    if (a.shape.empty()) a.shape = {"1"};
    made_.task.arguments.push_back(a);
  }

  // A number among the inputs stays what it is.
  void add_value(const std::string& name, const Json& what) {
    Argument a;
    a.name = name;
    a.role = Role::scalar;
    a.dtype = part(what, "value").is_number_float() ? Dtype::f32 : Dtype::i32;
    a.value = number_text(part(what, "value").is_boolean() ? (part(what, "value") == true ? 1.0 : 0.0)
                                                           : part(what, "value").get<double>());
    a.scale = "1";
    made_.task.arguments.push_back(a);
  }

  void add_timed() {
    std::vector<Dims> shapes;
    for (size_t spec = 0; spec < (tuple_ ? specs_.size() : 1); ++spec) {
      Dims shape;
      for (const std::string& dim : made_.task.dims) shape.emplace_back(dim, param(spec, dim));
      if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }
    set_shapes(made_, shapes, 5);
  }

  // GPU MODE's references take one tuple.
  std::string adapter() const {
    std::string names, outputs;
    for (const Argument& a : made_.task.arguments) {
      bool of_tuple = a.name.starts_with("in");
      if (of_tuple) names += (names.empty() ? "" : ", ") + a.name;
    }
    return fmt::format("\n\ndef reference({}):  # what explog calls\n    return ref_kernel(({},))\n", names,
                       names);
  }

  const Json& specs_;
  std::vector<std::string> params_;
  bool tuple_ = false;
  ForeignTask made_;
};

}  // namespace

ForeignTask task_of_probe(const std::string& probe, const std::string& name, const std::string& source) {
  Json json;
  try {
    json = parse_json(probe);
  } catch (const JsonError& e) {
    refuse_task(std::string("what Python says of it is no JSON: ") + e.what());
  }
  if (part(json, "error").is_string()) refuse_task(printable(part(json, "error").get<std::string>()));
  if (part(json, "weights").is_number() && part(json, "weights") > 0)
    refuse_task(fmt::format("its model has {} weights of its own, which no candidate is given",
                            part(json, "weights").get<int>()));
  if (!part(json, "specs").is_array() || part(json, "specs").empty()) refuse_task("Python found no shapes");
  try {
    return ProbeReader(json, name).run(source);
  } catch (const nlohmann::json::exception& e) {
    refuse_task(std::string("what Python says of it is not understood: ") + e.what());
  }
}

}  // namespace explog::bench
