#include "cli/print_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "cli/judging.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

int exit_code(const Verdict& v) {
  if (v.verdict == "keep") return 0;
  if (v.verdict == "crash") return static_cast<int>(Exit::crash);
  return static_cast<int>(v.verdict == "inconclusive" ? Exit::inconclusive : Exit::negative);
}

void write_shape(JsonWriter& json, const ShapeVerdict& s) {
  json.begin_object();
  json.key("shape"), write_dims(json, s.dims);
  json.key("baseline_ms"), json.number(s.baseline_ms);
  json.key("candidate_ms"), json.number(s.candidate_ms);
  json.key("speedup"), json.number(s.speedup);
  json.key("lo"), json.number(s.lo);
  json.key("hi"), json.number(s.hi);
  json.key("sol"), json.number(s.sol);
  json.key("noise_floor"), json.number(s.noise_floor);
  json.key("blocks"), json.number(static_cast<double>(s.blocks));
  json.key("status"), json.text(s.status);
  json.key("notes"), json.texts(s.notes);
  json.end_object();
}

std::string verdict_json(const Measurement& m, const Verdict& v, const std::vector<Subject>& profile,
                         const std::string& id) {
  JsonWriter json;
  json.begin_object();
  json.key("verdict"), json.text(v.verdict);
  json.key("reason"), json.text(v.reason);
  json.key("detail"), json.text(v.detail);
  json.key("gain"), json.number(v.gain);
  json.key("gain_lo"), json.number(v.gain_lo);
  json.key("gain_hi"), json.number(v.gain_hi);
  json.key("noise_floor"), json.number(v.noise_floor);
  json.key("clock"), json.text(m.clock);
  json.key("sync_inside"), json.boolean(m.sync_inside);
  json.key("runs"), json.number(static_cast<double>(m.runs.size()));
  json.key("shapes");
  json.begin_array();
  for (const ShapeVerdict& s : v.shapes) write_shape(json, s);
  json.end_array();
  json.key("warnings"), json.texts(m.warnings);
  if (!profile.empty()) json.key("profile"), write_diagnosis(json, profile, false);
  json.key("id"), json.text(id);
  json.end_object();
  return json.take();
}

std::string interval_text(const ShapeVerdict& s) {
  return s.hi > 0 ? fmt::format("{:.3f}..{:.3f}", s.lo, s.hi) : "-";
}

void print_table(Context& context, const Verdict& v) {
  size_t width = 5;
  for (const ShapeVerdict& s : v.shapes) width = std::max(width, dims_text(s.dims).size());
  context.out << fmt::format("{:<{}}  {:>11}  {:>12}  {:>7}  {:>15}  {:>5}  {:>6}  {}\n", "shape", width,
                             "baseline ms", "candidate ms", "faster", "99% interval", "SOL", "noise",
                             "blocks");
  for (const ShapeVerdict& s : v.shapes) {
    context.out << fmt::format("{:<{}}  {:>11.6f}  {:>12.6f}  {:>6.3f}x  {:>15}  {:>5}  {:>5.2f}%  {} {}\n",
                               dims_text(s.dims), width, s.baseline_ms, s.candidate_ms, s.speedup,
                               interval_text(s), s.sol > 0 ? fmt::format("{:.0f}%", 100 * s.sol) : "-",
                               100 * s.noise_floor, s.blocks - s.discarded, s.status);
    for (const std::string& note : s.notes) context.out << context.dim("  " + printable(note)) << '\n';
  }
}

void print_conditions(Context& context, const Measurement& m) {
  context.out << context.dim(fmt::format("{} against {}, task {}, on {}; {} L2, clock {}{}",
                                         printable(m.candidate.file), printable(m.baseline.file), m.task,
                                         printable(m.gpu), m.mode, m.clock,
                                         m.sync_inside ? ", solve() waits for the device" : ""))
              << '\n';
}

}  // namespace

int print_verdict(Context& context, const Measurement& m, const Verdict& v,
                  const std::vector<Subject>& profile, const std::string& id) {
  clear_progress(context);
  for (const std::string& w : m.warnings) context.warn(w);
  if (context.json) {
    context.out << verdict_json(m, v, profile, id) << '\n';
    return exit_code(v);
  }
  if (!context.quiet) print_conditions(context, m);
  if (!v.shapes.empty() && !context.quiet) print_table(context, v);
  if (!context.quiet) print_diagnosis(context, profile, false);
  context.out << context.bold(upper(v.verdict)) << " " << v.reason << ": " << printable(v.detail, false)
              << '\n';
  if (!id.empty()) context.out << "recorded " << id << '\n';
  return exit_code(v);
}

std::string samples_csv(const Measurement& m) {
  static constexpr std::array<const char*, 3> arms = {"baseline", "candidate", "baseline_again"};
  std::string text = "run,shape,block,position,arm,ms,sm_mhz,discarded\n";
  for (size_t r = 0; r < m.runs.size(); ++r) {
    for (const ShapeRun& shape : m.runs[r].shapes) {
      for (size_t b = 0; b < shape.blocks.size(); ++b) {
        const Block& block = shape.blocks[b];
        for (size_t position = 0; position < 3; ++position) {
          auto arm = static_cast<size_t>(block.order[position]);
          for (double ms : block.passes[arm].ms)
            text += fmt::format("{},\"{}\",{},{},{},{},{},{}\n", r + 1, dims_text(shape.dims), b + 1,
                                position + 1, arms[arm], ms, block.passes[arm].sm_mhz, block.discarded);
        }
      }
    }
  }
  return text;
}

}  // namespace explog::cli
