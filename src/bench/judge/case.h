// A task at one shape: every expression evaluated.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/generate.h"
#include "harness/protocol.h"
#include "model/task.h"

namespace explog::bench {

struct Operand {
  const Argument* argument = nullptr;        // of the task
  std::uint64_t count = 1;                   // elements
  std::uint64_t row = 1;                     // elements of the last dimension
  std::vector<std::uint64_t> shape;          // outermost first; empty for a scalar
  double scale = 1, value = 0;               // factor of an input; value of a scalar
  std::string fill;                          // distribution of an input
  std::shared_ptr<const std::string> given;  // an input's bytes, where they lie in a file
  std::size_t bytes() const { return count * dtype_bytes(argument->dtype); }
};

// One call of solve() with inputs of one distribution.
struct Case {
  const Task* task = nullptr;
  Dims dims;
  std::string distribution;
  std::vector<Operand> operands;  // in the order of the task's arguments
  double reduction = 1, flops = 0, bytes = 0;
  std::uint64_t rows = 1;
  // Some elements of given floats change places, by the seed: no two timed calls have the same inputs.
  bool stirred = false;

  std::size_t input_bytes() const;   // payloads, each from a multiple of 256 bytes
  std::size_t buffer_bytes() const;  // of all arguments
  bool has_given() const;
  std::string name() const { return dims_text(dims) + " " + distribution; }
};

// Evaluates the task's expressions with SQLite. Throws Error(usage) naming the expression that cannot be
// evaluated or gives no positive size.
Case make_case(const Task& task, const Dims& dims, const std::string& distribution);

// Whether results of this distribution must be rounded once and be nothing else.
bool is_exact(const Task& task, const std::string& distribution);

// The limit of the task that a shape breaks, or nothing. Throws like make_case().
std::optional<std::string> broken_limit(const Task& task, const Dims& dims);

// What the runner's `shape` command and the reference's `case` command say about the arguments.
std::string runner_words(const Case& c);
std::string reference_words(const Case& c);

// The bits the runner fills operand `index` with for `seed`, also on the GPU.
FillOrder fill_order(const Case& c, std::size_t index, std::uint64_t seed);
// Writes all inputs, generated and given ones, one after the other, each from a multiple of 256 bytes, on all processors.
void generate_inputs(const Case& c, std::uint64_t seed, char* to);
void swap_elements(char* data, Dtype dtype, std::uint64_t one, std::uint64_t other);

using protocol::padded;

}  // namespace explog::bench
