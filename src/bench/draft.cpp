#include "bench/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "bench/draft_reference.h"
#include "bench/judge/case.h"
#include "bench/judge/hidden_shapes.h"
#include "bench/judge/signature.h"
#include "model/backend.h"
#include "model/json.h"
#include "model/kernel_type.h"

namespace explog::bench {
namespace {

constexpr double largest_dim = 0x1p48;  // what a case's sizes may be

std::pair<std::string, std::int64_t> parse_dim(std::string_view entry) {
  size_t at = entry.find('=');
  std::string name(trim(entry.substr(0, at)));
  if (at == std::string_view::npos || !is_name(name))
    throw Error(Exit::usage, "--dims: '" + printable(entry) + "' is not of the form NAME=NUMBER",
                "for example --dims N=4096,D=1024");
  std::string text(trim(entry.substr(at + 1)));
  double value = parse_number(text).value_or(0);
  if (value < 1 || value > largest_dim || value != std::floor(value))
    throw Error(Exit::usage,
                "--dims: " + name + " must be a whole number from 1 to 2^48, not '" + printable(text) + "'");
  return {name, static_cast<std::int64_t>(value)};
}

std::string backend_of(const std::string& file) {
  if (!valid_utf8(file))
    throw Error(Exit::usage, printable(file) + ": task.json cannot hold this name", "rename the file");
  if (std::string backend = backend_of_file(file); !backend.empty() && !backend_named(backend).in_python)
    return backend;
  throw Error(Exit::usage, printable(file) + ": neither .cu nor .cpp", "the ending tells the backend");
}

// The family's type that the name begins with: softmax_v2 -> softmax.
std::string kernel_type_of(std::string name) {
  for (;;) {
    std::string type = canonical_kernel_type(name);
    if (is_known_kernel_type(type)) return type;
    size_t at = name.rfind('_');
    if (at == std::string::npos) return "other";
    name.resize(at);
  }
}

bool is_word_for_size(std::string_view word) {
  static constexpr std::array<std::string_view, 14> words = {"num",    "n",     "heads",    "size",  "len",
                                                             "length", "dim",   "dims",     "batch", "rows",
                                                             "cols",   "model", "channels", "seq"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A name without small letters, of one letter, or with a word for sizes is most likely one: N, BATCH, num_heads.
bool looks_like_dimension(const std::string& name) {
  std::vector<std::string_view> words = split(name, '_');
  return name.size() == 1 ||
         std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; }) ||
         std::any_of(words.begin(), words.end(), is_word_for_size);
}

// Turns parameters into arguments and remembers what was guessed.
class Drafter {
 public:
  explicit Drafter(const DraftOrder& order)
      : order_(order),
        signature_(order.signature ? *order.signature : find_signature(order.source, order.file)) {}

  Draft run() {
    if (order_.dims.empty())
      throw Error(Exit::usage, "task init: no dimensions given", "say --dims N=4096,D=1024");
    Task& task = draft_.task;
    std::string backend = order_.backend.empty() ? backend_of(order_.file) : order_.backend;
    task.name = order_.name.empty() ? task_name_of(order_.file) : order_.name;
    if (!is_name(task.name))
      throw Error(Exit::usage, "--name: '" + printable(task.name) + "' is no name (letters, digits and _)");
    for (const auto& [name, value] : order_.dims) task.dims.push_back(name);
    for (const Parameter& p : signature_.parameters) task.arguments.push_back(argument(p));
    if (std::none_of(task.arguments.begin(), task.arguments.end(),
                     [](const Argument& a) { return a.is_output(); }))
      fail("solve has no pointer to non-const, so it has no output",
           "write results through a pointer parameter");
    if (order_.reference.empty())
      guess_shapes();
    else
      ask_reference();
    describe(backend);
    if (!order_.reference.empty()) describe_by_reference();
    must_be_usable();
    draft_.reference = order_.reference.empty() ? reference_text() : order_.reference;
    if (order_.reference.empty()) note("reference.cpp: compute the outputs");
    return std::move(draft_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error(Exit::usage,
                fmt::format("{}:{}: {}", printable(order_.file), signature_.line, printable(what)), hint);
  }
  // What no compiler has seen may still be odd: a parameter named twice, a dimension whose name SQL does not
  // take.
  void must_be_usable() const {
    try {
      parse_task(to_json(draft_.task));
    } catch (const JsonError& e) {
      fail(e.what());
    }
    make_case(draft_.task, order_.dims, draft_.task.distributions[0]);
  }
  void note(std::string text) { draft_.to_finish.push_back(std::move(text)); }

  const std::pair<std::string, std::int64_t>* dimension(const std::string& name) const {
    for (const auto& dim : order_.dims) {
      if (lower(dim.first) == lower(name)) return &dim;
    }
    return nullptr;
  }

  Argument argument(const Parameter& p) {
    std::string place = "parameter " + std::to_string(draft_.task.arguments.size() + 1) + " of solve";
    if (p.name.empty())
      fail(place + " (" + p.type + ") has no name", "the task's arguments are named after them");
    Argument a;
    a.name = p.name;
    a.scale = "1";
    auto dtype = dtype_of_c_type(p.type);
    if (!dtype)
      fail(place + ", " + p.name + ", has the type " + p.type + ", which is no element type",
           "known: float, double, __half, __nv_bfloat16, int, long long, unsigned char");
    a.dtype = *dtype;
    a.role = !p.pointer ? Role::scalar : p.is_const ? Role::in : Role::out;
    if (a.role == Role::scalar) a.value = p.value.empty() ? scalar_value(a) : p.value;
    return a;
  }

  std::string scalar_value(const Argument& a) {
    if (a.dtype == Dtype::f16 || a.dtype == Dtype::bf16)
      fail("parameter " + a.name + ": a 16-bit float cannot be passed by value", "pass a float");
    const auto* dim = is_float(a.dtype) ? nullptr : dimension(a.name);
    if (dim && a.dtype == Dtype::i32 && dim->second > std::numeric_limits<std::int32_t>::max())
      fail(fmt::format("parameter {}: {} does not fit an int", a.name, dim->second));
    if (dim) return dim->first;
    if (!is_float(a.dtype) && looks_like_dimension(a.name))
      fail("parameter " + a.name + " looks like a dimension, and --dims does not give it",
           "add " + a.name + "=NUMBER to --dims");
    note(a.name + ": the scalar's value is set to 1");
    return "1";
  }

  size_t count(Role role) const {
    const auto& list = draft_.task.arguments;
    return static_cast<size_t>(
        std::count_if(list.begin(), list.end(), [&](const Argument& a) { return a.role == role; }));
  }

  // C[M,N] = A[M,K] B[K,N] is what M, N and K with two inputs and one output mean.
  bool is_product() const {
    std::vector<std::string> names;
    for (const std::string& dim : draft_.task.dims) names.push_back(lower(dim));
    std::sort(names.begin(), names.end());
    return names == std::vector<std::string>{"k", "m", "n"} && count(Role::in) == 2 && count(Role::out) == 1;
  }

  std::vector<std::string> named(const std::vector<std::string>& dims) const {
    std::vector<std::string> shape;
    for (const std::string& dim : dims) shape.push_back(dimension(dim)->first);
    return shape;
  }

  void guess_shapes() {
    int inputs = 0;
    for (Argument& a : draft_.task.arguments) {
      if (a.role == Role::scalar) continue;
      a.shape = draft_.task.dims;
      if (is_product())
        a.shape = named(a.role == Role::out ? std::vector<std::string>{"m", "n"}
                        : inputs++ == 0     ? std::vector<std::string>{"m", "k"}
                                            : std::vector<std::string>{"k", "n"});
      std::string roles = a.role == Role::out ? "; role out, or inout when solve reads it, or workspace" : "";
      note(a.name + ": the shape [" + join(a.shape, ", ") + "] is a guess" + roles);
    }
  }

  // Roles and shapes as the reference works with them.
  void ask_reference() {
    std::vector<std::int64_t> counts;
    for (const Parameter& p : signature_.parameters) counts.push_back(p.count);
    facts_ =
        probe_reference(order_.reference_file, order_.reference, draft_.task.arguments, order_.dims, counts);
    std::size_t pointer = 0;
    for (Argument& a : draft_.task.arguments) {
      if (a.role == Role::scalar) continue;
      const std::string& role = facts_.roles.at(pointer);
      a.role = role == "in" ? Role::in : role == "out" ? Role::out : Role::inout;
      a.shape = facts_.shapes.at(pointer++);
    }
  }

  void describe_by_reference() {
    Task& task = draft_.task;
    task.reference = order_.reference_file;
    task.reduction = facts_.reduction;
    task.flops = facts_.flops;
    task.limits = facts_.limits;
    task.hidden = within_limits(std::move(task.hidden), facts_.limits);
    if (!facts_.distributions.empty()) task.distributions = facts_.distributions;
    note("shapes and roles: the first that " + order_.reference_file + " works with; others may fit too");
    note(fmt::format("reduction: {}, flops: {}; estimated by running {}", task.reduction, task.flops,
                     order_.reference_file));
  }

  // Dimensions that no parameter carries: the kernel has them built in, or they do not belong here.
  std::vector<std::string> built_in() const {
    std::vector<std::string> names;
    for (const std::string& dim : draft_.task.dims) {
      const auto& list = draft_.task.arguments;
      if (std::none_of(list.begin(), list.end(), [&](const Argument& a) { return a.value == dim; }))
        names.push_back(dim);
    }
    return names;
  }

  std::string bytes_expression() const {
    std::string sum;
    for (const Argument& a : draft_.task.arguments) {
      if (a.role == Role::scalar) continue;
      sum += (sum.empty() ? "" : " + ") + std::to_string(dtype_bytes(a.dtype)) + "*" + join(a.shape, "*");
    }
    return sum;
  }

  void describe(const std::string& backend) {
    Task& task = draft_.task;
    task.title = (order_.signature ? "" : "solve() of ") + order_.file;
    note("title: say in one line what is computed");
    task.kernel_type = kernel_type_of(task.name);
    if (task.kernel_type == "other" && is_product()) task.kernel_type = "gemm";
    if (task.kernel_type == "other" && !order_.kernel_type.empty()) {
      task.kernel_type = order_.kernel_type;
      note("kernel_type: " + order_.kernel_type + " is a guess: " + order_.type_reason);
    }
    if (task.kernel_type == "other") note("kernel_type: other");
    std::vector<std::string> fixed = order_.signature ? std::vector<std::string>{} : built_in();
    for (const std::string& dim : fixed)
      note(dim + ": no parameter of solve has this name; hidden shapes keep its value");
    task.backends = {{backend, order_.file, {order_.dims}}};
    task.hidden = draft_hidden(order_.dims, fixed);
    note("hidden: shapes that solve need not support must go");
    task.distributions = {"normal", "positive", "mixed", "sparse", "integers"};
    describe_work();
  }

  // How many terms an output's element adds up, as an expression: of what works along rows, a row.
  std::string terms() const {
    if (is_product()) return named({"k"})[0];
    static const std::set<std::string> families = {"softmax", "normalization", "loss", "reduction"};
    const auto& list = draft_.task.arguments;
    auto first = std::find_if(list.begin(), list.end(),
                              [](const Argument& a) { return a.role != Role::scalar && !a.shape.empty(); });
    if (first == list.end() || !families.contains(family_of(draft_.task.kernel_type))) return "1";
    return first->shape.back();
  }

  void describe_work() {
    Task& task = draft_.task;
    Dtype widest = Dtype::u8;
    for (const Argument& a : task.arguments) {
      if (a.role != Role::scalar && is_float(a.dtype))
        widest = a.dtype == Dtype::f64 ? Dtype::f64 : Dtype::f32;
      if (widest == Dtype::f64) break;
    }
    task.intermediate = widest == Dtype::f64 ? "f64" : "f32";
    task.unit = widest == Dtype::f64 ? "fp64" : "fp32";
    task.reduction = terms();
    task.rows = "1";
    task.flops = is_product() ? "2*" + join(named({"m", "n", "k"}), "*") : "0";
    task.bytes = bytes_expression();
    task.reference = "reference.cpp";
    if (!is_product() && order_.reference.empty())
      note(fmt::format("reduction: {}, the number of terms added up for one output element; flops: 0",
                       task.reduction));
  }

  // A parameter's name, unless reference() has that name already.
  std::string local(const Argument& a) const {
    static const std::set<std::string> taken = {"p", "begin", "end", "real"};
    std::string name = a.name;
    while (taken.contains(name) || (name != a.name && draft_.task.argument(name))) name += "_";
    return name;
  }

  std::string declaration(const Argument& a) const {
    if (a.role == Role::scalar && is_float(a.dtype))
      return fmt::format("const double {} = p.scalar(\"{}\")", local(a), a.name);
    if (a.role == Role::scalar) return fmt::format("const std::int64_t {} = p.dim(\"{}\")", local(a), a.name);
    return fmt::format("{}{}* {} = p.{}{}(\"{}\")", a.role == Role::in ? "const " : "",
                       is_float(a.dtype) ? "real" : "std::int64_t", local(a),
                       a.role == Role::in ? "in" : "out", is_float(a.dtype) ? "" : "_int", a.name);
  }

  std::string reference_text() const {
    std::string text =
        "// A DRAFT: it refuses to compute, so this task cannot be used yet. To finish it: compute every "
        "element of\n"
        "// each output below, in plain loops and in `real`, exactly as solve() is meant to; write each long "
        "sum as\n"
        "// `for (std::int64_t k : terms(K))`. Where terms cancel, set p.magnitude(output) to the sum of "
        "their magnitudes.\n"
        "// With \"rows\" in task.json, compute the items [begin, end) only. Then delete the line that "
        "throws.\n"
        "#include <stdexcept>\n\n"
        "#include \"explog_reference.h\"\n\nnamespace explog {\n\n"
        "void reference(Problem& p, [[maybe_unused]] std::int64_t begin, [[maybe_unused]] std::int64_t end) "
        "{\n";
    for (const Argument& a : draft_.task.arguments) text += "  [[maybe_unused]] " + declaration(a) + ";\n";
    return text +
           "  throw std::runtime_error(\"reference.cpp is a draft: compute the outputs here\");\n}\n\n"
           "}  // namespace explog\n";
  }

  const DraftOrder& order_;
  ReferenceFacts facts_;
  Signature signature_;
  Draft draft_;
};

}  // namespace

Dims parse_dims(const std::vector<std::string>& texts) {
  Dims dims;
  for (const std::string& text : texts) {
    for (std::string_view entry : split(text, ',')) {
      auto dim = parse_dim(trim(entry));
      for (const auto& [name, value] : dims) {
        if (lower(name) == lower(dim.first))
          throw Error(Exit::usage, "--dims: " + dim.first + " is given twice");
      }
      dims.push_back(std::move(dim));
    }
  }
  return dims;
}

std::string task_name_of(const std::string& file) {
  std::string name = file.substr(0, file.rfind('.'));
  for (char& c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter) c = '_';
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "_" + name;
  return name.substr(0, 64);
}

Draft draft_task(const DraftOrder& order) { return Drafter(order).run(); }

}  // namespace explog::bench
