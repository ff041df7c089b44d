#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "bench/foreign_parts.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr size_t most_of_probe = 5;

std::vector<std::string> words_at(const Json& object, const char* name) {
  std::vector<std::string> words;
  for (const Json& word : part(object, name))
    if (word.is_string()) words.push_back(printable(word.get<std::string>()));
  return words;
}

// An input of these is what explog would draw itself; of what else is done to it explog knows nothing.
bool is_plain(const std::string& made) {
  constexpr std::array<std::string_view, 18> words = {
      "",     "rand",     "randn",   "randint", "rand_like", "randn_like", "empty", "empty_like", "zeros",
      "ones", "uniform_", "normal_", "mul",     "add",       "sub",        "div",   "__rmul__",   "__mul__"};
  return std::find(words.begin(), words.end(), made) != words.end();
}

// Reads what was found by running a problem: its arguments, whose sizes are expressions of its parameters.
class ProbeReader {
 public:
  ProbeReader(const Json& probe, const std::string& name) : probe_(probe) {
    Task& task = made_.task;
    task.name = name_of(name);
    task.title = first_line(name);
    task.kernel_type = type_of("", task.name, made_);
    task.dims = words_at(probe, "dims");
  }

  ForeignTask run() {
    Task& task = made_.task;
    for (const Json& input : part(probe_, "inputs")) add(input, true);
    for (const Json& output : part(probe_, "outputs")) add(output, false);
    made_.took.push_back(fmt::format("{} arguments, {} dimensions", task.arguments.size(), task.dims.size()));
    for (const std::string& dim : task.dims) add_dimension(task, dim);
    add_timed();
    task.reduction = text_at(probe_, "reduction");
    task.flops = text_at(probe_, "work");
    note_model();
    finish(made_, text_at(probe_, "reference"), "");
    if (is_uniform_) task.distributions.insert(task.distributions.begin(), "unit");
    if (std::string caller = text_at(probe_, "submission"); !caller.empty()) {
      made_.files.emplace_back("gpu_mode.py", caller);
      made_.left_out.emplace_back(
          "check_implementation: explog's own rule judges, which follows from the types");
    }
    return std::move(made_);
  }

 private:
  void add(const Json& what, bool input) {
    std::string name = text_at(what, "name");
    if (!is_name(name)) refuse_task("'" + printable(name) + "' is no name for an argument");
    if (made_.task.argument(name) != nullptr) refuse_task("two of its arguments are called " + name);
    const Json& value = part(what, "value");
    if (value.is_number() || value.is_boolean()) return add_value(name, value, text_at(what, "expression"));
    std::string type = text_at(what, "dtype");
    auto dtype = dtype_of_torch(type);
    if (!dtype) refuse_task(fmt::format("{} is of the type {}, which explog has not", name, printable(type)));
    Argument a;
    a.name = name;
    a.dtype = *dtype;
    a.scale = "1";
    a.role = input && part(what, "written") != true ? Role::in : Role::out;
    for (const Json& size : part(what, "shape")) a.shape.push_back(size.get<std::string>());
    if (a.shape.empty()) a.shape = {"1"};
    if (a.role == Role::in) set_fill(a, what);
    made_.task.arguments.push_back(a);
  }

  void set_fill(Argument& a, const Json& what) {
    std::string made = text_at(what, "made");
    if (part(what, "weight") == true) {
      auto fan_in = part(what, "fan_in").get<std::int64_t>();
      if (fan_in > 1) a.scale = fmt::format("1.0/sqrt({})", fan_in);
      weights_.push_back(a.name);
      return;
    }
    if (is_float(a.dtype)) {
      is_uniform_ = made == "rand" && (is_uniform_ || is_first_);
      is_first_ = false;
    } else if (std::string high = bound_of(what); !high.empty()) {
      a.fill = "unit";  // cut off: whole numbers from 0 up to the bound
      a.scale = high;
    } else {
      a.fill = "index";
      made_.guessed.push_back(a.name + ": whole numbers, filled as \"index\"; what they must be is not said");
    }
    if (!is_plain(made) && !is_float(a.dtype))
      refuse_task(
          fmt::format(
              "{}: whole numbers or flags that the problem makes by {}, which explog does not do; others in "
              "their place would be another problem",
              a.name, printable(made)),
          "write the task by hand: `explog task draft`, and give these inputs in files");
    if (!is_plain(made))
      made_.left_out.push_back(fmt::format("{}: the problem makes it by {}; explog fills all of it alike",
                                           a.name, printable(made)));
  }

  // Of whole numbers that are drawn from 0 up to a bound.
  static std::string bound_of(const Json& what) {
    if (text_at(what, "dtype") == "torch.bool") return "2";
    const Json& range = part(what, "range");
    bool from_zero = range.is_array() && range.size() == 2 && range[0] == 0;
    return from_zero ? text_at(what, "high") : "";
  }

  // A number among the inputs stays what it is, unless it follows a parameter.
  void add_value(const std::string& name, const Json& value, const std::string& expression) {
    Argument a;
    a.name = name;
    a.role = Role::scalar;
    a.dtype = value.is_number_float() ? Dtype::f32 : Dtype::i32;
    double number = value.is_boolean() ? static_cast<double>(value.get<bool>()) : value.get<double>();
    a.value = expression.empty() ? number_text(number) : expression;
    a.scale = "1";
    made_.task.arguments.push_back(a);
  }

  void add_timed() {
    std::vector<Dims> shapes;
    for (const Json& parameters : part(probe_, "timed")) {
      Dims shape;
      for (const std::string& dim : made_.task.dims)
        shape.emplace_back(dim, part(parameters, dim.c_str()).get<std::int64_t>());
      if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }
    if (shapes.empty()) refuse_task("it names no shape");
    size_t rows = part(probe_, "rows").is_number_unsigned() ? part(probe_, "rows").get<size_t>() : 0;
    if (rows > part(probe_, "timed").size())
      made_.left_out.push_back(fmt::format("{} of {} benchmarks, at other values of what stays as it is",
                                           rows - part(probe_, "timed").size(), rows));
    std::vector<std::pair<std::string, std::int64_t>> multiples;
    for (const auto& [name, step] : part(probe_, "multiples").items()) {
      const auto& dims = made_.task.dims;
      if (std::find(dims.begin(), dims.end(), name) == dims.end()) continue;
      multiples.emplace_back(name, step.get<std::int64_t>());
      made_.guessed.push_back(fmt::format("limits: {} is a multiple of {}", name, multiples.back().second));
    }
    set_shapes(made_, shapes, most_of_probe, multiples);
    limit_sizes();
  }

  // A window needs something to move over: hidden shapes that leave an array empty do not count.
  void limit_sizes() {
    for (const Argument& a : made_.task.arguments) {
      for (const std::string& size : a.shape) {
        std::string limit = size + " >= 1";
        auto& limits = made_.task.limits;
        if (size.find_first_of("-/") != std::string::npos &&
            std::find(limits.begin(), limits.end(), limit) == limits.end())
          limits.push_back(limit);
      }
    }
  }

  void note_model() {
    const Task& task = made_.task;
    if (!weights_.empty())
      made_.took.push_back(fmt::format("weights of the model as inputs: {}", fmt::join(weights_, ", ")));
    if (auto fixed = words_at(probe_, "fixed"); !fixed.empty())
      made_.took.push_back(
          fmt::format("as they are, because the model is made with them: {}", fmt::join(fixed, ", ")));
    if (auto buffers = words_at(probe_, "buffers"); !buffers.empty())
      made_.left_out.push_back(
          fmt::format("buffers, which stay as the model makes them: {}", fmt::join(buffers, ", ")));
    if (auto unused = words_at(probe_, "unused"); !unused.empty())
      made_.left_out.push_back(
          fmt::format("parameters that stay what they are: {}", fmt::join(unused, ", ")));
    made_.guessed.push_back(
        fmt::format("reduction: {}, and flops: {}, by the operators that the reference calls", task.reduction,
                    task.flops));
  }

  const Json& probe_;
  ForeignTask made_;
  std::vector<std::string> weights_;
  bool is_uniform_ = false, is_first_ = true;  // all floating-point inputs drawn from 0 to 1
};

}  // namespace

ForeignTask task_of_probe(const std::string& probe, const std::string& name) {
  Json json;
  try {
    json = parse_json(probe);
  } catch (const JsonError& e) {
    refuse_task(std::string("what Python says of it is no JSON: ") + e.what());
  }
  if (part(json, "error").is_string()) refuse_task(printable(part(json, "error").get<std::string>()));
  try {
    return ProbeReader(json, name).run();
  } catch (const nlohmann::json::exception& e) {
    refuse_task(std::string("what Python says of it is not understood: ") + e.what());
  }
}

}  // namespace explog::bench
