// bench: task + candidate -> right, and faster? -> verdict, and with --record a place in the memory.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/record.h"
#include "cli/attempt.h"
#include "cli/bench_profile.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/judging.h"
#include "cli/print_verdict.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::cli {
namespace {

using namespace bench;

struct Options {
  JudgeFlags judge;
  TimingOptions timing;
  std::string profile, replay, save, csv, strategy, kernel_name, bottleneck, hypothesis, notes, campaign,
      parent;
  std::vector<std::string> state;
  bool record = false, no_cupti = false, no_sanitizer = false, new_baseline = false;
};

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

Experience recorded_experience(const Options& o, const Measurement& m, const Verdict& v, const Task& task,
                               const std::vector<Subject>& profile) {
  Experience e = experience_of(m, v, task);
  e.strategy = o.strategy;
  if (!o.kernel_name.empty()) e.kernel = o.kernel_name;
  e.bottleneck = o.bottleneck;
  e.hypothesis = o.hypothesis;
  e.campaign = o.campaign;
  e.parent = o.parent;
  e.state = parse_facts(o.state, "--state");
  add_profile(e, profile);
  if (!o.notes.empty()) e.notes = o.notes + "; " + e.notes;
  return e;
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
  return print_verdict(context, m, judge(m), {}, "");
}

// Before anything is measured: nobody should wait for a verdict that cannot be recorded.
void check_recordable(const Options& o, const Context& context, const Measurement& m) {
  if (!o.record || o.new_baseline || access(context.database().c_str(), F_OK) != 0) return;
  sql::Db db = context.reader();
  refuse_moved_baseline(db, m);
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
  Workbench bench(j.found.task, j.found.folder, j.backend, toolchain_for(o.judge, j));
  check_recordable(o, context, named_measurement(bench, j));
  auto [m, profile, printed] = attempt(bench, j, o.timing, o.profile, context, progress_on(context));
  if (!printed.empty() && !context.quiet) print_candidate_output(context, printed);
  if (!o.save.empty()) write_file(o.save, to_json(m) + "\n");
  if (!o.csv.empty()) write_file(o.csv, samples_csv(m));
  Verdict v = judge(m);
  bool counted = !profile.empty();
  if (!o.profile.empty() && !counted) profile = formula_subjects(m, v, j.found.task, context);
  std::string id;
  if (o.record) {
    auto counters = counted ? profile : std::vector<Subject>();
    id = record_attempt(context, m, {recorded_experience(o, m, v, j.found.task, counters)}).at(0);
  }
  return print_verdict(context, m, v, profile, id);
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
  app.add_flag("--profile{cupti}", o->profile,
               "also profile baseline and candidate, apart from the timing: by CUPTI, or --profile=ncu")
      ->check(CLI::IsMember({"cupti", "ncu"}));
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
