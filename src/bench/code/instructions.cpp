#include "bench/code/instructions.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "bench/code/opcodes.h"

namespace explog::bench {
namespace {

struct OpWords {
  std::string_view word, title;
};
constexpr std::array<OpWords, op_kinds> op_words = {{
    {"tensor", "tensor cores (MMA)"},
    {"fp32", "arithmetic, fp32"},
    {"fp64", "arithmetic, fp64"},
    {"half", "arithmetic, 16 bit"},
    {"special", "special functions (exp, 1/x, ...)"},
    {"integer", "integers and addresses"},
    {"convert", "conversions"},
    {"move", "moves and selects"},
    {"global_load", "global loads"},
    {"global_store", "global stores"},
    {"async_copy", "asynchronous copies (cp.async)"},
    {"bulk_copy", "bulk copies (TMA)"},
    {"shared", "shared memory"},
    {"local", "local memory (spills, arrays)"},
    {"constant", "constants and parameters"},
    {"atomic", "atomics"},
    {"exchange", "shuffles and votes"},
    {"barrier", "barriers and fences"},
    {"control", "branches"},
    {"other", "other"},
}};

void count(Mix& mix, const Opcode& code) {
  ++mix.counts[static_cast<std::size_t>(code.op)];
  if (code.op == Op::global_load || code.op == Op::async_copy)
    mix.widest_load = std::max(mix.widest_load, code.bytes);
  if (code.op == Op::global_store) mix.widest_store = std::max(mix.widest_store, code.bytes);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t;,({")); }

std::string_view without_predicate(std::string_view text) {
  if (!text.starts_with('@')) return text;
  std::size_t space = text.find_first_of(" \t");
  return space == std::string_view::npos ? std::string_view() : trim(text.substr(space));
}

// "/*0120*/ @!P0 LDG.E.128 R4, [R2] ;" -> "LDG.E.128"; empty where the line is no instruction.
std::string_view sass_opcode(std::string_view line) {
  line = trim(line);
  std::size_t end = line.starts_with("/*") ? line.find("*/") : std::string_view::npos;
  if (end == std::string_view::npos) return {};
  std::string_view address = line.substr(2, end - 2), rest = trim(line.substr(end + 2));
  bool hex =
      !address.empty() && address.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!hex || rest.starts_with("/*")) return {};  // the rest of a long encoding
  if (rest.starts_with('{')) rest = trim(rest.substr(1));
  std::string_view word = first_word(without_predicate(rest));
  bool upper = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  return upper ? word : std::string_view();
}

// The name in ".text.NAME:" of nvdisasm, or in "Function : NAME" of cuobjdump.
std::string_view sass_function(std::string_view line) {
  constexpr std::string_view section = ".text.", function = "Function : ";
  line = trim(line);
  if (line.starts_with(section) && line.ends_with(':'))
    return line.substr(section.size(), line.size() - section.size() - 1);
  return line.starts_with(function) ? trim(line.substr(function.size())) : std::string_view();
}

// A head such as ".visible .entry NAME(", anywhere in the line.
std::string_view ptx_function(std::string_view line) {
  for (std::string_view word : {".entry ", ".func "}) {
    std::size_t at = line.find(word);
    if (at == std::string_view::npos || !line.starts_with('.')) continue;
    std::string_view rest = trim(line.substr(at + word.size()));
    if (rest.starts_with('('))
      rest = trim(rest.substr(std::min(rest.size(), rest.find(')') + 1)));  // what it returns
    return first_word(rest);
  }
  return {};
}

std::string_view without_comment(std::string_view line) { return trim(line.substr(0, line.find("//"))); }

// A statement of PTX without label, braces and predicate.
std::string_view ptx_opcode(std::string_view statement) {
  statement = trim(statement);
  while (statement.starts_with('{') || statement.starts_with('}')) statement = trim(statement.substr(1));
  std::size_t colon = statement.find(':');
  bool label = colon != std::string_view::npos &&
               statement.substr(0, colon).find_first_of(" \t.") == std::string_view::npos;
  if (label) statement = trim(statement.substr(colon + 1));
  std::string_view word = first_word(without_predicate(statement));
  bool lower = !word.empty() && word[0] >= 'a' && word[0] <= 'z';
  return lower ? word : std::string_view();
}

}  // namespace

std::string_view word(Op op) { return op_words[static_cast<std::size_t>(op)].word; }
std::string_view title(Op op) { return op_words[static_cast<std::size_t>(op)].title; }

std::int64_t Mix::all() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

Mix& Mix::operator+=(const Mix& other) {
  for (std::size_t i = 0; i < op_kinds; ++i) counts[i] += other.counts[i];
  widest_load = std::max(widest_load, other.widest_load);
  widest_store = std::max(widest_store, other.widest_store);
  return *this;
}

std::vector<KernelText> read_sass(std::string_view text) {
  std::vector<KernelText> kernels;
  for (std::string_view line : split(text, '\n')) {
    if (std::string_view name = sass_function(line); !name.empty())
      kernels.push_back({std::string(name), {}});
    std::string_view opcode = sass_opcode(line);
    if (!kernels.empty() && !opcode.empty() && opcode != "NOP") count(kernels.back().mix, of_sass(opcode));
  }
  return kernels;
}

std::vector<KernelText> read_ptx(std::string_view text) {
  std::vector<KernelText> kernels;
  bool in_body = false;
  for (std::string_view line : split(text, '\n')) {
    line = without_comment(line);
    if (std::string_view name = ptx_function(line); !name.empty())
      kernels.push_back({std::string(name), {}}), in_body = false;
    if (line.starts_with('{')) in_body = true;
    if (kernels.empty() || !in_body) continue;
    for (std::string_view statement : split(line, ';')) {
      std::string_view opcode = ptx_opcode(statement);
      if (!opcode.empty()) count(kernels.back().mix, of_ptx(opcode));
    }
  }
  // Without a body it was declared only.
  std::erase_if(kernels, [](const KernelText& k) { return k.mix.all() == 0; });
  return kernels;
}

bool is_sass(std::string_view text) {
  return text.find("\n.text.") != std::string_view::npos ||
         text.find("Function : ") != std::string_view::npos;
}

bool is_ptx(std::string_view text) {
  return text.find(".version") != std::string_view::npos && text.find(".target") != std::string_view::npos;
}

}  // namespace explog::bench
