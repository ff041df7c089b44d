#include "intake/source_work.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

namespace explog::intake {
namespace {

// Names that are looked for in all of a source, each by itself: a kernel has a few.
constexpr std::size_t most_names = 24;

// v, v.x, v[i]
constexpr const char* operand = R"((\w+(?:\.\w+)?(?:\[[^\[\]]*\])?))";

// What is added to something as its own square.
std::set<std::string> squares_added(const std::string& code) {
  static const RE2 product(fmt::format(R"(\+=\s*{0}\s*\*\s*{0})", operand)),
      fused(fmt::format(R"(=\s*(?:__)?fmaf?(?:_rn)?\(\s*{0}\s*,\s*{0}\s*,)", operand));
  std::set<std::string> squares;
  std::string a, b;
  for (const RE2* form : {&product, &fused}) {
    for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, *form, &a, &b);) {
      if (a == b && squares.size() < most_names) squares.insert(a);
    }
  }
  return squares;
}

// The same of a difference, (x - m) * (x - m).
bool adds_squared_difference(const std::string& code) {
  static const RE2 form(R"(\+=\s*\(([^()]*-[^()]*)\)\s*\*\s*\(([^()]*)\))");
  std::string a, b;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, form, &a, &b);) {
    if (a == b) return true;
  }
  return false;
}

bool is_added_or_a_difference(const std::string& operand_name, const std::string& code) {
  const std::string name = RE2::QuoteMeta(operand_name);
  return RE2::PartialMatch(code, RE2(fmt::format(R"(\+=\s*{}\s*[;+,)])", name))) ||
         RE2::PartialMatch(code, RE2(fmt::format(R"(\b{}\s*=\s*[^;=]*-\s*\w+(\[\w+\])?\s*;)", name)));
}

bool in_python(const std::string& code) { return RE2::PartialMatch(code, R"(\b(tl|ct)\.(load|gather)\()"); }

}  // namespace

bool exchanges_indices(const std::string& code) {
  static const RE2 moved(
      R"(\[\s*(\w+)\s*\*\s*\w+\s*\+\s*(\w+)\s*\]\s*=\s*\w+\[\s*(\w+)\s*\*\s*\w+\s*\+\s*(\w+)\s*\])");
  static const RE2 put(R"((\w+\[)([^\[\]]+)\]\[([^\[\]]+)\]\s*=[^=])"),
      taken(R"(=\s*(\w+\[)([^\[\]]+)\]\[([^\[\]]+)\])");
  std::string to_row, to_column, row, column, to, from;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, moved, &to_row, &to_column, &row, &column);) {
    if (to_row == column && to_column == row) return true;
  }
  std::set<std::string> exchanged;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, put, &to, &row, &column);)
    exchanged.insert(to + column + "][" + row);
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, taken, &from, &row, &column);) {
    if (row != column && exchanged.contains(from + row + "][" + column)) return true;
  }
  return false;
}

std::string_view norm_of(const std::string& code) {
  static const RE2 root(R"(\brsqrtf?\s*\(|__frsqrt_rn|/\s*(__f)?sqrt(f|_rn)?\s*\()");
  if (!RE2::PartialMatch(code, root)) return "";
  if (adds_squared_difference(code)) return "layernorm";
  const std::set<std::string> squares = squares_added(code);
  for (const std::string& square : squares) {
    if (is_added_or_a_difference(square, code)) return "layernorm";
  }
  return squares.empty() ? "" : "rmsnorm";
}

std::string_view moved_by_index(const std::string& code) {
  static const RE2 index(
      R"(\b(?:int|long|auto|size_t|u?int32_t|u?int64_t|unsigned)\s+(\w+)\s*=\s*\w+\[[^\[\]]*\]\s*;)");
  std::string name;
  std::size_t names = 0;
  for (re2::StringPiece rest(code); names < most_names && RE2::FindAndConsume(&rest, index, &name); ++names) {
    if (RE2::PartialMatch(code, RE2(fmt::format(R"([^=+]=\s*\w+\[[^\[\]=]*\b{}\b)", name)))) return "gather";
    if (RE2::PartialMatch(code, RE2(fmt::format(R"(\w+\[[^\[\]=]*\b{}\b[^\[\]=]*\]\s*=[^=])", name))))
      return "scatter";
  }
  return "";
}

bool is_elementwise(const std::string& code) {
  static const RE2 together(
      R"(__shared__|__shfl|atomic|wmma|\bmma|\b(tl|ct)\.(sum|max|min|dot|mma|reduce|cumsum|associative_scan|sort)\b)");
  if (RE2::PartialMatch(code, together)) return false;
  if (in_python(code)) return RE2::PartialMatch(code, R"(\b(tl|ct)\.(store|scatter)\()");
  static const RE2 own(R"(\b(\w+)\s*=\s*[^;]*\bthreadIdx\.x)"),
      loop(R"(\b(?:for|while)\s*\((?:[^;]*?(\w+)\s*=\s*(\w+)[^;]*;)?)");
  std::set<std::string> indices;  // of the thread's own elements
  std::string name, first;
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, own, &name);) indices.insert(name);
  for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, loop, &name, &first);) {
    if (!indices.contains(name) && !indices.contains(first)) return false;
    indices.insert(name);
  }
  return indices.size() <= most_names &&
         std::any_of(indices.begin(), indices.end(), [&](const std::string& index) {
           const std::string at = fmt::format(R"([\w)]\[\s*{}\s*\])", RE2::QuoteMeta(index));
           return RE2::PartialMatch(
               code, RE2(fmt::format(R"((?s){0}\s*[-+*/]?=[^=].*{0}|{0}.*{0}\s*[-+*/]?=[^=])", at)));
         });
}

}  // namespace explog::intake
