#include "bench/foreign_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "bench/draft.h"
#include "bench/harness/python.h"
#include "bench/judge/case.h"
#include "bench/judge/hidden_shapes.h"
#include "bench/judge/signature.h"
#include "model/json.h"
#include "model/kernel_type.h"

namespace explog::bench {
namespace {

constexpr std::array<std::pair<std::string_view, Dtype>, 11> torch_types = {{{"float32", Dtype::f32},
                                                                             {"float", Dtype::f32},
                                                                             {"float64", Dtype::f64},
                                                                             {"float16", Dtype::f16},
                                                                             {"half", Dtype::f16},
                                                                             {"bfloat16", Dtype::bf16},
                                                                             {"int32", Dtype::i32},
                                                                             {"int", Dtype::i32},
                                                                             {"int64", Dtype::i64},
                                                                             {"uint8", Dtype::u8},
                                                                             {"bool", Dtype::u8}}};

std::string declaration_of(const Argument& a) {
  if (a.role == Role::scalar) return c_type_of(a.dtype) + " " + a.name;
  return (a.role == Role::in ? "const " : "") + c_type_of(a.dtype) + "* " + a.name;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "(a + b)", but not "(a)/(b)".
bool is_in_parentheses(std::string_view text) {
  if (!text.starts_with('(')) return false;
  size_t at = 0;
  int depth = 0;
  do {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  } while (++at < text.size() && depth > 0);
  return depth == 0 && at == text.size();
}

std::string product_of(const Argument& a) {
  std::string text = std::to_string(dtype_bytes(a.dtype));
  for (const std::string& size : a.shape) {
    bool is_product = std::all_of(size.begin(), size.end(), [](char c) { return is_word(c) || c == '*'; });
    text += "*" + (is_product || is_in_parentheses(size) ? size : "(" + size + ")");
  }
  return text;
}

}  // namespace

const Json& part(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  auto it = object.find(name);
  return it != object.end() ? *it : none;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }
std::string text_at(const Json& object, const char* name) { return text_of(part(object, name)); }

Json parsed_foreign(const std::string& text, const std::string& what) {
  try {
    return parse_json(text);
  } catch (const JsonError& e) {
    throw Error(Exit::usage, what + ": " + e.what());
  }
}

void refuse_task(const std::string& why, const std::string& hint) {
  throw Error(Exit::usage, "cannot be a task of explog: " + why, hint);
}

std::string name_of(const std::string& text) {
  std::string name = task_name_of(text.substr(0, 64) + ".x");
  return name.substr(0, 64);
}

std::string first_line(const std::string& text) {
  return ellipsis(printable(trim(std::string_view(text).substr(0, text.find('\n')))), 120);
}

std::string type_of(const std::string& op_type, const std::string& name, ForeignTask& made) {
  for (const std::string& text : {op_type, name}) {
    std::string words = lower(text);
    for (char& c : words) c = is_word(c) ? c : '_';
    auto parts = split(words, '_');
    for (size_t length = std::min<size_t>(parts.size(), 3); length > 0; --length) {
      for (size_t first = 0; first + length <= parts.size(); ++first) {
        std::string candidate;
        for (size_t i = first; i < first + length; ++i)
          candidate += (i > first ? "_" : "") + std::string(parts[i]);
        std::string type = canonical_kernel_type(candidate);
        if (!candidate.empty() && is_known_kernel_type(type) && type != "other") return type;
      }
    }
  }
  made.guessed.emplace_back("kernel_type: other");
  return "other";
}

std::optional<Dtype> dtype_of_torch(std::string_view name) {
  name = name.substr(name.rfind('.') + 1);
  auto it =
      std::find_if(torch_types.begin(), torch_types.end(), [&](const auto& t) { return t.first == name; });
  return it != torch_types.end() ? std::optional<Dtype>(it->second) : std::nullopt;
}

std::string sql_of_python(const std::string& text, const std::map<std::string, std::string>& axes) {
  std::string sql;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) {
      std::string word = text.substr(i, end - i);
      auto it = axes.find(word);
      sql += it != axes.end() ? it->second : word;
      i = end;
    } else if (text.compare(i, 2, "//") == 0) {
      sql += '/';
      i += 2;
    } else {
      sql += text[i++];
    }
  }
  return sql;
}

void set_shapes(ForeignTask& made, const std::vector<Dims>& all, size_t most,
                const std::vector<std::pair<std::string, std::int64_t>>& multiples) {
  std::vector<Dims> sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Dims& a, const Dims& b) { return volume(a) < volume(b); });
  TaskBackend backend{"cuda", "", {}};  // finish() names the baseline
  size_t count = std::min(most, sorted.size());
  for (size_t i = 0; i < count; ++i)
    backend.timed.push_back(sorted[count == 1 ? 0 : i * (sorted.size() - 1) / (count - 1)]);
  made.task.backends = {backend};
  std::vector<std::string> none;
  for (const auto& [dim, step] : multiples)
    made.task.limits.push_back(fmt::format("{} % {} == 0", dim, step));
  for (Dims& shape : draft_hidden(backend.timed.back(), none)) {
    for (auto& [dim, size] : shape) {
      for (const auto& [name, step] : multiples)
        if (dim == name) size = std::max(step, size - size % step);
    }
    auto& hidden = made.task.hidden;
    if (std::find(hidden.begin(), hidden.end(), shape) == hidden.end()) hidden.push_back(std::move(shape));
  }
  if (sorted.size() > count)
    made.left_out.push_back(
        fmt::format("{} shapes beyond the {} that are timed", sorted.size() - count, count));
  made.guessed.emplace_back("hidden: made from the largest shape; those that the reference refuses must go");
}

// solve() in CUDA, to be written.
std::string draft_of_kernel(const Task& task, const std::string& file, const std::string& what) {
  std::string parameters;
  for (const Argument& a : task.arguments) parameters += (parameters.empty() ? "" : ", ") + declaration_of(a);
  return "// A DRAFT: " + what +
         " All pointers are the device's.\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n\nextern \"C\" "
         "void "
         "solve(" +
         parameters + ") {\n#error \"" + file + " is a draft: write the kernel here\"\n}\n";
}

// The reference itself, where PyTorch can run it on a GPU. Else a kernel that is to be written.
void set_baseline(ForeignTask& made, const std::string& reference) {
  TaskBackend& backend = made.task.backends[0];
  bool runs = uses_torch(reference);
  backend.baseline = runs ? made.task.reference : "baseline.cu";
  std::string file = runs ? "candidate.cu" : backend.baseline;
  std::string what = runs ? "a candidate with the signature that the task wants."
                          : "the plain, right kernel that candidates of this task are compared with.";
  made.files.emplace(made.files.begin() + 1, file, draft_of_kernel(made.task, file, what));
}

void add_dimension(Task& task, const std::string& dim) {
  if (task.argument(dim) != nullptr) return;
  Argument a;
  a.name = dim;
  a.dtype = Dtype::i32;
  a.role = Role::scalar;
  a.value = dim;
  a.scale = "1";
  task.arguments.push_back(a);
}

void finish(ForeignTask& made, const std::string& reference, const std::string& behind) {
  Task& task = made.task;
  if (trim(reference).empty()) refuse_task("it has no reference");
  bool wide = std::any_of(task.arguments.begin(), task.arguments.end(),
                          [](const Argument& a) { return a.dtype == Dtype::f64 && a.role != Role::scalar; });
  task.distributions = {"normal", "positive", "mixed", "sparse", "integers"};
  task.intermediate = wide ? "f64" : "f32";
  task.unit = wide ? "fp64" : "fp32";
  task.rows = "1";
  if (task.reduction.empty()) {
    task.reduction = "1";
    task.flops = "0";
    made.guessed.emplace_back("reduction: 1, the number of terms added up for one output element; flops: 0");
  }
  for (const Argument& a : task.arguments) {
    if (a.role != Role::scalar) task.bytes += (task.bytes.empty() ? "" : " + ") + product_of(a);
  }
  task.reference = "ref.py";
  made.files.emplace(made.files.begin(), "ref.py", reference + behind);
  set_baseline(made, reference);
  try {
    parse_task(to_json(task));
  } catch (const JsonError& e) {
    refuse_task(e.what());
  }
  for (const Dims& shape : task.backends[0].timed) make_case(task, shape, task.distributions[0]);
}

}  // namespace explog::bench
