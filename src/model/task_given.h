// Inputs of a task that lie in files beside it: what task.json says of them.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/json.h"

namespace explog {

struct Task;

// A tensor of a safetensors file.
struct GivenInput {
  std::string argument, file, tensor;  // file: relative, below the task's folder
  bool operator==(const GivenInput&) const = default;
};
// The inputs that are given at one shape; the others are generated.
struct GivenShape {
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<GivenInput> inputs;
  bool operator==(const GivenShape&) const = default;
};

// "inputs/a.safetensors#x" in two. Throws JsonError naming `where` for a file that is not below the folder.
GivenInput given_input(const std::string& argument, const std::string& text, const std::string& where);
// The inputs of one entry of "data", whose dims are read already. Throws JsonError.
std::vector<GivenInput> given_inputs(const Json& json, const Task& task, const std::string& where);
Json given_inputs_json(const GivenShape& shape);

// A relative path that stays inside its folder, and that can be shown.
bool is_inside(const std::string& path);

}  // namespace explog
