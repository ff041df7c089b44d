#include "answers/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "answers/answer.h"
#include "answers/bars.h"
#include "answers/rows.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using namespace bench;

void write_shape(JsonWriter& json, const ShapeVerdict& s) {
  json.begin_object();
  json.field("shape", s.dims);
  if (s.weight != 1) json.field("weight", s.weight);
  json.field("baseline_ms", s.baseline_ms);
  json.field("candidate_ms", s.candidate_ms);
  json.field("speedup", s.speedup);
  json.field("lo", s.lo);
  json.field("hi", s.hi);
  json.field("sol", s.sol);
  if (s.launch_ms > 0) json.field("launch_ms", s.launch_ms);
  if (s.score) json.field("sol_execbench_score", *s.score);
  json.field("noise_floor", s.noise_floor);
  json.field("blocks", s.blocks);
  json.field("status", s.status);
  json.field("notes", s.notes);
  json.end_object();
}

constexpr int launch_column = 3;

std::string interval_text(const ShapeVerdict& s) {
  return s.hi > 0 ? fmt::format("{:.3f}..{:.3f}", s.lo, s.hi) : "-";
}

void print_table(const Terminal& terminal, const Verdict& v) {
  RowPrinter printer(terminal, Format::text);
  printer.show_whole({"shape", "status"});
  printer.align_right({"baseline ms", "candidate ms", "launch ms", "faster", "99% interval", "SOL", "noise"});
  printer.can_miss({"blocks", "noise", "SOL", "99% interval", "launch ms"});
  std::vector<std::string> columns = {"shape", "baseline ms", "candidate ms", "faster", "99% interval",
                                      "SOL",   "noise",       "blocks",       "status"};
  // Between what the device takes and what came of it.
  bool launched =
      std::any_of(v.shapes.begin(), v.shapes.end(), [](const auto& s) { return s.launch_ms > 0; });
  if (launched) columns.insert(columns.begin() + launch_column, "launch ms");
  printer.header(columns);
  for (const ShapeVerdict& s : v.shapes) {
    std::vector<sql::Value> row = {dims_text(s.dims),
                                   fmt::format("{:.6f}", s.baseline_ms),
                                   fmt::format("{:.6f}", s.candidate_ms),
                                   fmt::format("{:.3f}x", s.speedup),
                                   interval_text(s),
                                   s.sol > 0 ? fmt::format("{:.0f}%", 100 * s.sol) : "-",
                                   fmt::format("{:.2f}%", 100 * s.noise_floor),
                                   static_cast<std::int64_t>(s.blocks - s.discarded),
                                   std::string(word(s.status))};
    if (launched) row.insert(row.begin() + launch_column, fmt::format("{:.6f}", s.launch_ms));
    printer.row(row);
    for (const std::string& note : s.notes) printer.note(note);
  }
  printer.finish();
}

// The intervals on one axis, where somebody looks.
void add_intervals(Lines& lines, const Verdict& v, const Terminal& terminal) {
  double from = 0.97, to = 1.03;
  std::size_t width = 5;
  for (const ShapeVerdict& s : v.shapes) {
    if (s.hi > 0) from = std::min(from, s.lo), to = std::max(to, s.hi);
    width = std::max(width, dims_text(s.dims).size());
  }
  int room = std::min(terminal.width - static_cast<int>(width) - 22, 60);
  if (!terminal.interactive || room < 20) return;
  for (const ShapeVerdict& s : v.shapes) {
    if (s.hi > 0)
      lines.push_back(fmt::format("{:<{}}  {:>7.3f}x {} {:.3f}x", dims_text(s.dims), width, from,
                                  interval_bar(s.lo, s.speedup, s.hi, from, to, room), to));
  }
}

// The benchmark itself takes the speed of light of a B200; that of the GPU here is another anchor.
void add_score(Lines& lines, const Judged& judged) {
  if (!judged.measurement.imported_from || judged.measurement.imported_from->format != sol_exec_bench) return;
  std::string scores;
  double sum = 0;
  int count = 0;
  for (const ShapeVerdict& s : judged.verdict.shapes) {
    if (s.score) sum += *s.score, ++count;
    scores += (scores.empty() ? "" : ", ") + (s.score ? fmt::format("{:.3f}", *s.score) : "-");
  }
  if (scores.empty()) return;
  if (count == 0)
    lines.push_back(
        std::string("SOL-ExecBench score: none, the speed of light is not known for this device and task"));
  else
    lines.push_back(fmt::format(
        "SOL-ExecBench score {:.3f}{}; T_b is {}, T_SOL explog's figure for this device", sum / count,
        count > 1 ? " (mean of " + scores + ")" : "", judged.measurement.baseline.file));
}

std::string conditions_text(const Measurement& m) {
  std::string_view how = m.runner == "replay" ? ", replayed" : m.runner == "in_process" ? ", in process" : "";
  return fmt::format("{} against {}, task {}, on {}; {} L2, clock {}{}{}", m.candidate.file, m.baseline.file,
                     m.task, m.gpu, m.mode, m.clock, how,
                     m.sync_inside ? ", solve() waits for the device" : "");
}

}  // namespace

std::string verdict_json(const Judged& judged) {
  const Measurement& m = judged.measurement;
  const Verdict& v = judged.verdict;
  JsonWriter json;
  begin_answer(json);
  json.field("verdict", v.verdict);
  json.field("reason", v.reason);
  json.field("detail", v.detail);
  json.field("gain", v.gain);
  json.field("gain_lo", v.gain_lo);
  json.field("gain_hi", v.gain_hi);
  json.field("noise_floor", v.noise_floor);
  json.field("runner", m.runner);
  json.field("runner_reason", m.runner_reason);
  json.field("clock", m.clock);
  json.field("sync_inside", m.sync_inside);
  json.field("sandbox", judged.sandbox);
  json.field("derived", judged.derived);
  json.field("runs", m.runs.size());
  json.key("shapes");
  json.begin_array();
  for (const ShapeVerdict& s : v.shapes) write_shape(json, s);
  json.end_array();
  json.field("warnings", m.warnings);
  if (!judged.profile.empty()) json.key("profile"), write_diagnosis(json, judged.profile, false);
  json.field("id", judged.ids.empty() ? "" : judged.ids.front());
  json.field("ids", judged.ids);
  json.end_object();
  return json.take();
}

void print_verdict(const Terminal& terminal, const Judged& judged, bool quiet) {
  const Verdict& v = judged.verdict;
  Lines lines;
  if (!quiet) {
    terminal.print({Line(conditions_text(judged.measurement), Style::dim)});
    if (!v.shapes.empty()) print_table(terminal, v);
    add_score(lines, judged);
    add_intervals(lines, v, terminal);
    if (judged.measurement.runner == "in_process")
      lines.push_back({"timed in its own process: " + judged.measurement.runner_reason, Style::dim});
    add_diagnosis(lines, judged.profile, false);
  }
  lines.push_back({{upper(word(v.verdict)), Style::bold}, {" " + v.reason + ": "}, {v.detail, Style::prose}});
  for (const std::string& id : judged.ids) lines.push_back("recorded " + id);
  terminal.print(lines);
}

std::string samples_csv(const Measurement& m) {
  std::string text = "run,shape,block,position,arm,ms,sm_mhz,discarded\n";
  for (size_t r = 0; r < m.runs.size(); ++r) {
    for (const ShapeRun& shape : m.runs[r].shapes) {
      std::string dims = dims_text(shape.dims);
      for (size_t b = 0; b < shape.blocks.size(); ++b) {
        const Block& block = shape.blocks[b];
        for (size_t position = 0; position < 3; ++position) {
          Arm arm = block.order[position];
          const Pass& pass = of_arm(block.passes, arm);
          for (double ms : pass.ms)
            text += fmt::format("{},\"{}\",{},{},{},{},{},{}\n", r + 1, dims, b + 1, position + 1, word(arm),
                                ms, pass.sm_mhz, block.discarded);
        }
      }
    }
  }
  return text;
}

}  // namespace explog::answers
