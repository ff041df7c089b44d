// A space of configurations of one kernel: its parameters, their values, and the conditions that tell which
// combinations make sense. A sweep.json declares one; a tuning cache of another program holds one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/experience.h"
#include "model/json.h"

namespace explog {

// What is chosen from a list of values: a macro, a compile-time constant, an axis of a benchmark.
struct Parameter {
  // What can be changed about it. size: doubled and halved; flag: set and cleared; variant: exchanged for any
  // other; fixed: nothing, it has one value or too many; context: nothing, it belongs to the problem.
  enum class Kind { size, flag, variant, fixed, context };

  Parameter() = default;
  explicit Parameter(std::string parameter_name) : name(std::move(parameter_name)) {}

  std::string name;    // as its file calls it
  std::string shared;  // as records call it, unique within a space: known after Space::settle()
  Kind kind = Kind::size;
  std::vector<Scalar> values;

  // The number of `value`, which is added when it is new.
  std::uint32_t number_of(const Scalar& value);

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct Space {
  std::vector<Parameter> parameters;
  std::vector<std::string> where;  // SQL expressions over the parameters; all must hold

  // Names the parameters as records do and finds their kinds; those set to context stay so. Call it once all
  // values are known.
  void settle();
};

// One combination: the number of its value for each parameter, in their order.
using Configuration = std::vector<std::uint32_t>;
// The same as names and values.
using Settings = Params;

// Every combination for which all conditions hold, the last parameter changing fastest. SQLite evaluates the
// conditions. Throws Error(usage), which begins with `name`, for a condition that cannot be evaluated, or when
// no combination is left.
std::vector<Configuration> configurations(const Space& space, const std::string& name);

Settings settings_of(const Space& space, const Configuration& configuration);
std::string settings_text(const Settings& settings);  // "BLOCK_X=32,BLOCK_Y=8"

// A number or a flag as a number; text has none.
std::optional<double> as_number(const Scalar& value);
// As a macro or a command line has it: 8, 0.5, 1 for true, text as it is.
std::string scalar_text(const Scalar& value);
// Whole numbers without a point, as the files that declare parameters have them.
Json json_value(const Scalar& value);

}  // namespace explog
