#include "bench/foreign_task.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "bench/draft.h"
#include "bench/foreign_given.h"
#include "bench/foreign_parts.h"
#include "bench/judge/case.h"
#include "bench/judge/hidden_shapes.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr size_t most_timed = 8;

// Axes of a definition: sizes that vary become dimensions, all else is written out where it stands.
struct Axes {
  std::vector<std::string> names;            // of dimensions
  std::map<std::string, std::string> texts;  // axis -> expression
};

Axes axes_of(const Json& definition) {
  Axes axes;
  std::vector<std::pair<std::string, std::string>> expressions;
  for (const auto& [name, axis] : part(definition, "axes").items()) {
    std::string type = text_at(axis, "type");
    if (type == "const" && part(axis, "value").is_number()) {
      axes.texts[name] = number_text(part(axis, "value").get<double>());
    } else if (type == "expr") {
      expressions.emplace_back(name, text_at(axis, "expression"));
    } else if (type == "var") {
      if (!is_name(name)) refuse_task("axis '" + printable(name) + "' has a name that no dimension can have");
      axes.names.push_back(name);
      axes.texts[name] = name;
    } else {
      refuse_task("axis '" + printable(name) + "' is of the kind '" + printable(type) +
                  "'; known: const, var, expr");
    }
  }
  for (const auto& [name, text] : expressions) axes.texts[name] = "(" + sql_of_python(text, axes.texts) + ")";
  return axes;
}

std::string scalar_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  return value.is_number() ? number_text(value.get<double>()) : "";
}

// Keys that explog does not know are a newer version's: they bound nothing here.
ForeignTolerance foreign_tolerance(const Json& named) {
  Json known = Json::object();
  for (const char* key : {"max_atol", "max_rtol", "required_matched_ratio", "max_error_cap"}) {
    if (!part(named, key).is_null()) known[key] = part(named, key);
  }
  try {
    return tolerance_in(known, "tolerance");
  } catch (const JsonError& e) {
    refuse_task(e.what());
  }
}

std::string tolerance_text(const ForeignTolerance& t) {
  std::string text = fmt::format("tolerance: {:.3g} + {:.3g} |r| for {:.4g}% of the elements", t.max_atol,
                                 t.max_rtol, 100 * t.required_matched_ratio);
  return text + (t.max_error_cap ? fmt::format(", none beyond {:.3g}", *t.max_error_cap) : "") +
         "; beside explog's own rule";
}

class DefinitionReader {
 public:
  DefinitionReader(const std::string& format, const Json& definition, std::vector<Json> workloads,
                   const FindForeignFile& find)
      : format_(format),
        definition_(definition),
        find_(find),
        workloads_(std::move(workloads)),
        axes_(axes_of(definition)) {}

  ForeignTask run() {
    Task& task = made_.task;
    std::string name = text_at(definition_, "name");
    task.name = name_of(name.empty() ? "imported" : name);
    task.title = first_line(text_at(definition_, "description"));
    task.kernel_type = type_of(text_at(definition_, "op_type"), task.name, made_);
    task.dims = axes_.names;
    drop_coded();
    for (const auto& [input, what] : part(definition_, "inputs").items()) add_input(input, what);
    for (const auto& [output, what] : part(definition_, "outputs").items()) add_output(output, what);
    for (const std::string& dim : axes_.names) add_dimension(made_.task, dim);
    add_shapes();
    set_tolerance();
    note_rest();
    finish(made_, text_at(definition_, "reference"), "\n\nreference = run  # the name that explog calls\n");
    add_given();
    set_origin(name.empty() ? task.name : name);
    made_.took.insert(made_.took.begin(), fmt::format("{}: {} arguments, {} dimensions", printable(name),
                                                      task.arguments.size(), task.dims.size()));
    return std::move(made_);
  }

 private:
  Argument argument(const std::string& name, const Json& what, Role role) {
    if (!is_name(name)) refuse_task("'" + printable(name) + "' is no name for an argument");
    Argument a;
    a.name = name;
    a.role = role;
    a.scale = "1";
    std::string type = text_at(what, "dtype");
    auto dtype = dtype_of_torch(type);
    if (!dtype) refuse_task(name + " is of the type " + printable(type) + ", which explog has not");
    a.dtype = *dtype;
    for (const Json& axis : part(what, "shape")) a.shape.push_back(size_of(axis));
    if (a.shape.empty()) a.shape = {"1"};
    return a;
  }

  std::string size_of(const Json& axis) const {
    if (axis.is_number()) return number_text(axis.get<double>());
    auto it = axes_.texts.find(text_of(axis));
    if (it == axes_.texts.end())
      refuse_task("a shape names the axis '" + printable(axis.dump()) + "', which is not defined");
    return it->second;
  }

  // Whole numbers and flags that the benchmark's own code makes (indices, offsets, masks) are no numbers of explog's: with
  // others the problem is another, or reads beyond its arrays. The code is not run, so workloads with such inputs are none.
  void drop_coded() {
    std::set<std::string> coded;
    size_t before = workloads_.size();
    std::erase_if(workloads_, [&](const Json& workload) {
      bool any = false;
      for (const auto& [name, input] : part(workload, "inputs").items()) {
        auto dtype = dtype_of_torch(text_at(part(part(definition_, "inputs"), name.c_str()), "dtype"));
        if (text_at(input, "type") != "custom" || (dtype && is_float(*dtype))) continue;
        coded.insert(printable(name));
        any = true;
      }
      return any;
    });
    if (coded.empty()) return;
    std::string entry = text_at(definition_, "custom_inputs_entrypoint");
    std::string what =
        fmt::format("{}: whole numbers or flags that the benchmark's own code makes{}",
                    fmt::join(coded, ", "), entry.empty() ? "" : " (" + printable(entry) + ")");
    if (workloads_.empty())
      refuse_task(what + ", which explog does not run; others in their place would be another problem",
                  "save what that code makes as safetensors and name the files in workload.jsonl");
    made_.left_out.push_back(
        fmt::format("{} of {} workloads, with {}", before - workloads_.size(), before, what));
  }

  void add_input(const std::string& name, const Json& what) {
    if (part(what, "shape").is_null()) return add_scalar(name, what);
    Argument a = argument(name, what, Role::in);
    if (!is_float(a.dtype)) {
      a.fill = "index";
      made_.guessed.push_back(
          name + ": whole numbers, filled as \"index\"; what they must be (offsets, a table) is not said");
    }
    made_.task.arguments.push_back(a);
  }

  void add_scalar(const std::string& name, const Json& what) {
    Argument a = argument(name, what, Role::scalar);
    a.shape.clear();
    if (a.dtype == Dtype::f16 || a.dtype == Dtype::bf16 || a.dtype == Dtype::f64) a.dtype = Dtype::f32;
    std::set<std::string> values;
    for (const Json& workload : workloads_) {
      const Json& value = part(part(part(workload, "inputs"), name.c_str()), "value");
      if (std::string text = scalar_text(value); !text.empty()) values.insert(text);
    }
    a.value = values.empty() ? "1" : *values.begin();
    if (values.empty()) made_.guessed.push_back(name + ": no workload gives this scalar a value: 1");
    if (values.size() > 1)
      made_.left_out.push_back(
          fmt::format("{}: {} values in the workloads, {} taken", name, values.size(), a.value));
    made_.task.arguments.push_back(a);
  }

  void add_output(const std::string& name, const Json& what) {
    made_.task.arguments.push_back(argument(name, what, Role::out));
  }

  void add_shapes() {
    std::vector<Dims> all;
    for (const Json& workload : workloads_) {
      Dims shape;
      for (const std::string& dim : axes_.names) {
        const Json& value = part(part(workload, "axes"), dim.c_str());
        if (value.is_number() && value.get<double>() >= 1 && value.get<double>() <= 0x1p48)
          shape.emplace_back(dim, static_cast<std::int64_t>(value.get<double>()));
      }
      if (shape.size() == axes_.names.size() && std::find(all.begin(), all.end(), shape) == all.end())
        all.push_back(shape);
    }
    if (all.empty())
      refuse_task("no workload gives every axis a size", "give its workload.jsonl beside the definition");
    set_shapes(made_, all, most_timed);
    made_.took.push_back(fmt::format("{} workloads with {} shapes, {} of them timed", workloads_.size(),
                                     all.size(), made_.task.backends[0].timed.size()));
  }

  static bool has_input_of(const Json& workload, std::string_view type) {
    const Json& inputs = part(workload, "inputs");
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Json& input) { return text_at(input, "type") == type; });
  }

  // A workload of this shape whose scalars are those that the task has.
  bool is_of(const Json& workload, const Dims& shape) const {
    for (const auto& [dim, size] : shape) {
      if (part(part(workload, "axes"), dim.c_str()) != size) return false;
    }
    for (const Argument& a : made_.task.arguments) {
      const Json& value = part(part(part(workload, "inputs"), a.name.c_str()), "value");
      if (a.role == Role::scalar && !value.is_null() && scalar_text(value) != a.value) return false;
    }
    return true;
  }

  // For each timed shape the first workload whose files can be had; another one's are not looked for.
  void add_given() {
    for (const Dims& shape : made_.task.backends[0].timed) {
      for (size_t i = 0; i < workloads_.size(); ++i) {
        if (!is_of(workloads_[i], shape) || !has_input_of(workloads_[i], "safetensors")) continue;
        if (take_given(made_, workloads_[i], shape, find_)) given_.insert(i);
        break;
      }
    }
    if (!made_.data.empty())
      made_.took.push_back(fmt::format("{} files of inputs, for {} of the timed shapes", made_.data.size(),
                                       made_.task.given.size()));
  }

  // A verdict on made inputs is none on a file's.
  bool is_judged(size_t workload, const Dims& shape) const {
    const Json& said = workloads_[workload];
    if (!is_of(said, shape) || has_input_of(said, "custom")) return false;
    return has_input_of(said, "safetensors") == (made_.task.given_at(shape) != nullptr) &&
           (given_.contains(workload) || !has_input_of(said, "safetensors"));
  }

  void set_origin(const std::string& name) {
    TaskOrigin origin{format_, name, {}};
    for (const Dims& shape : made_.task.backends[0].timed) {
      for (size_t i = 0; i < workloads_.size(); ++i) {
        if (!is_judged(i, shape)) continue;
        origin.workloads.push_back(workloads_[i].dump());
        break;
      }
    }
    made_.task.imported_from = origin;
  }

  // SOL-ExecBench has a bound for workloads that name none as well.
  void set_tolerance() {
    std::optional<ForeignTolerance> all;
    bool negative_infinity = false;
    for (const Json& workload : workloads_) {
      const Json& named = part(workload, "tolerance");
      if (!named.is_object() && format_ != sol_exec_bench) continue;
      ForeignTolerance one = foreign_tolerance(named);
      all = all ? strictest(*all, one) : one;
      negative_infinity |= part(named, "allow_negative_inf") == true;
    }
    made_.task.tolerance = all;
    if (all) made_.took.push_back(tolerance_text(*all) + ", the strictest of its workloads");
    if (negative_infinity)
      made_.left_out.push_back(
          "allow_negative_inf: explog takes an infinity where the reference has the same, of either sign");
  }

  void note_rest() {
    std::set<std::string> custom;
    for (const Json& workload : workloads_) {
      for (const auto& [name, input] : part(workload, "inputs").items()) {
        if (text_at(input, "type") == "custom") custom.insert(name);
      }
    }
    for (const std::string& name : custom)
      made_.left_out.push_back(printable(name) + ": made by the benchmark's own code; explog generates it");
    for (const Json& constraint : part(definition_, "constraints"))
      made_.left_out.push_back("constraint '" + printable(text_of(constraint)) +
                               "': add it to \"limits\" as SQL");
  }

  const std::string& format_;
  const Json& definition_;
  const FindForeignFile& find_;
  std::vector<Json> workloads_;
  Axes axes_;
  ForeignTask made_;
  std::set<size_t> given_;  // numbers of workloads whose files the task has
};

// A line is a workload, or a trace that holds one.
std::vector<Json> workloads_in(const std::vector<std::string>& lines, const std::string& name) {
  std::vector<Json> list;
  std::set<std::string> seen;
  for (const std::string& line : lines) {
    if (trim(line).empty()) continue;
    Json row = parsed_foreign(line, "workload " + std::to_string(list.size() + 1));
    std::string of = text_at(row, "definition");
    if (!of.empty() && of != name) continue;
    Json workload = part(row, "workload").is_object() ? part(row, "workload") : row;
    if (seen.insert(workload.dump()).second)
      list.push_back(std::move(workload));  // each solution has a trace of it
  }
  return list;
}

}  // namespace

void take_kernel_bench_tolerance(ForeignTask& made) {
  auto output = std::find_if(made.task.arguments.begin(), made.task.arguments.end(),
                             [](const Argument& a) { return a.is_output(); });
  bool half = output->dtype == Dtype::f16 || output->dtype == Dtype::bf16;
  if (!half && output->dtype != Dtype::f32) return;
  double bound = half ? 1e-2 : 1e-4;
  made.task.tolerance = ForeignTolerance{bound, bound, 1, std::nullopt};
  made.took.push_back(tolerance_text(*made.task.tolerance));
}

ForeignTask task_of_definition(const std::string& format, const std::string& definition,
                               const std::vector<std::string>& workloads,
                               const std::vector<std::string>& solutions, const FindForeignFile& find) {
  Json json = parsed_foreign(definition, "definition");
  std::string name = text_at(json, "name");
  ForeignTask made = DefinitionReader(format, json, workloads_in(workloads, name), find).run();
  for (const std::string& solution : solutions) add_solution(solution, name, made);
  return made;
}

}  // namespace explog::bench
