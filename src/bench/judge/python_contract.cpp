#include "bench/judge/python_contract.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "model/comments.h"

namespace explog::bench {
namespace {

using Kind = PythonContract::Kind;

// What a decorator makes of a function. A function for the host is called like any other.
struct Decorator {
  std::string_view name, backend;
  bool host = false;
};

constexpr std::array<Decorator, 4> kernel_decorators = {{
    {"triton.jit", "triton"},
    {"cuda.tile.kernel", "cutile"},
    {"cutlass.cute.kernel", "cutedsl"},
    {"cutlass.cute.jit", "cutedsl", true},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> backend_modules = {{
    {"triton", "triton"},
    {"cuda.tile", "cutile"},
    {"cutlass", "cutedsl"},
}};

// A function or class of the module itself.
struct Definition {
  bool is_class = false;
  std::string name;
  const Decorator* kernel = nullptr;
  std::size_t behind = 0;  // of its name in the text
};

struct Imports {
  std::vector<std::string> modules;
  std::map<std::string, std::string, std::less<>> names;  // in the file -> of the module
};

void add_module(Imports& imports, const std::string& module) {
  if (std::find(imports.modules.begin(), imports.modules.end(), module) == imports.modules.end())
    imports.modules.push_back(module);
}

// "a.b as c" or "a.b"; `from` is empty or the module that it comes from, with a dot.
void add_import(Imports& imports, std::string_view item, const std::string& from) {
  static const RE2 form(R"(\s*([\w.]+)(?:\s+as\s+(\w+))?\s*)");
  std::string name, alias;
  if (!RE2::FullMatch(re2::StringPiece(item.data(), item.size()), form, &name, &alias)) return;
  if (from.empty()) add_module(imports, name);
  if (!alias.empty())
    imports.names[alias] = from + name;
  else if (!from.empty())
    imports.names[name] = from + name;
}

Imports read_imports(const std::string& text) {
  static const RE2 form(
      R"((?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]*(\([^()]*\)|(?:[^\n;\\]|\\\r?\n)+))");
  Imports imports;
  re2::StringPiece rest(text);
  std::string from, list;
  while (RE2::FindAndConsume(&rest, form, &from, &list)) {
    std::replace_if(
        list.begin(), list.end(), [](char c) { return c == '(' || c == ')' || c == '\\'; }, ' ');
    if (!from.empty()) add_module(imports, from);
    for (std::string_view item : split(list, ',')) add_import(imports, item, from.empty() ? "" : from + ".");
  }
  return imports;
}

const Decorator* kernel_decorator(const std::string& written, const Imports& imports) {
  std::string first = written.substr(0, written.find('.'));
  auto alias = imports.names.find(first);
  std::string name = alias == imports.names.end() ? written : alias->second + written.substr(first.size());
  auto row = std::find_if(kernel_decorators.begin(), kernel_decorators.end(),
                          [&](const Decorator& d) { return d.name == name; });
  return row == kernel_decorators.end() ? nullptr : row;
}

// Of the first column only: what is indented belongs to something else.
std::vector<Definition> read_definitions(const std::string& text, const Imports& imports) {
  static const RE2 form(R"((?m)^(?:@[ \t]*([\w.]+)|(?:async[ \t]+)?(def|class)[ \t]+(\w+)))");
  std::vector<Definition> found;
  const Decorator* kernel = nullptr;
  re2::StringPiece rest(text);
  std::string decorator, word, name;
  while (RE2::FindAndConsume(&rest, form, &decorator, &word, &name)) {
    if (!decorator.empty()) {
      if (const Decorator* row = kernel_decorator(decorator, imports)) kernel = row;
      continue;
    }
    found.push_back(
        {word == "class", name, word == "def" ? kernel : nullptr, text.size() - std::size_t(rest.size())});
    kernel = nullptr;
  }
  return found;
}

// The name in "x: torch.Tensor = None", "*args" and "**kw"; empty for what only divides parameters.
std::string parameter_name(std::string_view item) {
  static const RE2 form(R"((?s)\s*(\*{0,2})\s*(\w+).*)");
  std::string stars, name;
  if (!RE2::FullMatch(re2::StringPiece(item.data(), item.size()), form, &stars, &name)) return "";
  return stars + name;
}

// Those of the list that begins at text[at] with its parenthesis; defaults and annotations may hold lists of their own.
std::vector<std::string> parameters_at(std::string_view text, std::size_t at) {
  std::vector<std::string> names;
  int depth = 0;
  std::size_t begin = at + 1;
  for (std::size_t i = at; i < text.size(); ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 || (depth == 1 && c == ',')) {
      if (std::string name = parameter_name(text.substr(begin, i - begin)); !name.empty())
        names.push_back(name);
      begin = i + 1;
    }
    if (depth == 0) return names;
  }
  return {};
}

std::vector<std::string> function_parameters(const std::string& text, std::size_t behind) {
  std::size_t at = text.find_first_not_of(" \t", behind);
  return at != std::string::npos && text[at] == '(' ? parameters_at(text, at) : std::vector<std::string>();
}

// Those of the class's forward() without self; its body ends with the next line that is not indented.
std::vector<std::string> forward_parameters(const std::string& text, std::size_t behind) {
  static const RE2 end(R"((?m)^[A-Za-z_@])");
  static const RE2 form(R"((?m)^[ \t]+(?:async[ \t]+)?def[ \t]+forward[ \t]*)");
  re2::StringPiece body(text), next(text);
  body.remove_prefix(behind);
  next.remove_prefix(behind);
  if (RE2::FindAndConsume(&next, end))
    body = re2::StringPiece(body.data(), std::size_t(next.data() - 1 - body.data()));
  if (!RE2::FindAndConsume(&body, form)) return {};
  std::vector<std::string> names = function_parameters(text, std::size_t(body.data() - text.data()));
  if (!names.empty()) names.erase(names.begin());
  return names;
}

// A row a contract, in the order in which they are looked for.
struct Wanted {
  Kind kind;
  std::string_view name;
  bool is_class = false;
};

constexpr std::array<Wanted, 5> wanted = {{
    {Kind::solve, "solve"},
    {Kind::run_kernel, "run_kernel"},
    {Kind::model, "ModelNew", true},
    {Kind::model, "Model", true},
    {Kind::run, "run"},
}};

bool only_device(const Definition& d) { return d.kernel && !d.kernel->host; }

// Later definitions of a name replace earlier ones, as in Python.
const Definition* last_named(const std::vector<Definition>& all, const Wanted& w) {
  auto row = std::find_if(all.rbegin(), all.rend(),
                          [&](const Definition& d) { return d.name == w.name && d.is_class == w.is_class; });
  return row == all.rend() || only_device(*row) ? nullptr : &*row;
}

const Definition* last_kernel(const std::vector<Definition>& all) {
  const Definition* best = nullptr;
  for (const Definition& d : all) {
    if (d.kernel && (!best || d.kernel->host >= best->kernel->host)) best = &d;
  }
  return best;
}

std::string backend_of(const std::vector<Definition>& definitions, const Imports& imports) {
  if (const Definition* kernel = last_kernel(definitions)) return std::string(kernel->kernel->backend);
  auto imported = [&](std::string_view module) {
    auto inside = [&](const std::string& m) {
      return m == module || m.starts_with(std::string(module) + ".");
    };
    auto named = [&](const auto& row) { return inside(row.second); };
    return std::any_of(imports.modules.begin(), imports.modules.end(), inside) ||
           std::any_of(imports.names.begin(), imports.names.end(), named);
  };
  for (const auto& [module, backend] : backend_modules) {
    if (imported(module)) return std::string(backend);
  }
  return "python";
}

bool describes_launch(const std::string& text) {
  static const RE2 form(R"((?m)^launch[ \t]*(?::[^=\n]*)?=[^=])");
  return RE2::PartialMatch(text, form);
}

void set_entry(PythonContract& contract, Kind kind, const Definition& d, const std::string& text) {
  contract.kind = kind;
  contract.entry = d.name;
  contract.parameters = d.is_class ? forward_parameters(text, d.behind) : function_parameters(text, d.behind);
}

}  // namespace

PythonContract python_contract(std::string_view source) {
  std::string text = without_comments(source, {.python = true, .literals = true});
  Imports imports = read_imports(text);
  std::vector<Definition> definitions = read_definitions(text, imports);
  PythonContract contract;
  contract.backend = backend_of(definitions, imports);
  contract.setup = last_named(definitions, {Kind::none, "setup"}) != nullptr;
  contract.launch = describes_launch(text);
  contract.imports = std::move(imports.modules);
  for (const Wanted& w : wanted) {
    if (const Definition* d = last_named(definitions, w)) {
      set_entry(contract, w.kind, *d, text);
      return contract;
    }
  }
  if (const Definition* d = last_kernel(definitions)) set_entry(contract, Kind::bare_kernel, *d, text);
  return contract;
}

}  // namespace explog::bench
