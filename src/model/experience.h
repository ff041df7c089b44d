// One attempt at one change of a kernel, and the table that names its fields.
// One name everywhere: C++ member = JSON key = SQL column = flag (dashes for underscores).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace explog {

using Scalar = std::variant<double, bool, std::string>;
using Params =
    std::vector<std::pair<std::string, Scalar>>;  // settings of a change: {"num_warps": 8, "from": 4}
using Facts = std::vector<std::pair<std::string, double>>;  // numeric facts: shape, state, metrics
using Tags = std::vector<std::string>;

struct Experience {
  // What was optimised.
  std::string kernel_type;  // softmax, gemm, ...
  std::string kernel;       // its name
  std::string backend, arch, gpu, dtype;
  Facts shape;
  // What was believed and tried.
  std::string bottleneck, stall, strategy;
  std::string strategy_text;  // what was written, where `strategy` was read from words
  Params params;
  std::string hypothesis;
  Facts state;  // numeric facts of the kernel before the change: configuration values, launch facts
  // What was measured. Metrics carry Nsight Compute names.
  Facts metrics_before, metrics_after;
  std::optional<double> latency_before_ms, latency_after_ms;
  std::optional<double> speedup, speedup_lo, speedup_hi;  // latency before / after, and its interval
  std::string correctness;                                // pass, fail
  // What came of it: decision is what the loop did, outcome what the attempt showed.
  std::string decision, outcome, cause, level;
  // Where it belongs.
  std::string campaign;
  std::optional<double> iteration;
  std::string parent, source_before, source_after;
  std::string code_before, code_after;  // hashes of the machine code
  std::string toolkit, driver, condition;
  Tags tags;
  std::string notes;
  std::string source;           // where the figures are published or which file they were read from
  std::string idempotency_key;  // a retried `add` with the same key stores nothing new
  std::string id,
      at;  // which and when, as the input says it: they belong to the event, so to_json leaves them out
  // Keys this version does not know, kept as JSON text.
  std::vector<std::pair<std::string, std::string>> extra;

  bool operator==(const Experience&) const = default;
};

using FieldMember = std::variant<std::string Experience::*, std::optional<double> Experience::*,
                                 Facts Experience::*, Params Experience::*, Tags Experience::*>;

struct Field {
  std::string_view name;
  FieldMember member;
  std::string_view help;
};

// What a field holds: text, a number, named numbers, named scalars, a list of text.
enum class FieldType { text, number, facts, params, tags };
FieldType type_of(const Field& field);

// Every field, in the order of printing.
std::span<const Field> experience_fields();
const Field* find_field(std::string_view name);

// Reads one JSON object. Throws JsonError: not JSON, a field of the wrong type ("latency_before_ms: expected
// a number"). `null` and "" count as not given.
Experience parse_experience(std::string_view json);
void parse_experience(std::string_view json, Experience& into);
// One JSON line in the order of the table; what is not given is left out. parse_experience(to_json(e)) == e.
std::string to_json(const Experience& e);

// The number filed under `name`, or nothing.
std::optional<double> fact(const Facts& facts, std::string_view name);

// Appends unless the name is empty or there already, or the list is full (false): stored objects keep their
// keys apart.
template <class List, class Value>
bool add_named(List& list, std::string_view name, Value value) {
  constexpr std::size_t most = 64;
  bool taken = list.size() >= most || name.empty();
  for (const auto& entry : list) taken |= entry.first == name;
  if (!taken) list.emplace_back(std::string(name), std::move(value));
  return !taken;
}

// A speed-up as rollups add it up: log2(speedup) * 10^4, rounded, so that sums are exact in any order.
std::int64_t log2_speedup_e4(double speedup);

// Size of a problem: log2 of the product of its dimensions, rounded; -1 when the shape is not known.
int log2_size(const Facts& shape);

}  // namespace explog
