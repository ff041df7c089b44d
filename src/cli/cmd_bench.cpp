// bench: task + candidate -> right, and faster? -> verdict, and with --record a place in the memory.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/measure.h"
#include "bench/record.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/judging.h"
#include "model/check.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::cli {
namespace {

using namespace bench;

struct Options {
  JudgeFlags judge;
  TimingOptions timing;
  std::string replay, save, csv, strategy, kernel_name, bottleneck, hypothesis, notes, campaign, parent;
  std::vector<std::string> state;
  bool record = false, no_cupti = false, no_sanitizer = false, new_baseline = false;
};

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

std::string verdict_json(const Measurement& m, const Verdict& v, const std::string& id) {
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

int print_verdict(Context& context, const Measurement& m, const Verdict& v, const std::string& id) {
  clear_progress(context);
  for (const std::string& w : m.warnings) context.warn(w);
  if (context.json) {
    context.out << verdict_json(m, v, id) << '\n';
    return exit_code(v);
  }
  if (!context.quiet) print_conditions(context, m);
  if (!v.shapes.empty() && !context.quiet) print_table(context, v);
  context.out << context.bold(upper(v.verdict)) << " " << v.reason << ": " << printable(v.detail, false)
              << '\n';
  if (!id.empty()) context.out << "recorded " << id << '\n';
  return exit_code(v);
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error(Exit::usage, "cannot write " + printable(path));
}

// One line a sample: run, shape, block, place in its order, arm, milliseconds, SM clock, why the block does
// not count.
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

// A series of attempts is comparable only while task and harness stay what they were when its baseline was
// measured.
void refuse_moved_baseline(sql::Db& db, const Measurement& m) {
  sql::Stmt last(db,
                 "SELECT json_extract(body,'$.task_hash'), json_extract(body,'$.harness_hash') FROM event "
                 "WHERE kind=2 AND json_valid(body) AND json_extract(body,'$.task')=?1 "
                 "AND json_extract(body,'$.baseline.hash')=?2 ORDER BY rid DESC LIMIT 1");
  last.bind_text(1, m.task).bind_text(2, m.baseline.hash);
  if (!last.step()) return;
  bool task_moved = last.text(0) != m.task_hash, harness_moved = last.text(1) != m.harness_hash;
  if (task_moved || harness_moved)
    throw Error(Exit::usage,
                std::string("not recorded: the ") + (task_moved ? "task" : "harness") +
                    " is not the one that the last measurement against this baseline used",
                "results would not be comparable; --new-baseline starts a new series");
}

Experience recorded_experience(const Options& o, const Measurement& m, const Verdict& v, const Task& task) {
  Experience e = experience_of(m, v, task);
  e.strategy = o.strategy;
  if (!o.kernel_name.empty()) e.kernel = o.kernel_name;
  e.bottleneck = o.bottleneck;
  e.hypothesis = o.hypothesis;
  e.campaign = o.campaign;
  e.parent = o.parent;
  e.state = parse_facts(o.state, "--state");
  if (!o.notes.empty()) e.notes = o.notes + "; " + e.notes;
  return e;
}

// Measurement and experience in one transaction; the id of the experience.
std::string record(const Options& o, Context& context, const Measurement& m, const Verdict& v,
                   const Task& task) {
  Experience e = recorded_experience(o, m, v, task);
  store::Draft measurement{Kind::measurement, log_line(m), {}, {}, 0};
  measurement.id = uuid_v8(measurement.body);
  e.source = "measurement " + measurement.id->text();
  Remarks remarks = prepare(e, "measured");
  if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
  for (const std::string& w : remarks.warnings) context.warn(w);
  store::Store store = context.writer();
  store::Draft experience{Kind::experience, to_json(e), e, {}, 0};
  return store.append({measurement, experience}).back().id.text();
}

Measurement read_measurement(const std::string& path) {
  try {
    return parse_measurement(trim(read_file(path)));
  } catch (const JsonError& e) {
    throw Error(Exit::usage, printable(path) + ": " + printable(e.what()), "--save writes such a file");
  }
}

int replay(const Options& o, Context& context) {
  Measurement m = read_measurement(o.replay);
  if (!o.csv.empty()) write_file(o.csv, samples_csv(m));
  return print_verdict(context, m, judge(m), "");
}

void name_sources(Measurement& m, const Workbench& bench, const Judgement& j) {
  SourceFile baseline = j.baseline.name.empty() ? bench.file(bench.backend().baseline) : j.baseline;
  m.task = j.found.task.name;
  m.task_hash = j.found.hash;
  m.harness = EXPLOG_VERSION;
  m.harness_hash = harness_hash();
  m.baseline = {baseline.name, Builder::hash(baseline)};
  m.candidate = {j.candidate.name, Builder::hash(j.candidate)};
}

// Before anything is measured: nobody should wait for a verdict that cannot be recorded.
void check_recordable(const Options& o, const Context& context, const Measurement& m) {
  if (!o.record || o.new_baseline || access(context.database().c_str(), F_OK) != 0) return;
  sql::Db db = context.reader();
  refuse_moved_baseline(db, m);
}

Measurement measure(const Options& o, Context& context, const Judgement& j) {
  Progress progress = progress_on(context);
  Workbench bench(j.found.task, j.found.folder, j.backend, toolchain_for(o.judge, j));
  Measurement named;
  name_sources(named, bench, j);
  check_recordable(o, context, named);
  std::string compile_error;
  Products products = build_products(bench, j, compile_error, progress);
  Measurement m;
  if (compile_error.empty()) {
    MeasureResult result = measure_candidate(bench, products, o.timing, progress);
    m = std::move(result.measurement);
    if (!result.check.printed.empty() && !context.quiet)
      print_candidate_output(context, result.check.printed);
  } else {
    m.backend = j.backend;
    m.toolkit = bench.builder().toolchain().version;
    m.correctness = "compile_error";
    m.correctness_detail = "the compiler said:\n" + compile_error;
  }
  name_sources(m, bench, j);
  return m;
}

int run_bench(Options o, Context& context) {
  if (!o.replay.empty()) return replay(o, context);
  if (o.judge.task.empty() || o.judge.candidate.empty())
    throw Error(Exit::usage, "bench: name a task and a candidate file", "explog bench softmax mine.cu");
  if (o.record && o.strategy.empty())
    throw Error(Exit::usage, "bench: --record needs --strategy", "explog strategies list shows their names");
  o.timing.use_cupti = !o.no_cupti;
  o.timing.sanitizer = !o.no_sanitizer;
  Judgement j = read_judgement(o.judge, context);
  Measurement m = measure(o, context, j);
  if (!o.save.empty()) write_file(o.save, to_json(m) + "\n");
  if (!o.csv.empty()) write_file(o.csv, samples_csv(m));
  Verdict v = judge(m);
  std::string id = o.record ? record(o, context, m, v, j.found.task) : "";
  return print_verdict(context, m, v, id);
}

}  // namespace

Action setup_bench(CLI::App& app) {
  auto o = std::make_shared<Options>();
  o->judge.add_to(app);
  app.get_option("task")->required(false);
  app.add_option("--max-time", o->timing.max_seconds, "seconds of timing a shape at most")
      ->check(zero_or_more())
      ->type_name("S");
  app.add_flag("--no-cupti", o->no_cupti, "read times from CUDA events alone");
  app.add_flag("--no-sanitizer", o->no_sanitizer, "without compute-sanitizer");
  app.add_option("--replay", o->replay, "derive the verdict again from a saved measurement")
      ->type_name("FILE");
  app.add_option("--save", o->save, "keep the whole measurement in a file")->type_name("FILE");
  app.add_option("--csv", o->csv, "every sample as CSV")->type_name("FILE");
  app.add_flag("--record", o->record, "store measurement and experience")->group("Record");
  app.add_option("--strategy", o->strategy, "what was tried")->group("Record")->type_name("ID");
  app.add_option("--kernel-name", o->kernel_name, "the kernel's own name")
      ->group("Record")
      ->type_name("NAME");
  app.add_option("--bottleneck", o->bottleneck, "what bounded the baseline")->group("Record")->type_name("X");
  app.add_option("--hypothesis", o->hypothesis, "why it should help")->group("Record")->type_name("TEXT");
  app.add_option("--state", o->state, "numeric facts of the baseline, k=v,...")
      ->group("Record")
      ->type_name("K=V");
  app.add_option("--campaign", o->campaign, "the series it belongs to")->group("Record")->type_name("NAME");
  app.add_option("--parent", o->parent, "id of the attempt it builds on")->group("Record")->type_name("ID");
  app.add_option("--notes", o->notes, "free text")->group("Record")->type_name("TEXT");
  app.add_flag("--new-baseline", o->new_baseline, "record although task or harness changed")->group("Record");
  return [o](Context& context) { return run_bench(*o, context); };
}

}  // namespace explog::cli
