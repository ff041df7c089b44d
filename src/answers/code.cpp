#include "answers/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "base/symbol.h"
#include "base/text.h"

namespace explog::answers {
namespace {

using namespace bench;
using OptionalCount = std::optional<std::int64_t>;

std::string count_text(const OptionalCount& n) { return n ? std::to_string(*n) : "?"; }

std::string share_text(const OptionalCount& n, std::int64_t all) {
  return n && all > 0 ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(*n) / static_cast<double>(all))
                      : "";
}

// "kernel softmax: 32 registers, 0 bytes of stack, 2048 bytes of shared memory, 412 instructions"
std::string kernel_facts(const KernelCode& k) {
  std::vector<std::string> facts;
  if (k.registers) facts.push_back(fmt::format("{} registers", *k.registers));
  if (k.stack) facts.push_back(*k.stack == 0 ? "no stack" : fmt::format("{} bytes of stack", *k.stack));
  if (k.shared)
    facts.push_back(*k.shared == 0 ? "no static shared memory"
                                   : fmt::format("{} bytes of shared memory", *k.shared));
  if (k.block_shared) facts.push_back(fmt::format("{} bytes of shared memory in all", *k.block_shared));
  if (k.warps) facts.push_back(fmt::format("{} warps", *k.warps));
  if (k.stages) facts.push_back(fmt::format("{} stages", *k.stages));
  if (k.mix.all() > 0) facts.push_back(fmt::format("{} instructions", k.mix.all()));
  return printable(function_name(k.name)) + ": " + join(facts, ", ");
}

std::string counted_in(const DeviceCode& code) {
  return code.counted.empty() ? "no instructions known"
                              : "instructions counted in the " + upper(code.counted);
}

std::string ir_name(const DeviceCode& code) { return code.ir == "tileir" ? "Tile IR" : "TTGIR"; }

// The rarest operations of a long list say least.
void print_operations(const Terminal& terminal, const DeviceCode& code) {
  constexpr std::size_t most = 24;
  std::vector<CodeRow> rows = operation_rows(code, code);
  if (rows.empty()) return;
  Lines lines = {Line(""), Line("operations of the " + ir_name(code), Style::dim)};
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    lines.push_back(fmt::format("  {:<40} {:>8}", printable(rows[i].what), count_text(rows[i].after)));
  if (rows.size() > most)
    lines.emplace_back(fmt::format("{} more kinds: --ir {}", rows.size() - most, code.ir), Style::dim);
  terminal.print(lines);
}

void print_facts(const Terminal& terminal, const DeviceCode& code) {
  Lines lines;
  for (const CodeRow& row : resource_rows(code, code))
    lines.push_back(fmt::format("  {:<40} {:>8}", row.what, count_text(row.after)));
  lines.emplace_back("");
  std::int64_t all = code.mix().all();
  for (const CodeRow& row : mix_rows(code, code))
    lines.push_back(
        fmt::format("  {:<40} {:>8} {:>7}", row.what, count_text(row.after), share_text(row.after, all)));
  terminal.print(lines);
}

std::string state_text(const DeviceCode& code) {
  std::vector<std::string> words;
  for (const auto& [name, value] : state_of(code)) words.push_back(name + "=" + number_text(value));
  return join(words, ",");
}

std::string change_text(const CodeRow& row) {
  if (!row.before || !row.after || !row.changed()) return "";
  return fmt::format("{:+}", *row.after - *row.before);
}

void print_rows(const Terminal& terminal, const std::vector<CodeRow>& rows) {
  Lines lines;
  for (const CodeRow& row : rows) {
    std::string text = fmt::format("  {:<40} {:>8} {:>8} {:>8}", row.what, count_text(row.before),
                                   count_text(row.after), change_text(row));
    lines.emplace_back(text.substr(0, text.find_last_not_of(' ') + 1),
                       row.changed() ? Style::bold : Style::plain);
  }
  terminal.print(lines);
}

void write_side(JsonWriter& json, const app::NamedCode& named) {
  const DeviceCode& code = named.side.code;
  json.begin_object();
  json.field("name", named.name);
  json.field("arch", code.arch);
  json.field("hash", code.hash);
  json.field("counted", code.counted);
  json.key("state");
  json.begin_object();
  for (const auto& [name, value] : state_of(code)) json.field(name, value);
  json.end_object();
  json.key("instructions");
  json.begin_object();
  Mix mix = code.mix();
  for (std::size_t i = 0; i < op_kinds; ++i) json.field(word(static_cast<Op>(i)), mix.counts[i]);
  json.end_object();
  json.key("kernels");
  json.begin_array();
  for (const KernelCode& k : code.kernels) {
    json.begin_object();
    json.field("name", k.name);
    json.field("instructions", k.mix.all());
    for (auto [name, value] : {std::pair("registers", k.registers),
                               {"stack_bytes", k.stack},
                               {"shared_bytes", k.shared},
                               {"block_shared_bytes", k.block_shared},
                               {"num_warps", k.warps},
                               {"num_stages", k.stages}}) {
      if (value) json.field(name, *value);
    }
    json.end_object();
  }
  json.end_array();
  if (!code.ir.empty()) {
    json.field("ir", code.ir);
    json.key("operations");
    json.begin_object();
    for (const auto& [name, count] : code.operations) json.field(name, count);
    json.end_object();
  }
  json.field("lack", named.lack);
  json.end_object();
}

void print_lack(const Terminal& terminal, const app::NamedCode& code) {
  if (!code.lack.empty()) terminal.print({Line(code.lack, Style::dim)});
}

}  // namespace

void print_code(const Terminal& terminal, const app::NamedCode& named) {
  const DeviceCode& code = named.side.code;
  terminal.print({Line(named.name, Style::bold)});
  if (!code.hash.empty()) terminal.print({Line("machine code " + code.hash, Style::dim)});
  for (const KernelCode& k : code.kernels) terminal.print({Line("  " + kernel_facts(k))});
  terminal.print({Line(counted_in(code), Style::dim)});
  print_facts(terminal, code);
  print_operations(terminal, code);
  terminal.print({Line("for recommend: --state " + state_text(code), Style::dim)});
  print_lack(terminal, named);
}

std::string code_json(const app::NamedCode& code) {
  JsonWriter json;
  begin_answer(json);
  json.key("code");
  write_side(json, code);
  json.end_object();
  return json.take();
}

// What changed of the intermediate representation; operations that stand as often as before are only counted.
static void print_operation_changes(const Terminal& terminal, const DeviceCode& a, const DeviceCode& b) {
  if (a.ir.empty() && b.ir.empty()) return;
  if (a.ir != b.ir)
    return terminal.print(
        {Line(a.ir.empty() || b.ir.empty()
                  ? "operations are not compared: only one of the two has an IR"
                  : "operations are not compared: " + ir_name(a) + " beside " + ir_name(b))});
  std::vector<CodeRow> rows = operation_rows(a, b);
  std::size_t all = rows.size();
  std::erase_if(rows, [](const CodeRow& r) { return !r.changed(); });
  terminal.print({Line("operations of the " + ir_name(b), Style::dim)});
  for (CodeRow& row : rows) row.what = printable(row.what);
  print_rows(terminal, rows);
  terminal.print(
      {Line(fmt::format("  {} kinds stand there as often as before", all - rows.size()), Style::dim)});
}

void print_code_difference(const Terminal& terminal, const app::CodeDifference& d) {
  const DeviceCode &a = d.before.side.code, &b = d.after.side.code;
  terminal.print({Line("before: " + d.before.name), Line("after:  " + d.after.name)});
  if (d.equal) return terminal.print({Line("the same machine code", Style::bold)});
  terminal.print(
      {Line(fmt::format("  {:<40} {:>8} {:>8} {:>8}", "", "before", "after", "change"), Style::dim)});
  print_rows(terminal, resource_rows(a, b));
  if (a.counted != b.counted && !a.counted.empty() && !b.counted.empty()) {
    terminal.print({Line(
        fmt::format("instructions are not compared: {} beside {}", upper(a.counted), upper(b.counted)))});
  } else {
    terminal.print({Line(counted_in(b), Style::dim)});
    print_rows(terminal, mix_rows(a, b));
  }
  print_operation_changes(terminal, a, b);
  print_lack(terminal, d.after);
}

std::string code_difference_json(const app::CodeDifference& d) {
  JsonWriter json;
  begin_answer(json);
  json.field("equal", d.equal);
  json.key("before");
  write_side(json, d.before);
  json.key("after");
  write_side(json, d.after);
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
