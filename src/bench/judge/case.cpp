#include "bench/judge/case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "base/sqlite.h"
#include "base/text.h"

namespace explog::bench {
namespace {

// Evaluates expressions with the dimensions as columns.
class Evaluator {
 public:
  explicit Evaluator(const Dims& dims) : db_(":memory:", sql::Mode::read_write), dims_(dims) {
    std::string names, values;
    for (const auto& [name, value] : dims) {
      names += (names.empty() ? "\"" : ",\"") + name + "\"";
      values += (values.empty() ? "" : ",") + std::to_string(value);
    }
    if (!dims.empty()) with_ = "WITH dims(" + names + ") AS (SELECT " + values + ") ", from_ = " FROM dims";
  }

  double number(const std::string& expression, const std::string& what) {
    try {
      sql::Deadline deadline(db_, 1000);  // a task may be a stranger's
      sql::Stmt stmt(db_, with_ + "SELECT (" + expression + ")" + from_);
      if (stmt.read_only() && stmt.step() && !stmt.is_null(0) && std::isfinite(stmt.real(0)))
        return stmt.real(0);
    } catch (const Error&) {
    }
    throw Error(Exit::usage,
                "task: " + what + ": cannot evaluate '" + printable(expression) + "' for " + dims_text(dims_),
                "use numbers, the dimensions' names, + - * / % and sqrt()");
  }

  std::uint64_t size(const std::string& expression, const std::string& what) {
    double v = number(expression, what);
    if (v < 1 || v > 0x1p48 || v != std::floor(v))
      throw Error(Exit::usage, "task: " + what + ": '" + printable(expression) + "' is " + number_text(v) +
                                   " for " + dims_text(dims_) + ", not a size");
    return static_cast<std::uint64_t>(v);
  }

 private:
  sql::Db db_;
  const Dims& dims_;
  std::string with_, from_;
};

Operand make_operand(const Argument& a, const std::string& distribution, Evaluator& evaluate) {
  Operand o;
  o.argument = &a;
  if (a.role == Role::scalar) {
    o.value = evaluate.number(a.value, a.name + ".value");
    if (a.dtype == Dtype::f32)
      o.value = static_cast<float>(o.value);  // what the kernel gets is what is right
    return o;
  }
  for (const std::string& expression : a.shape) {
    o.row = evaluate.size(expression, a.name + ".shape");
    if (static_cast<double>(o.count) * static_cast<double>(o.row) > 0x1p48)
      throw Error(Exit::usage, "task: " + a.name + ".shape: more than 2^48 elements");
    o.count *= o.row;
    o.shape.push_back(o.row);
  }
  o.scale = evaluate.number(a.scale, a.name + ".scale");
  o.fill = a.fill.empty() ? distribution : a.fill;
  return o;
}

std::string dims_words(const Case& c) {
  std::string words;
  for (const auto& [name, value] : c.dims) words += " " + name + "=" + std::to_string(value);
  return words;
}

// "64x1024"
std::string extents_word(const Operand& o) {
  std::string word;
  for (std::uint64_t extent : o.shape) word += (word.empty() ? "" : "x") + std::to_string(extent);
  return word;
}

// One in 64 elements and one more, of large inputs 4096, each with another that differs from it: of equal ones, the
// first of 64 behind that does.
void stir(char* data, const Operand& o, std::uint64_t seed) {
  if (o.count < 2) return;
  std::size_t bytes = dtype_bytes(o.argument->dtype);
  std::uint64_t swaps = std::min<std::uint64_t>(o.count / 64 + 1, 4096);
  for (std::uint64_t i = 0; i < swaps; ++i) {
    std::uint64_t one = mix(seed, 2 * i) % o.count, step = 1 + mix(seed, 2 * i + 1) % (o.count - 1);
    std::uint64_t other = (one + step) % o.count;
    for (int tries = 0; tries < 64 && std::memcmp(data + one * bytes, data + other * bytes, bytes) == 0;
         ++tries)
      other = (other + 1) % o.count;
    swap_elements(data, o.argument->dtype, one, other);
  }
}

template <class E>
E position(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<E>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

std::size_t Case::input_bytes() const {
  std::size_t sum = 0;
  for (const Operand& o : operands) sum += o.argument->is_input() ? padded(o.bytes()) : 0;
  return sum;
}

std::size_t Case::buffer_bytes() const {
  std::size_t sum = 0;
  for (const Operand& o : operands) sum += o.argument->role == Role::scalar ? 0 : o.bytes();
  return sum;
}

bool Case::has_given() const {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& o) { return o.given != nullptr; });
}

Case make_case(const Task& task, const Dims& dims, const std::string& distribution) {
  Evaluator evaluate(dims);
  Case c;
  c.task = &task;
  c.dims = dims;
  c.distribution = distribution;
  for (const Argument& a : task.arguments) c.operands.push_back(make_operand(a, distribution, evaluate));
  c.reduction = std::max(1.0, evaluate.number(task.reduction, "reduction"));
  c.flops = evaluate.number(task.flops, "flops");
  c.bytes = evaluate.number(task.bytes, "bytes");
  c.rows = evaluate.size(task.rows, "rows");
  return c;
}

std::optional<std::string> broken_limit(const Task& task, const Dims& dims) {
  if (task.limits.empty()) return std::nullopt;
  Evaluator evaluate(dims);
  for (const std::string& limit : task.limits) {
    if (evaluate.number(limit, "limits") == 0) return limit;
  }
  return std::nullopt;
}

std::string runner_words(const Case& c) {
  std::string words = dims_words(c);
  for (const Operand& o : c.operands) {
    const Argument& a = *o.argument;
    words += " " + std::string(role_name(a.role)) + "," + std::string(dtype_name(a.dtype)) + ",";
    words += a.role == Role::scalar ? number_text(o.value)
                                    : extents_word(o) + "," + number_text(o.scale) + "," + o.fill;
  }
  return words;
}

std::string reference_words(const Case& c) {
  std::string words = dims_words(c);
  for (const Operand& o : c.operands) {
    const Argument& a = *o.argument;
    if (a.role == Role::workspace) continue;
    words += " " + a.name;
    words += a.role == Role::scalar
                 ? "=" + number_text(o.value)
                 : "," + std::string(role_name(a.role)) + "," + std::string(dtype_name(a.dtype)) + "," +
                       std::to_string(o.count) + "," + extents_word(o);
  }
  return words;
}

bool is_exact(const Task& task, const std::string& distribution) {
  return std::find(task.exact.begin(), task.exact.end(), distribution) != task.exact.end();
}

FillOrder fill_order(const Case& c, std::size_t index, std::uint64_t seed) {
  const Operand& o = c.operands[index];
  FillOrder order;
  order.fill = position<Fill>(known_distributions(), o.fill);
  order.bits = static_cast<Bits>(o.argument->dtype);
  order.count = o.count;
  order.row = o.row;
  order.scale = o.scale;
  order.seed = mix(seed, index);
  return order;
}

void generate_inputs(const Case& c, std::uint64_t seed, char* to) {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (!o.argument->is_input()) continue;
    FillOrder order = fill_order(c, i, seed);
    if (o.given) {
      std::memcpy(to, o.given->data(), o.bytes());
      if (c.stirred && is_float(o.argument->dtype)) stir(to, o, order.seed);
    } else {
      parallel_for(order.count, 65536,
                   [&](std::size_t begin, std::size_t end) { fill_span(to, order, begin, end); });
    }
    to += padded(o.bytes());
  }
}

void swap_elements(char* data, Dtype dtype, std::uint64_t one, std::uint64_t other) {
  std::size_t bytes = dtype_bytes(dtype);
  std::swap_ranges(data + one * bytes, data + (one + 1) * bytes, data + other * bytes);
}

}  // namespace explog::bench
