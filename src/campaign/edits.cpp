#include "campaign/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "campaign/source_text.h"
#include "model/source_flags.h"

namespace explog::campaign {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr int first_factor = 4, least_factor = 2, most_factor = 16;  // of an unrolled loop

struct Source {
  std::string_view text;
  std::string code;
  Language language;
  std::vector<SourceEdit>& edits;
  void add(std::string strategy, std::string change, std::vector<Insertion> insertions) {
    edits.push_back({std::move(strategy), std::move(change), edited(text, std::move(insertions))});
  }
};

// A kernel, or the function that is called: what stands between its name and the end of its body.
struct Function {
  std::string_view name;
  std::size_t at = 0;               // of its name
  std::size_t open = 0, close = 0;  // its parameters' brackets
  std::size_t body = 0, end = 0;    // its braces; 0 for a declaration
};

Function function_at(std::string_view code, std::size_t name) {
  Function f{name_at(code, name), name, 0, 0, 0, 0};
  f.open = next_sign(code, name + f.name.size());
  if (f.name.empty() || f.open >= code.size() || code[f.open] != '(') return {};
  f.close = behind_bracket(code, f.open);
  if (f.close == npos) return {};
  std::size_t brace = next_sign(code, f.close);
  if (brace >= code.size() || code[brace] != '{') return {};
  f.body = brace, f.end = behind_bracket(code, brace);
  return f.end == npos ? Function{} : f;
}

// Of `__global__ void __launch_bounds__(256) name(...)`: where the attribute's bracket opens, 0 for none, and the function.
struct Kernel {
  std::size_t bounds = 0;
  Function function;
};

std::vector<Kernel> kernels_in(std::string_view code) {
  std::vector<Kernel> kernels;
  for (std::size_t at : places_of(code, "__global__")) {
    Kernel k;
    for (std::size_t word = next_sign(code, at + 10); !name_at(code, word).empty();) {
      std::string_view name = name_at(code, word);
      std::size_t behind = next_sign(code, word + name.size());
      if (name == "__launch_bounds__") {
        k.bounds = behind, behind = behind_bracket(code, behind);
        if (behind == npos) break;
        behind = next_sign(code, behind);
      } else if (behind < code.size() && code[behind] == '(') {
        k.function = function_at(code, word);
        break;
      }
      word = behind;
    }
    if (k.function.end != 0) kernels.push_back(k);
  }
  return kernels;
}

std::vector<Function> functions_of(const Source& s) {
  std::vector<Function> list;
  if (s.language == Language::cuda)
    for (const Kernel& k : kernels_in(s.code)) list.push_back(k.function);
  else
    for (std::size_t at : places_of(s.code, "solve")) list.push_back(function_at(s.code, at));
  std::erase_if(list, [](const Function& f) { return f.end == 0; });
  return list;
}

// The second word between the angles of the launch: "128" of `name<<<grid, 128>>>`. Empty unless it is one word.
std::string launched_threads(std::string_view code, std::string_view kernel) {
  std::size_t at = code.find(std::string(kernel) + "<<<");
  if (at == npos) return "";
  std::size_t from = at + kernel.size() + 3, end = code.find(">>>", from);
  if (end == npos) return "";
  int depth = 0;
  std::vector<std::string> words(1);
  for (char c : code.substr(from, end - from)) {
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  if (words.size() < 2) return "";
  std::string threads(trim(words[1]));
  return name_at(threads, 0) == threads ? threads : "";
}

// A name can stand in an attribute where it is a constant of the whole file.
bool is_constant_of_file(std::string_view code, std::string_view word) {
  if (word.find_first_not_of("0123456789") == npos) return true;
  for (std::size_t at : places_of(code, word)) {
    std::size_t line = code.rfind('\n', at) == npos ? 0 : code.rfind('\n', at) + 1;
    std::string_view before = code.substr(line, at - line);
    if (before.starts_with("constexpr ") || before.starts_with("static constexpr ") ||
        before.starts_with("#define "))
      return true;
  }
  return false;
}

void launch_bounds(Source& s) {
  for (const Kernel& k : kernels_in(s.code)) {
    std::string name(k.function.name);
    if (k.bounds == 0) {
      std::string threads = launched_threads(s.code, k.function.name);
      if (!threads.empty() && is_constant_of_file(s.code, threads))
        s.add("launch_bounds", fmt::format("__launch_bounds__({}) for {}", threads, name),
              {{k.function.at, 0, "__launch_bounds__(" + threads + ") "}});
      continue;
    }
    std::size_t close = behind_bracket(s.code, k.bounds) - 1;
    std::string inside(trim(s.text.substr(k.bounds + 1, close - k.bounds - 1)));
    if (inside.find(',') == npos)
      s.add("launch_bounds", fmt::format("at least 2 blocks a multiprocessor for {}", name),
            {{close, 0, ", 2"}});
  }
}

// A loop in which there is no other, at the beginning of its line.
struct Loop {
  std::size_t line = 0, at = 0;
};

std::vector<Loop> inner_loops(std::string_view code) {
  std::vector<Loop> loops;
  const auto all = places_of(code, "for");
  for (std::size_t at : all) {
    std::size_t open = next_sign(code, at + 3);
    std::size_t close = open < code.size() && code[open] == '(' ? behind_bracket(code, open) : npos;
    if (close == npos) continue;
    std::size_t body = next_sign(code, close);
    std::size_t end =
        body < code.size() && code[body] == '{' ? behind_bracket(code, body) : code.find(';', body);
    bool holds_another =
        std::any_of(all.begin(), all.end(), [&](std::size_t other) { return other > close && other < end; });
    std::size_t line = code.rfind('\n', at) == npos ? 0 : code.rfind('\n', at) + 1;
    if (!holds_another && trim(code.substr(line, at - line)).empty()) loops.push_back({line, at});
  }
  return loops;
}

// The pragma in the line before, or nothing.
std::string_view line_before(std::string_view text, std::size_t line) {
  if (line == 0) return "";
  std::size_t begin = line < 2 ? npos : text.rfind('\n', line - 2);
  begin = begin == npos ? 0 : begin + 1;
  return trim(text.substr(begin, line - 1 - begin));
}

void unrolling(Source& s) {
  const std::string pragma = s.language == Language::cuda ? "#pragma unroll" : "#pragma GCC unroll";
  const auto loops = inner_loops(s.code);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string where = fmt::format("at inner loop {} of {}", i + 1, loops.size());
    std::string_view before = line_before(s.text, loops[i].line);
    std::string indent(loops[i].at - loops[i].line, ' ');
    if (!before.starts_with("#pragma")) {
      s.add("loop_unroll", fmt::format("{} {} {}", pragma, first_factor, where),
            {{loops[i].line, 0, fmt::format("{}{} {}\n", indent, pragma, first_factor)}});
      continue;
    }
    auto factor =
        before.starts_with(pragma) ? parse_number(trim(before.substr(pragma.size()))) : std::nullopt;
    if (!factor) continue;
    auto number = static_cast<std::size_t>(before.data() - s.text.data()) + before.rfind(' ') + 1;
    for (double other : {*factor * 2, *factor / 2}) {
      if (other < least_factor || other > most_factor || other != static_cast<int>(other)) continue;
      s.add(other > *factor ? "unroll:up" : "unroll:down", fmt::format("{} {:g} {}", pragma, other, where),
            {{number, static_cast<std::size_t>(before.data() + before.size() - s.text.data()) - number,
              number_text(other)}});
    }
  }
}

void restricted(Source& s) {
  const std::string word = "__restrict__";
  for (const Function& f : functions_of(s)) {
    std::vector<Insertion> insertions;
    for (std::size_t at = f.open; (at = s.code.find('*', at + 1)) < f.close;) {
      bool has = name_at(s.code, next_sign(s.code, at + 1)).starts_with("__restrict");
      if (!has && s.code[at + 1] != '*') insertions.push_back({at + 1, 0, " " + word});
    }
    if (!insertions.empty())
      s.add(s.language == Language::cuda ? "readonly_cache:on" : "restrict_pointers",
            fmt::format("{} for the pointers of {}", word, f.name), std::move(insertions));
  }
}

// Names of parameters `const float* x` of types that __ldg takes.
std::vector<std::string_view> read_only(const Source& s, const Function& f) {
  constexpr std::array<std::string_view, 8> types = {"float",  "double", "int",  "unsigned",
                                                     "float2", "float4", "int4", "uint4"};
  std::vector<std::string_view> names;
  for (std::size_t at : places_of(s.code, "const")) {
    if (at <= f.open || at >= f.close) continue;
    std::string_view type = name_at(s.code, next_sign(s.code, at + 5));
    std::size_t star = next_sign(s.code, next_sign(s.code, at + 5) + type.size());
    if (std::find(types.begin(), types.end(), type) == types.end() || s.code[star] != '*') continue;
    std::size_t name = next_sign(s.code, star + 1);
    if (name_at(s.code, name).starts_with("__restrict"))
      name = next_sign(s.code, name + name_at(s.code, name).size());
    if (!name_at(s.code, name).empty()) names.push_back(name_at(s.code, name));
  }
  return names;
}

void cached_loads(Source& s) {
  for (const Kernel& k : kernels_in(s.code)) {
    const Function& f = k.function;
    for (std::string_view name : read_only(s, f)) {
      std::vector<Insertion> insertions;
      for (std::size_t at : places_of(s.code, name)) {
        std::size_t open = next_sign(s.code, at + name.size());
        bool read =
            at > f.body && at < f.end && open < s.code.size() && s.code[open] == '[' && s.code[at - 1] != '&';
        std::size_t close = read ? behind_bracket(s.code, open) : npos;
        bool nested = !insertions.empty() && at < insertions.back().at;
        if (close == npos || nested) continue;
        insertions.push_back({at, 0, "__ldg(&"}), insertions.push_back({close, 0, ")"});
      }
      if (!insertions.empty())
        s.add("readonly_cache", fmt::format("__ldg for {} of {}", name, f.name), std::move(insertions));
    }
  }
}

void fast_functions(Source& s) {
  constexpr std::array<std::string_view, 5> functions = {"expf", "logf", "sinf", "cosf", "powf"};
  std::vector<Insertion> insertions;
  for (std::string_view function : functions) {
    for (std::size_t at : places_of(s.code, function))
      if (s.code.substr(at + function.size(), 1) == "(") insertions.push_back({at, 0, "__"});
  }
  if (!insertions.empty()) s.add("fast_math", "intrinsics instead of exact functions", std::move(insertions));
}

// What a compiler may do, for all functions of the file; before the headers it would change those.
void compiler_options(Source& s) {
  std::size_t behind = 0;
  for (std::size_t at = 0; (at = s.code.find("#include", at)) != npos; at += 8)
    behind = s.code.find('\n', at) == npos ? s.code.size() : s.code.find('\n', at) + 1;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> options = {
      {{"compiler:O3", "O3"}, {"compiler:unroll_loops", "unroll-loops"}, {"fast_math", "fast-math"}}};
  for (const auto& [strategy, option] : options) {
    std::string pragma = fmt::format("#pragma GCC optimize(\"{}\")", option);
    if (s.text.find(option) == npos)
      s.add(std::string(strategy), pragma + " for the file", {{behind, 0, pragma + "\n"}});
  }
}

// What nvcc may do, as a line of the source. A cap on registers that no kernel reaches compiles to the same code, and is not
// judged then.
void compiler_flags(Source& s) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> flags = {
      {{"fast_math", "-use_fast_math"},
       {"launch_bounds", "--maxrregcount=128"},
       {"launch_bounds", "--maxrregcount=64"},
       {"launch_bounds", "--maxrregcount=32"},
       {"compiler:dlcm_cg", "-Xptxas=-dlcm=cg"}}};
  const std::vector<std::string> has = flags_in_source(s.text);
  for (const auto& [strategy, flag] : flags) {
    if (std::find(has.begin(), has.end(), flag) == has.end())
      s.edits.push_back(
          {std::string(strategy), fmt::format("nvcc {} for the file", flag), with_flag(s.text, flag)});
  }
}

}  // namespace

std::vector<SourceEdit> source_edits(std::string_view source, Language language) {
  std::vector<SourceEdit> edits;
  Source s{source, code_only(source), language, edits};
  if (language == Language::cuda) launch_bounds(s);
  unrolling(s);
  restricted(s);
  if (language == Language::cuda) cached_loads(s), fast_functions(s), compiler_flags(s);
  if (language == Language::cxx) compiler_options(s);
  return edits;
}

}  // namespace explog::campaign
