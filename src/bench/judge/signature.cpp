#include "bench/judge/signature.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "model/comments.h"

namespace explog::bench {
namespace {

// Of several names of a type the first is the one that we write.
constexpr std::array<std::pair<std::string_view, Dtype>, 22> c_types = {{
    {"float", Dtype::f32},        {"double", Dtype::f64},
    {"__half", Dtype::f16},       {"half", Dtype::f16},
    {"_Float16", Dtype::f16},     {"__nv_bfloat16", Dtype::bf16},
    {"nv_bfloat16", Dtype::bf16}, {"__bf16", Dtype::bf16},
    {"int", Dtype::i32},          {"int32_t", Dtype::i32},
    {"std::int32_t", Dtype::i32}, {"unsigned int", Dtype::i32},
    {"uint32_t", Dtype::i32},     {"long long", Dtype::i64},
    {"long", Dtype::i64},         {"int64_t", Dtype::i64},
    {"std::int64_t", Dtype::i64}, {"size_t", Dtype::i64},
    {"unsigned char", Dtype::u8}, {"uint8_t", Dtype::u8},
    {"std::uint8_t", Dtype::u8},  {"unsigned long long", Dtype::i64},
}};

// 16-bit floats may also be passed as their bits.
bool is_raw_16_bit(std::string_view type) {
  return type == "unsigned short" || type == "uint16_t" || type == "std::uint16_t" || type == "short";
}

std::string squeeze(std::string_view s) {
  std::string out;
  for (char c : s) {
    bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return std::string(trim(out));
}

Parameter parse_parameter(std::string_view text) {
  Parameter p;
  std::string s = squeeze(text);
  RE2::GlobalReplace(&s, R"(\b(__restrict__|__restrict|restrict|struct|__grid_constant__)\b)", " ");
  p.pointer = s.find('*') != std::string::npos || s.find('[') != std::string::npos;
  p.is_const = RE2::PartialMatch(s.substr(0, s.find('*')), R"(\bconst\b)");
  RE2::GlobalReplace(&s, R"(\[[^\]]*\])", " ");
  RE2::GlobalReplace(&s, R"(\bconst\b|[*&])", " ");
  s = squeeze(s);
  static const RE2 form(R"((.*?[A-Za-z0-9_>]) ([A-Za-z_][A-Za-z0-9_]*))");
  if (!RE2::FullMatch(s, form, &p.type, &p.name) || p.name == "long" || p.name == "int" || p.name == "char") {
    p.type = s;
    p.name.clear();
  }
  return p;
}

[[noreturn]] void mismatch(const std::string& file, int line, const std::string& what, const Task& task) {
  std::string names;
  for (const Argument& a : task.arguments) names += (names.empty() ? "" : ", ") + a.name;
  throw Error(Exit::usage, fmt::format("{}:{}: {}", file, line, what),
              fmt::format("the arguments of task {} are ({})", task.name, names));
}

std::string expected_text(const Argument& a) {
  std::string type(dtype_name(a.dtype));
  if (a.role == Role::scalar) return "the scalar " + a.name + " of type " + type;
  return (a.role == Role::in ? "a pointer to const " : "a pointer to ") + type + " (" + a.name + ")";
}

bool fits(const Parameter& p, const Argument& a) {
  bool scalar = a.role == Role::scalar;
  if (p.pointer == scalar) return false;
  if (!scalar && p.is_const && a.role != Role::in) return false;
  auto dtype = dtype_of_c_type(p.type);
  if (dtype) return *dtype == a.dtype;
  bool narrow = a.dtype == Dtype::f16 || a.dtype == Dtype::bf16;
  return !scalar && (p.type == "void" || (narrow && is_raw_16_bit(p.type)) ||
                     (!is_raw_16_bit(p.type) && p.type != "char"));
}

bool is_c_file(const std::string& file) { return file.ends_with(".c"); }

// Anything but ; { } between extern "C" and solve: attributes, the return type. In a block the brace comes first.
bool find_solve(const std::string& text, re2::StringPiece& word, re2::StringPiece& parameters) {
  static const RE2 before(R"re((?s)\bvoid\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?(solve)\s*\(([^(){};]*)\))re");
  static const RE2 behind(R"re(\bauto\s+(solve)\s*\(([^(){};]*)\)\s*(?:noexcept\s*)?->\s*void\b)re");
  return RE2::PartialMatch(text, before, &word, &parameters) ||
         RE2::PartialMatch(text, behind, &word, &parameters);
}

std::vector<std::size_t> by_place(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

std::optional<Dtype> dtype_of_c_type(std::string_view type) {
  for (const auto& [name, dtype] : c_types) {
    if (name == type) return dtype;
  }
  return std::nullopt;
}

std::string c_type_of(Dtype dtype) {
  return std::string(
      std::find_if(c_types.begin(), c_types.end(), [&](const auto& t) { return t.second == dtype; })->first);
}

Signature find_signature(std::string_view source, const std::string& file) {
  std::string text = without_comments(source, {.literals = true});
  re2::StringPiece word, parameters;
  bool exported = is_c_file(file) || text.find("extern \"C\"") != std::string::npos;
  if (!exported || !find_solve(text, word, parameters))
    throw Error(Exit::usage, file + ": no `extern \"C\" void solve(...)` outside comments",
                "export the kernel's launcher under that name");
  Signature s;
  s.line = 1 + static_cast<int>(std::count(static_cast<const char*>(text.data()), word.data(), '\n'));
  std::string list(trim(std::string_view(parameters.data(), parameters.size())));
  if (list.empty() || list == "void") return s;
  for (std::string_view part : split(list, ',')) s.parameters.push_back(parse_parameter(part));
  return s;
}

std::vector<std::size_t> argument_order(const Signature& signature, const Task& task) {
  std::vector<std::size_t> order;
  for (const Parameter& p : signature.parameters) {
    auto same = [&](const Argument& a) { return a.name == p.name; };
    auto it = std::find_if(task.arguments.begin(), task.arguments.end(), same);
    auto index = static_cast<std::size_t>(it - task.arguments.begin());
    if (it == task.arguments.end() || std::find(order.begin(), order.end(), index) != order.end())
      return by_place(task.arguments.size());
    order.push_back(index);
  }
  return order.size() == task.arguments.size() ? order : by_place(task.arguments.size());
}

std::vector<std::size_t> argument_order(std::string_view source, const std::string& file, const Task& task) {
  try {
    return argument_order(find_signature(source, file), task);
  } catch (const Error&) {
    return by_place(task.arguments.size());
  }
}

void check_signature(std::string_view source, const std::string& file, const Task& task) {
  Signature s = find_signature(source, file);
  if (s.parameters.size() != task.arguments.size())
    mismatch(file, s.line,
             fmt::format("solve has {} parameters, the task {} has {}", s.parameters.size(), task.name,
                         task.arguments.size()),
             task);
  std::vector<std::size_t> order = argument_order(s, task);
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    const Parameter& p = s.parameters[i];
    const Argument& a = task.arguments[order[i]];
    if (!fits(p, a))
      mismatch(file, s.line,
               fmt::format("parameter {} of solve ({}{}{}) must be {}", i + 1, p.is_const ? "const " : "",
                           p.type, p.pointer ? "*" : "", expected_text(a)),
               task);
  }
}

}  // namespace explog::bench
