#include "bench/changed_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace explog::bench {
namespace {

// Of what is given, an element gets the place of the one of eight others that is furthest from it.
void swap_far(const Operand& o, char* data, std::uint64_t index, std::uint64_t seed) {
  Dtype dtype = o.argument->dtype;
  double before = element_value(dtype, data, index), furthest = -1;
  std::uint64_t chosen = index;
  for (std::uint64_t i = 0; i < 8; ++i) {
    std::uint64_t other = mix(seed, i) % o.count;
    double distance = std::abs(element_value(dtype, data, other) - before);
    if (distance > furthest) furthest = distance, chosen = other;
  }
  if (chosen != index) swap_elements(data, dtype, index, chosen);
}

// Whole numbers that are given may be places in a table: no other number need be one.
bool may_change(const Operand& o) {
  return o.argument->is_input() && (!o.given || is_float(o.argument->dtype));
}

// What one element is changed to: a number far above the others where the task has such numbers, else another of its own.
std::string outlying(const Case& c, std::size_t operand) {
  const Task& task = *c.task;
  if (is_exact(task, c.distribution) || !c.operands[operand].argument->fill.empty()) return "";
  for (const char* fill : {"large", "mixed"}) {
    const auto& d = task.distributions;
    if (std::find(d.begin(), d.end(), fill) != d.end() && !is_exact(task, fill)) return fill;
  }
  return "";
}

enum class Wanted { furthest, greatest };

// Writes the one of eight values of the operand's distribution that is furthest from what stands there, or the greatest.
void change_element(const Case& c, std::size_t operand, char* data, std::uint64_t index, std::uint64_t seed,
                    Wanted wanted) {
  Dtype dtype = c.operands[operand].argument->dtype;
  double before = element_value(dtype, data, index), best = -std::numeric_limits<double>::infinity();
  std::uint64_t chosen = seed;
  for (std::uint64_t i = 0; i < 8; ++i) {
    fill_at(data, fill_order(c, operand, mix(seed, i)), index);
    double value = element_value(dtype, data, index);
    double rank = wanted == Wanted::greatest ? value : std::abs(value - before);
    if (rank > best) best = rank, chosen = mix(seed, i);
  }
  fill_at(data, fill_order(c, operand, chosen), index);
}

std::uint64_t anywhere(const Operand& o, std::uint64_t seed) { return mix(seed, 1) % o.count; }

// One of the last elements of some row: what is left out of a long sum is most likely its end.
std::uint64_t at_an_end(const Operand& o, std::uint64_t seed) {
  constexpr std::uint64_t end = 32;
  std::uint64_t from_end = mix(seed, 2) % 2 == 0 ? 0 : mix(seed, 3) % std::min(o.row, end);
  return (mix(seed, 4) % (o.count / o.row) + 1) * o.row - 1 - from_end;
}

}  // namespace

std::string ChangedInputs::make() {
  const Case& c = prepared_.problem;
  std::vector<std::pair<std::size_t, char*>> inputs;
  char* at = bench_.inputs.data();
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (!c.operands[i].argument->is_input()) continue;
    bool is_summed = c.distribution != "positive" || is_float(c.operands[i].argument->dtype);
    if (may_change(c.operands[i]) && is_summed) inputs.emplace_back(i, at);
    at += padded(c.operands[i].bytes());
  }
  if (inputs.empty()) return "";
  std::tie(operand_, data_) = inputs[mix(seed_, 0) % inputs.size()];
  const Operand& o = c.operands[operand_];
  if (o.given) {
    swap_far(o, data_, anywhere(o, seed_), seed_);
    expect_as_before();
  } else if (std::string fill = outlying(c, operand_); fill.empty() || !stand_out(fill)) {
    change(c);
    expect_as_before();
  }
  return o.argument->name;
}

void ChangedInputs::change(const Case& c) {
  const Operand& o = c.operands[operand_];
  change_element(c, operand_, data_, anywhere(o, seed_), mix(seed_, 5), Wanted::furthest);
  change_element(c, operand_, data_, at_an_end(o, seed_), mix(seed_, 6), Wanted::greatest);
}

void ChangedInputs::expect_as_before() {
  trusted_.reference.compute(prepared_.problem);
  allowed_ = prepared_.baseline;
  for (double& row : allowed_) row *= 1.5;  // the baseline's error is that of the unchanged inputs
}

// False where the task is not made for such numbers: its reference or its baseline is not right with them.
bool ChangedInputs::stand_out(const std::string& fill) {
  Case c = prepared_.problem;
  c.operands[operand_].fill = fill;
  change(c);
  try {
    trusted_.reference.compute(c);
  } catch (const Error&) {
    return false;
  }
  auto errors = errors_of_baseline(bench_, trusted_, c);
  if (errors) allowed_ = *errors;
  return errors.has_value();
}

}  // namespace explog::bench
