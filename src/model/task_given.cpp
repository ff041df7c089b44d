#include "model/task_given.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/task.h"

namespace explog {

bool is_inside(const std::string& path) {
  bool parts_fine = true;
  for (std::string_view part : split(path, '/')) parts_fine &= !part.empty() && part != "." && part != "..";
  return parts_fine && path.size() < 200 && valid_utf8(path) && printable(path) == path;
}

GivenInput given_input(const std::string& argument, const std::string& text, const std::string& where) {
  std::size_t mark = text.find('#');
  if (mark == std::string::npos || mark + 1 == text.size())
    bad(where + ": '" + text + "' names no tensor: write FILE#TENSOR");
  GivenInput input{argument, text.substr(0, mark), text.substr(mark + 1)};
  if (!is_inside(input.file)) bad(where + ": '" + input.file + "' is no path below the task's folder");
  return input;
}

std::vector<GivenInput> given_inputs(const Json& json, const Task& task, const std::string& where) {
  if (!json.is_object() || json.empty()) bad(where + ": \"inputs\" must say for each input FILE#TENSOR");
  std::vector<GivenInput> inputs;
  for (const auto& [name, value] : json.items()) {
    const Argument* argument = task.argument(name);
    if (argument == nullptr || !argument->is_input()) bad(where + ": '" + name + "' is no input of the task");
    if (!value.is_string()) bad(where + ": " + name + " must be text, FILE#TENSOR");
    inputs.push_back(given_input(name, value.get<std::string>(), where + "." + name));
  }
  return inputs;
}

Json given_inputs_json(const GivenShape& shape) {
  Json object = Json::object();
  for (const GivenInput& input : shape.inputs) object[input.argument] = input.file + "#" + input.tensor;
  return object;
}

}  // namespace explog
