// What a kernel must compute: the contract of `explog check` and `explog bench`, read from task.json.
// The task decides inputs, shapes, outputs and tolerance; a candidate's own signature is only compared with
// it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task_given.h"
#include "model/task_origin.h"

namespace explog {

// Of task.json: 1, and 2 where inputs lie in files. What is written has the lowest that says it.
constexpr int first_task_format = 1, given_task_format = 2, weighted_task_format = 3,
              task_format = weighted_task_format;

enum class Dtype { f32, f64, f16, bf16, i32, i64, u8 };  // floating types first
std::optional<Dtype> parse_dtype(std::string_view name);
std::string_view dtype_name(Dtype dtype);
size_t dtype_bytes(Dtype dtype);
constexpr bool is_float(Dtype dtype) { return dtype < Dtype::i32; }
// Bits of the significand, the hidden one included: 24 for f32, 8 for bf16; 0 for integers.
int significand_bits(Dtype dtype);

enum class Role { in, out, inout, scalar, workspace };
std::string_view role_name(Role role);

struct Argument {
  std::string name;
  Dtype dtype = Dtype::f32;
  Role role = Role::in;
  std::vector<std::string> shape;  // expressions over the dimensions, outermost first; empty for a scalar
  std::string value;               // expression of a scalar
  // Distribution of an input that stays the same in every case ("positive"); empty: the case's.
  std::string fill;
  std::string scale;  // expression the input is multiplied by ("1.0/sqrt(K)"); empty: 1
  bool is_output() const { return role == Role::out || role == Role::inout; }
  bool is_input() const { return role == Role::in || role == Role::inout; }
};

// A value for each dimension, in the order of Task::dims.
using Dims = std::vector<std::pair<std::string, std::int64_t>>;
std::string dims_text(const Dims& dims);  // "N=4096,D=64"
double volume(const Dims& dims);          // product of all of them

// What a task, a dimension or an argument may be called: letters, digits and _.
bool is_name(const std::string& text);

struct TaskBackend {
  std::string name;      // cuda, host
  std::string baseline;  // file beside task.json
  std::vector<Dims> timed;
  std::vector<double> weights = {};  // of those shapes; empty: they count alike

  double weight_of(const Dims& dims) const;  // 1 of one that is not timed
  void time_instead(std::vector<Dims> shapes) { timed = std::move(shapes), weights.clear(); }
};

struct Task {
  std::string name, title, kernel_type;
  std::vector<std::string> dims;
  std::vector<Argument> arguments;  // in the order of solve()'s parameters
  std::vector<TaskBackend> backends;
  std::vector<Dims> hidden;                // shapes that are checked and never timed
  std::vector<GivenShape> given;           // shapes with inputs of files, checked beside the others
  std::vector<std::string> distributions;  // names of known_distributions()
  std::vector<std::string> exact;          // distributions on which the result must be exact
  std::string intermediate;                // lowest precision a sum or product may use: f64 f32 tf32 f16 bf16
  std::string reduction;                   // expression: terms added up for one output element; "1" for none
  std::string rows;          // expression: items the reference computes independently; "1" for all at once
  std::string flops, bytes;  // expressions: operations, and distinct bytes read and written
  std::string unit;          // whose peak bounds the flops: fp64 fp32 tf32 f16 bf16
  std::string reference;     // C++ or Python file beside task.json
  std::string torch;         // Python file beside it: the same by PyTorch, for --baseline torch; or empty
  std::vector<std::string>
      limits;                 // expressions that hold for every shape a kernel must get right ("D % 4 == 0")
  bool deterministic = true;  // false: run-to-run differences within the tolerance are allowed (atomics)
  bool loose = false;         // elementwise rule only, without the comparison to the baseline's error
  // Of an imported task: where it is from, and the benchmark's own rule, which timed shapes must keep beside explog's.
  std::optional<TaskOrigin> imported_from;
  std::optional<ForeignTolerance> tolerance;

  // The entry of a backend, else of the one that it stands on (model/backend.h), else nullptr.
  const TaskBackend* backend(std::string_view backend_name) const;
  const Argument* argument(std::string_view argument_name) const;
  // The first entry of `given` with this shape, which is the one that is timed; nullptr: inputs are generated.
  const GivenShape* given_at(const Dims& dims) const;
};

// Reads task.json. Throws JsonError naming the field: unknown keys, no outputs, no shapes, a name used twice.
Task parse_task(std::string_view json);
std::string to_json(const Task& task);  // indented; parse_task(to_json(t)) gives t again

// Distributions of inputs: normal, positive, mixed, large, offset, sparse, integers, index, zeros...
// generate.h of kernels/ makes them.
const std::vector<std::string>& known_distributions();

}  // namespace explog
