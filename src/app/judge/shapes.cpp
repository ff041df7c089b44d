#include "app/judge/shapes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace explog::app {
namespace {

[[noreturn]] void wrong_shape(const std::string& place, const std::string& what, const Task& task) {
  throw Error(Exit::usage, place + ": " + what,
              "the dimensions of " + task.name + " are " + join(task.dims, ", "));
}

// A value for each dimension of the task, in its order.
Dims shape_of(std::string_view line, const Task& task, const std::string& place) {
  Dims shape;
  for (const std::string& name : task.dims) shape.emplace_back(name, 0);
  for (std::string_view part : split(line, ',')) {
    std::size_t equals = part.find('=');
    auto value =
        equals == std::string_view::npos ? std::nullopt : parse_number(trim(part.substr(equals + 1)));
    std::string name(trim(part.substr(0, equals)));
    auto it = std::find_if(shape.begin(), shape.end(), [&](const auto& dim) { return dim.first == name; });
    if (it == shape.end()) wrong_shape(place, "no dimension '" + name + "'", task);
    if (!value || *value < 1 || *value > 2147483647 ||
        *value != static_cast<double>(static_cast<std::int64_t>(*value)))
      wrong_shape(place, name + " is no whole number from 1", task);
    it->second = static_cast<std::int64_t>(*value);
  }
  for (const auto& [name, value] : shape) {
    if (value == 0) wrong_shape(place, name + " is not given", task);
  }
  return shape;
}

}  // namespace

std::vector<Dims> shapes_in(const std::string& words, const Task& task, const Session& session) {
  if (words.empty()) return {};
  if (words.find('=') != std::string::npos) return {shape_of(words, task, "--shape")};
  std::vector<Dims> shapes;
  std::string text = session.read(words);
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty() || trim(line).starts_with("#")) continue;
    shapes.push_back(shape_of(trim(line), task, words + ":" + std::to_string(number)));
  }
  if (shapes.empty()) wrong_shape(words, "names no shape", task);
  return shapes;
}

}  // namespace explog::app
