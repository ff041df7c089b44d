#include "answers/gate.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {
namespace {

using app::Gate;
using app::GateResult;
using bench::GateShape;
using bench::GateVerdict;

struct GateRow {
  std::string task, shape, base, head, change, interval, verdict, why;
};

bool is_calm(std::string_view verdict, bool allow_new) {
  return verdict == "same" || verdict == "FASTER" || (allow_new && verdict == "NEW");
}

std::string percent(double change) { return fmt::format("{:+.1f}%", 100 * change); }

std::vector<GateRow> rows_of(const GateResult& r) {
  std::vector<GateRow> rows;
  for (const GateShape& s : r.shapes) {
    rows.push_back({r.name, s.shape, fmt::format("{:.6f}", s.base_ms), fmt::format("{:.6f}", s.head_ms),
                    s.lo == 0 && s.hi == 0 ? "-" : percent(s.change),
                    s.lo == 0 && s.hi == 0 ? "-" : fmt::format("{:+.1f}..{:+.1f}%", 100 * s.lo, 100 * s.hi),
                    std::string(word(s.verdict)), s.why});
  }
  if (rows.empty())
    rows.push_back({r.name, "", "-", "-", "-", "-", std::string(word(r.verdict)),
                    r.same_code ? "same machine code" : r.why});
  return rows;
}

std::string self_test_text(const Gate& gate) {
  if (!gate.self_test) return "";
  const app::GateSelfTest& t = *gate.self_test;
  std::string seen = fmt::format("{} ({} to {})", percent(t.change), percent(t.lo), percent(t.hi));
  if (t.found)
    return "self-test: an injected 5% slowdown was found: " + seen + (t.kept ? ", earlier today" : "");
  return "self-test: an injected 5% slowdown was NOT found" + (t.why.empty() ? ": " + seen : ": " + t.why);
}

std::string summary_of(const Gate& gate) {
  std::string head = gate.exit_code() == 0 ? "GATE PASSED" : "GATE FAILED";
  std::size_t fresh = gate.count(GateVerdict::fresh);
  return fmt::format(
      "{}: {} slower, {} without verdict, {} faster, {} same{}", head, gate.count(GateVerdict::slower),
      gate.count(GateVerdict::none), gate.count(GateVerdict::faster), gate.count(GateVerdict::same),
      fresh == 0 ? "" : fmt::format(", {} new{}", fresh, gate.allow_new ? "" : " (--allow-new passes them)"));
}

// What stood under the gate before and does so no more: whoever reviews the change decides whether it may.
std::string gone_text(const Gate& gate) {
  return gate.gone.empty() ? "" : "not judged, since only base has it: " + join(gate.gone, ", ");
}

std::string machine_text(const Gate& gate) {
  if (gate.gpu.empty()) return "nothing was timed";
  return gate.gpu + ", " + gate.toolkit + (gate.driver.empty() ? "" : ", driver " + gate.driver) +
         ", blocks of both interleaved in one process";
}

std::string cell(std::string_view text) {
  return replace_all(replace_all(printable(text), "|", "\\|"), "<", "&lt;");
}

}  // namespace

void print_gate(const Terminal& terminal, const Gate& gate) {
  Lines lines;
  lines.push_back(
      {{"base " + gate.base_commit.substr(0, 12) + " against " + gate.head_commit.substr(0, 12), Style::bold},
       {": " + machine_text(gate)}});
  lines.push_back({fmt::format("{:<16} {:<22} {:>10} {:>10} {:>8}  {:<16} {}", "task", "shape", "base ms",
                               "head ms", "change", "99% interval", "verdict"),
                   Style::dim});
  for (const GateResult& r : gate.results) {
    for (const GateRow& row : rows_of(r)) {
      bool calm = is_calm(row.verdict, gate.allow_new);
      lines.push_back(
          {{fmt::format("{:<16} {:<22} {:>10} {:>10} {:>8}  {:<16} ", ellipsis(printable(row.task), 16),
                        ellipsis(row.shape, 22), row.base, row.head, row.change, row.interval)},
           {row.verdict, calm ? Style::plain : Style::bold},
           {row.why.empty() ? "" : "  " + row.why}});
    }
    if (!r.counters.empty()) lines.push_back("  " + r.name + ": " + join(r.counters, ", "));
  }
  if (!gate.gone.empty()) lines.push_back({gone_text(gate), Style::bold});
  if (gate.self_test) lines.push_back(self_test_text(gate));
  lines.push_back({{summary_of(gate), Style::bold},
                   {fmt::format("; {:.1f} s, {:.1f} s of them building and timing what differs", gate.wall_s,
                                gate.timed_s)}});
  terminal.print(lines);
}

std::string gate_markdown(const Gate& gate) {
  std::string text = "<!-- explog gate -->\n### " + summary_of(gate) + "\n\n";
  text +=
      "| task | shape | base ms | head ms | change | 99% interval | verdict "
      "|\n|:--|:--|--:|--:|--:|:--|:--|\n";
  for (const GateResult& r : gate.results) {
    for (const GateRow& row : rows_of(r)) {
      bool calm = is_calm(row.verdict, gate.allow_new);
      text += fmt::format(
          "| {} | {} | {} | {} | {} | {} | {} |\n", cell(row.task), cell(row.shape), row.base, row.head,
          row.change, row.interval,
          (calm ? row.verdict : "**" + row.verdict + "**") + (row.why.empty() ? "" : ": " + cell(row.why)));
    }
  }
  if (!gate.gone.empty()) text += "\n**" + cell(gone_text(gate)) + "**\n";
  text += "\n<details><summary>how it was measured</summary>\n\n";
  text += fmt::format("- base `{}`, head `{}`\n- {}\n- slower means: the whole interval is above {:g}%\n",
                      gate.base_commit, gate.head_commit, cell(machine_text(gate)), 100 * gate.max_slower);
  if (gate.self_test) text += "- " + cell(self_test_text(gate)) + "\n";
  for (const GateResult& r : gate.results) {
    if (!r.counters.empty()) text += "- " + cell(r.name) + ": " + cell(join(r.counters, ", ")) + "\n";
  }
  return text + "\n</details>\n";
}

static void write_result(JsonWriter& json, const GateResult& r) {
  json.begin_object();
  json.field("task", r.name);
  json.field("kernel", r.kernel);
  json.field("verdict", word(r.verdict));
  json.field("same_code", r.same_code);
  json.field("reason", r.why);
  json.key("shapes");
  json.begin_array();
  for (const GateShape& s : r.shapes) {
    json.begin_object();
    json.field("shape", s.shape);
    json.field("base_ms", s.base_ms);
    json.field("head_ms", s.head_ms);
    json.field("change", s.change);
    json.field("lo", s.lo);
    json.field("hi", s.hi);
    json.field("verdict", word(s.verdict));
    json.field("reason", s.why);
    json.end_object();
  }
  json.end_array();
  json.field("counters", r.counters);
  json.field("wall_s", r.wall_s);
  json.end_object();
}

std::string gate_json(const Gate& gate) {
  JsonWriter json;
  begin_answer(json);
  json.field("base", gate.base_commit);
  json.field("head", gate.head_commit);
  json.key("machine");
  json.begin_object();
  json.field("gpu", gate.gpu);
  json.field("driver", gate.driver);
  json.field("toolkit", gate.toolkit);
  json.end_object();
  json.field("max_slower", gate.max_slower);
  json.key("results");
  json.begin_array();
  for (const GateResult& r : gate.results) write_result(json, r);
  json.end_array();
  json.field("gone", gate.gone);
  if (gate.self_test) {
    json.key("self_test");
    json.begin_object();
    json.field("found", gate.self_test->found);
    json.field("kept", gate.self_test->kept);
    json.field("change", gate.self_test->change);
    json.field("lo", gate.self_test->lo);
    json.field("hi", gate.self_test->hi);
    json.field("reason", gate.self_test->why);
    json.end_object();
  }
  json.field("wall_s", gate.wall_s);
  json.field("timed_s", gate.timed_s);
  json.field("exit", gate.exit_code());
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
