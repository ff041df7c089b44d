#include "intake/source_work.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"

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

// Which names are one apart in neighbouring threads, and from where in the code on: threadIdx.x plus what all of them share.
class LaneIndices {
 public:
  explicit LaneIndices(const std::string& code) {
    static const RE2 definition(R"(\b(\w+)\s*=\s*([^;,=][^;,]*)[;,])");
    re2::StringPiece rest(code);
    std::string name, value;
    while (RE2::FindAndConsume(&rest, definition, &name, &value)) {
      const std::size_t from = code.size() - rest.size();
      definitions_[name].emplace_back(from, is_sum(value, from));
    }
  }

  bool has(const std::string& name, std::size_t at) const {
    if (name == "threadIdx.x") return true;
    auto known = definitions_.find(name);
    if (known == definitions_.end()) return false;
    auto next = std::upper_bound(known->second.begin(), known->second.end(), Definition(at, true));
    return next != known->second.begin() && std::prev(next)->second;
  }

 private:
  bool is_sum(std::string value, std::size_t at) const {
    static const RE2 cast(
        R"(static_cast<[\w: ]+>|\(\s*(?:std::)?(?:unsigned|int|long|u?int(?:32|64)_t|size_t)[\w ]*\))");
    RE2::GlobalReplace(&value, cast, "");
    RE2::GlobalReplace(&value, R"(\(\s*([\w.]+)\s*\))", "\\1");
    if (RE2::PartialMatch(value, R"([?<>\[]|\)\s*[*/%&])")) return false;
    std::erase_if(value, [](char c) { return c == '(' || c == ')'; });
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t end = std::min(rest.find('+'), rest.size());
      std::string addend(rest.substr(0, end));
      RE2::Replace(&addend, R"(%\s*[A-Z]\w*\s*$)", "");  // column = index % N
      if (has(std::string(trim(addend)), at)) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  using Definition = std::pair<std::size_t, bool>;  // where it ends, and whether it is such a sum
  std::map<std::string, std::vector<Definition>> definitions_;
};

// float tile[32]; or float* keys = &tile[64] of such a tile.
bool is_shared(const std::string& array, const std::string& code) {
  auto declared = [&](const std::string& name) {
    return RE2::PartialMatch(code, RE2(fmt::format(R"(__shared__[^;]*\b{}\s*\[)", RE2::QuoteMeta(name))));
  };
  const std::string pointed = fmt::format(R"(\*\s*{}\s*=\s*[&(\s]*(\w+))", RE2::QuoteMeta(array));
  std::string whole;
  return declared(array) || (RE2::PartialMatch(code, RE2(pointed), &whole) && declared(whole));
}

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

std::string strided_access(const std::string& code) {
  constexpr int few = 8;  // elements of a thread's own that one wide load takes
  static const RE2 own("(?i)vec|item|per_?thread|unroll|pack|ilp|width|coarsen");
  static const RE2 indexed(R"((\b(\w+)\s*\[([^\[\];]*)\]))"),
      pointed(R"((?:\*\s*(?:__restrict__\s*)?\w+\s*=|\*\s*\()\s*((\w+)\s*\+([^;,\[\]]*)))"),
      times(R"(\b(threadIdx\.x|\w+)\s*\)*\s*\*\s*([\w.]+))");
  if (!RE2::PartialMatch(code, "threadIdx")) return "";
  const LaneIndices lanes(code);
  std::set<std::string> shared;
  std::string place, array, index, name, by;
  for (const RE2* form : {&indexed, &pointed}) {
    for (re2::StringPiece rest(code); RE2::FindAndConsume(&rest, *form, &place, &array, &index);) {
      const std::size_t at = code.size() - rest.size();
      for (re2::StringPiece factors(index); RE2::FindAndConsume(&factors, times, &name, &by);) {
        int elements = few + 1;
        RE2::FullMatch(by, R"((\d+))", &elements);
        const bool apart = elements > few && !RE2::PartialMatch(by, own);
        if (!apart || !lanes.has(name, at) || shared.contains(array)) continue;
        if (shared.size() == most_names || !is_shared(array, code)) return place;
        shared.insert(array);
      }
    }
  }
  return "";
}

std::vector<Shown> what_is_shown(const std::string& code) {
  std::string place = strided_access(code);
  return place.empty() ? std::vector<Shown>() : std::vector<Shown>{{"strided_access", std::move(place)}};
}

}  // namespace explog::intake
