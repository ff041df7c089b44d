// Lists of numbers, worked out.
#include <cmath>

#include "model/json.h"
#include "model/python_expression.h"

namespace explog {
namespace {

using Kind = PythonNode::Kind;

constexpr std::size_t most_elements = 4096;
constexpr double largest_element = 9007199254740992.0;  // 2^53

// A number, or a list where `many`.
struct Value {
  bool many = false;
  std::vector<double> numbers;
};

Value one(double number) { return {false, {number}}; }

struct Variable {
  std::string name;
  double value = 0;
};

class Evaluator {
 public:
  Value value(const PythonNode& n) {
    switch (n.kind) {
      case Kind::number:
        return one(n.number);
      case Kind::name:
        return one(variable(n.text));
      case Kind::list:
        return list(n);
      case Kind::comprehension:
        return comprehension(n);
      case Kind::call:
        return call(n);
      case Kind::negative:
        return one(-single(n.parts[0]));
      case Kind::binary:
        return binary(n);
      default:
        bad("a list of values is made by a condition, which is not read");
    }
  }

 private:
  double variable(const std::string& name) const {
    for (const Variable& v : variables_) {
      if (v.name == name) return v.value;
    }
    bad("the name " + name + " is not known in a list of values");
  }

  double single(const PythonNode& n) {
    Value v = value(n);
    if (v.many) bad("a list stands where a number must");
    return v.numbers[0];
  }

  Value kept(Value list) {
    made_ += list.numbers.size();
    if (made_ > most_elements) bad("a list of more than " + std::to_string(most_elements) + " values");
    return list;
  }

  Value list(const PythonNode& n) {
    Value all{true, {}};
    for (const PythonNode& part : n.parts) all.numbers.push_back(single(part));
    return kept(std::move(all));
  }

  Value comprehension(const PythonNode& n) {
    Value from = value(n.parts[1]), all{true, {}};
    if (!from.many) bad("'for " + n.text + " in' needs a list");
    for (double number : from.numbers) {
      variables_.insert(variables_.begin(), {n.text, number});
      all.numbers.push_back(single(n.parts[0]));
      variables_.erase(variables_.begin());
    }
    return kept(std::move(all));
  }

  Value call(const PythonNode& n) {
    if (n.text == "list" && n.parts.size() == 1) {
      Value inside = value(n.parts[0]);
      if (!inside.many) bad("list() needs a list");
      return inside;
    }
    if (n.text != "range" || n.parts.empty() || n.parts.size() > 3)
      bad(n.text + "() is not read in a list of values, range() and list() are");
    std::vector<double> numbers;
    for (const PythonNode& part : n.parts) numbers.push_back(single(part));
    double begin = numbers.size() > 1 ? numbers[0] : 0;
    double end = numbers.size() > 1 ? numbers[1] : numbers[0];
    double step = numbers.size() > 2 ? numbers[2] : 1;
    if (!std::isfinite(begin) || !std::isfinite(end) || !(std::abs(step) >= 1))
      bad("range() needs whole numbers, and a step that is not 0");
    Value all{true, {}};
    for (double at = begin; step > 0 ? at < end : at > end; at += step) {
      all.numbers.push_back(at);
      if (all.numbers.size() > most_elements) break;
    }
    return kept(std::move(all));
  }

  Value binary(const PythonNode& n) {
    Value left = value(n.parts[0]), right = value(n.parts[1]);
    if (left.many && right.many && n.text == "+") {
      left.numbers.insert(left.numbers.end(), right.numbers.begin(), right.numbers.end());
      return kept(std::move(left));
    }
    if (left.many || right.many) bad("a list stands where a number must");
    double result = worked_out(n.text, left.numbers[0], right.numbers[0]);
    if (!(std::abs(result) <= largest_element)) bad("a value beyond 2^53");
    return one(result);
  }

  static double worked_out(const std::string& sign, double a, double b) {
    if (sign == "+") return a + b;
    if (sign == "-") return a - b;
    if (sign == "*") return a * b;
    if (sign == "**") return std::pow(a, b);
    if (b == 0) bad("a division by zero in a list of values");
    if (sign == "/") return a / b;
    if (sign == "//") return std::floor(a / b);
    return a - b * std::floor(a / b);
  }

  std::vector<Variable> variables_;  // innermost first
  std::size_t made_ = 0;
};

}  // namespace

std::vector<double> python_list(const PythonNode& list) {
  Value value = Evaluator().value(list);
  if (!value.many) bad("one value stands where a list must");
  return value.numbers;
}

}  // namespace explog
