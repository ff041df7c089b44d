#include "bench/code/ir.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"

namespace explog::bench {
namespace {

using Number = std::optional<std::int64_t>;
constexpr std::string_view heading = "// kernel ";
// What a heading may say, and where a module of Triton's says the same.
struct Said {
  std::string_view word, attribute;
  Number IrKernel::*number;
};
constexpr Said said[] = {
    {"num_warps", "\"ttg.num-warps\" = ", &IrKernel::num_warps},
    {"num_stages", "", &IrKernel::num_stages},
    {"shared_bytes", "ttg.shared = ", &IrKernel::shared},
};

Number number_in(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && value >= 0 ? Number(value) : Number();
}

Number number_after(std::string_view text, std::string_view word) {
  std::size_t at = word.empty() ? std::string_view::npos : text.find(word);
  return at == std::string_view::npos ? Number() : number_in(text.substr(at + word.size()));
}

// "// kernel softmax: num_warps=4, num_stages=3"
IrKernel kernel_of_heading(std::string_view line) {
  line.remove_prefix(heading.size());
  IrKernel kernel{std::string(trim(line.substr(0, line.find(':')))), {}, {}, {}};
  for (const Said& s : said) kernel.*s.number = number_after(line, std::string(s.word) + "=");
  return kernel;
}

// The name behind "tt.func public @" or "entry @".
std::string_view function_of(std::string_view line) {
  if (!line.starts_with("tt.func ") && !line.starts_with("entry @")) return {};
  std::size_t at = line.find('@');
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + 1);
  return line.substr(0, line.find_first_of("( {"));
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// "%0, %1 = tt.load %p : ..." -> "tt.load"; empty where the line is no operation.
std::string_view operation_in(std::string_view line, bool dialects_are_said) {
  if (line.starts_with('%')) {
    std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return {};
    line = trim(line.substr(equals + 3));
  }
  if (line.starts_with('"')) line.remove_prefix(1);
  std::size_t end = 0;
  while (end < line.size() && is_letter(line[end])) ++end;
  std::string_view word = line.substr(0, end);
  bool begins = !word.empty() && word[0] >= 'a' && word[0] <= 'z';
  bool whole = word.find('.') != std::string_view::npos || !dialects_are_said;
  return begins && whole && word != "module" ? word : std::string_view();
}

class IrReader {
 public:
  explicit IrReader(std::string_view text) : text_(text), dialects_are_said_(!is_tile_ir(text)) {}

  Ir run() {
    for (std::string_view line : split(text_, '\n')) take(trim(line));
    Ir ir{std::move(kernels_), {counts_.begin(), counts_.end()}};
    return ir;
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with(heading)) {
      kernels_.push_back(kernel_of_heading(line));
      headed_ = true;
      return;
    }
    if (line.starts_with("module ")) module_ = line;
    if (std::string_view name = function_of(line); !name.empty()) add_function(name, line);
    std::string_view operation = operation_in(line, dialects_are_said_);
    if (!operation.empty()) ++counts_[std::string(operation)];
  }

  // A kernel that no heading told of: what its module says. A private function is called by one.
  void add_function(std::string_view name, std::string_view line) {
    if (headed_ || line.find(" private ") != std::string_view::npos) return;
    IrKernel kernel{std::string(name), {}, {}, {}};
    for (const Said& s : said) kernel.*s.number = number_after(module_, s.attribute);
    kernels_.push_back(std::move(kernel));
  }

  std::string_view text_, module_;
  bool dialects_are_said_, headed_ = false;
  std::vector<IrKernel> kernels_;
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace

std::string ir_heading(const IrKernel& kernel) {
  std::vector<std::string> facts;
  for (const Said& s : said) {
    if (kernel.*s.number) facts.push_back(std::string(s.word) + "=" + std::to_string(*(kernel.*s.number)));
  }
  return std::string(heading) + kernel.name + ": " + join(facts, ", ") + "\n";
}

Ir read_ir(std::string_view text) { return IrReader(text).run(); }

bool is_ttgir(std::string_view text) {
  return text.find("tt.func") != std::string_view::npos && text.find("ttg.") != std::string_view::npos;
}
bool is_tile_ir(std::string_view text) {
  return text.find("entry @") != std::string_view::npos && text.find("tile<") != std::string_view::npos;
}

}  // namespace explog::bench
