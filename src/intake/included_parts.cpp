#include "intake/included_parts.h"

#include <re2/re2.h>

#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "intake/source_facts.h"

namespace explog::intake {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_headers = 64, most_bytes = std::size_t{1} << 20;

// Behind the brace that closes the one at `open`.
std::size_t behind_body(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == '{' ? 1 : code[i] == '}' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return code.size();
}

using Functions = std::multimap<std::string, std::string>;  // by name, each with its parameters and its body

void find_functions(const std::string& code, Functions& functions) {
  static const RE2 head(R"(\b([A-Za-z_]\w*)\s*\([^(){};]*(?:\([^()]*\)[^(){};]*)*\)\s*(?:const\s*)?\{)");
  static const std::set<std::string> not_names = {"if", "for", "while", "switch", "catch"};
  re2::StringPiece rest(code);
  std::string name;
  while (RE2::FindAndConsume(&rest, head, &name)) {
    auto open = static_cast<std::size_t>(rest.data() - code.data()) - 1;
    if (not_names.contains(name)) continue;
    std::size_t begin = code.rfind(name, code.rfind('(', open));
    functions.emplace(name, code.substr(begin, behind_body(code, open) - begin));
  }
}

// Each function and class in the first column, with its decorators and all lines that are further in.
void find_definitions(const std::string& code, Functions& functions) {
  static const RE2 definition(
      R"((?m)^((?:@.*\n)*(?:def|class)[ \t]+([A-Za-z_]\w*)[^\n]*\n(?:(?:[ \t]+[^\n]*|\)[^\n]*)?\n)*))");
  re2::StringPiece rest(code);
  std::string text, name;
  while (RE2::FindAndConsume(&rest, definition, &text, &name)) functions.emplace(name, text);
}

// The modules beside `path` that `code` imports.
std::vector<std::string> own_modules(const std::string& path, const std::string& code) {
  static const RE2 import(R"((?m)^[ \t]*(?:from|import)[ \t]+(\w+))");
  std::vector<std::string> paths;
  re2::StringPiece rest(code);
  std::string name;
  while (RE2::FindAndConsume(&rest, import, &name))
    paths.push_back((fs::path(path).parent_path() / (name + ".py")).lexically_normal().string());
  return paths;
}

// The headers beside `path` that `code` includes.
std::vector<std::string> own_headers(const std::string& path, const std::string& code) {
  static const RE2 include(R"re((?m)^\s*#\s*include\s*"([^"\n]+)")re");
  std::vector<std::string> paths;
  re2::StringPiece rest(code);
  std::string name;
  while (RE2::FindAndConsume(&rest, include, &name))
    paths.push_back((fs::path(path).parent_path() / name).lexically_normal().string());
  return paths;
}

// A plain file of a size that a header has; nothing for any other.
std::string header_text(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most_bytes || error) return "";
  try {
    return code_of(read_file(path));
  } catch (const Error&) {
    return "";
  }
}

Functions functions_of_headers(const std::string& path, const std::string& code) {
  Functions functions;
  std::set<std::string> seen;
  const bool python = path.ends_with(".py");
  auto named_by = [&](const std::string& file, const std::string& text) {
    return python ? own_modules(file, text) : own_headers(file, text);
  };
  std::vector<std::string> waiting = named_by(path, code);
  while (!waiting.empty() && seen.size() < most_headers) {
    std::string header = waiting.back();
    waiting.pop_back();
    if (!seen.insert(header).second) continue;
    const std::string text = header_text(header);
    python ? find_definitions(text, functions) : find_functions(text, functions);
    for (std::string& next : named_by(header, text)) waiting.push_back(std::move(next));
  }
  return functions;
}

}  // namespace

std::string included_parts(const std::string& path, const std::string& code) {
  if (path == "-") return "";
  Functions functions = functions_of_headers(path, code);
  std::string parts, looked_through = code;
  while (!looked_through.empty() && parts.size() < most_bytes) {
    static const RE2 word(R"(\b([A-Za-z_]\w*)\b)");
    re2::StringPiece rest(looked_through);
    std::string name, found;
    while (RE2::FindAndConsume(&rest, word, &name)) {
      auto [first, last] = functions.equal_range(name);
      for (auto it = first; it != last; ++it) found += "\n" + it->second;
      functions.erase(first, last);
    }
    parts += found;
    looked_through = std::move(found);
  }
  return parts;
}

}  // namespace explog::intake
