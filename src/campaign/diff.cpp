#include "campaign/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text.h"

namespace explog::campaign {
namespace {

constexpr std::size_t around = 3;
constexpr std::size_t most_pairs =
    16'000'000;  // of lines that are compared; beyond, all of the middle is one change

using LineList = std::vector<std::string_view>;

struct Op {
  char sign;  // ' ', '-' or '+'
  std::string_view line;
};

LineList lines_of(std::string_view text) {
  LineList lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// The longest common subsequence of both middles, from their ends to their beginnings.
void add_middle(std::vector<Op>& ops, const LineList& a, const LineList& b) {
  const std::size_t width = b.size() + 1;
  const bool compares = a.size() * b.size() <= most_pairs;
  std::vector<std::uint32_t> longest(compares ? (a.size() + 1) * width : 0);
  for (std::size_t i = a.size(); compares && i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;)
      longest[i * width + j] = a[i] == b[j]
                                   ? longest[(i + 1) * width + j + 1] + 1
                                   : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  }
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    bool both = compares && i < a.size() && j < b.size();
    if (both && a[i] == b[j])
      ops.push_back({' ', a[i]}), ++i, ++j;
    else if (i < a.size() && (!both || longest[(i + 1) * width + j] >= longest[i * width + j + 1]))
      ops.push_back({'-', a[i++]});
    else
      ops.push_back({'+', b[j++]});
  }
}

std::vector<Op> compared(const LineList& a, const LineList& b) {
  std::size_t head = 0, tail = 0;
  const std::size_t shorter = std::min(a.size(), b.size());
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  auto middle = [&](const LineList& all) {
    return LineList(all.begin() + static_cast<std::ptrdiff_t>(head),
                    all.end() - static_cast<std::ptrdiff_t>(tail));
  };
  std::vector<Op> ops;
  for (std::size_t i = 0; i < head; ++i) ops.push_back({' ', a[i]});
  add_middle(ops, middle(a), middle(b));
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) ops.push_back({' ', a[i]});
  return ops;
}

std::string range(std::size_t first, std::size_t count) {
  return count == 1 ? fmt::format("{}", first + 1)
                    : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

bool is_binary(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string& name_before,
                         const std::string& name_after) {
  if (is_binary(before) || is_binary(after))
    return before == after ? "" : fmt::format("Binary files {} and {} differ\n", name_before, name_after);
  const LineList a = lines_of(before), b = lines_of(after);
  const std::vector<Op> ops = compared(a, b);
  std::string text;
  std::size_t in_a = 0, in_b = 0, done = 0;
  auto is_change = [](const Op& op) { return op.sign != ' '; };
  auto advance = [&](std::size_t to) {
    for (; done < to; ++done) in_a += ops[done].sign != '+', in_b += ops[done].sign != '-';
  };
  for (std::size_t at = 0; at < ops.size();) {
    auto change = std::find_if(ops.begin() + static_cast<std::ptrdiff_t>(at), ops.end(), is_change);
    if (change == ops.end()) break;
    std::size_t begin = static_cast<std::size_t>(change - ops.begin()), end = begin;
    for (std::size_t i = begin; i < ops.size() && i <= end + 2 * around; ++i)
      if (is_change(ops[i])) end = i + 1;
    begin = std::max(begin, done + around) - around, end = std::min(ops.size(), end + around);
    advance(begin);
    std::string body;
    std::size_t first_a = in_a, first_b = in_b;
    for (std::size_t i = begin; i < end; ++i) body += ops[i].sign + std::string(ops[i].line) + "\n";
    advance(end);
    text +=
        fmt::format("@@ -{} +{} @@\n", range(first_a, in_a - first_a), range(first_b, in_b - first_b)) + body;
    at = end;
  }
  return text.empty() ? "" : fmt::format("--- {}\n+++ {}\n", name_before, name_after) + text;
}

}  // namespace explog::campaign
