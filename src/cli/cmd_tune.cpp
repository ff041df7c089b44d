// tune: a kernel's knobs -> the best configuration, kept for good; and the results that are there.
#include <memory>

#include "answers/tune.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/tune_flags.h"
#include "model/backend.h"

namespace explog::cli {
namespace {

app::TuneOptions options_of(const TuneFlags& flags) {
  if (flags.words.size() != 2) {
    auto meant = flags.words.empty() ? "" : did_you_mean(flags.words[0], result_words());
    throw Error(Exit::usage, "tune: name a task and a kernel's file" + meant,
                "explog tune transpose MINE.cu");
  }
  app::TuneOptions o = flags.tune;
  o.names.task = flags.words[0];
  o.names.candidate = flags.words[1];
  o.sanitizer = !flags.no_sanitizer;
  o.allow_in_process = flags.allow_in_process;
  o.strategy_given = !flags.strategy.empty();
  if (o.strategy_given) o.plan.strategy = strategy_of(flags.strategy);
  if (!flags.budget.empty()) o.budget_s = seconds_of(flags.budget);
  if (!flags.shard.empty()) o.plan.shard = shard_of(flags.shard);
  return o;
}

int exit_of_run(const app::TuneRun& run) {
  if (run.signal != 0) return static_cast<int>(app::exit_of_signal(run.signal));
  for (const app::TuneAnswer& answer : run.answers) {
    if (answer.tuned.successes == 0 && answer.tuned.complete) return static_cast<int>(Exit::negative);
  }
  return 0;
}

int run_search(const TuneFlags& flags, const Context& context) {
  context.session.expect_writable();
  app::TuneListener listener;
  listener.begins = [&](const Dims& shape, std::size_t rows, const std::vector<PrunedCount>& pruned,
                        const std::vector<app::TuneCandidate>& candidates) {
    if (!context.json && !context.quiet)
      answers::print_tune_begin(context.terminal, shape, rows, pruned, candidates);
  };
  listener.answer = [&](const app::TuneAnswer& answer) {
    if (!context.json) answers::print_tuned(context.terminal, answer, context.quiet);
  };
  app::TuneRun run = app::tune_kernel(options_of(flags), context.session, listener);
  if (context.json) {
    bool several = !flags.tune.shapes.empty() && flags.tune.shapes.find('=') == std::string::npos;
    if (several || run.answers.empty())
      context.terminal.out << answers::tuned_json(run.answers) << '\n';
    else
      context.terminal.out << answers::tuned_json(run.answers.front()) << '\n';
  }
  if (run.signal != 0) context.session.warn("stopped: what was measured is stored, the same command goes on");
  return exit_of_run(run);
}

}  // namespace

Action setup_tune(Arguments& arguments) {
  auto f = std::make_shared<TuneFlags>();
  arguments
      .option("words", f->words, "a task and the kernel's file; or lookup, show, export, import with theirs")
      .type_name("TASK FILE")
      .names_a("tasks");
  add_search_flags(arguments, *f);
  arguments.option("--backend", f->tune.names.backend, "cuda or host; without it the file's ending tells")
      .type_name("B")
      .names_a("backends");
  arguments.option("--arch", f->tune.names.arch, "compile for this arch or card instead of the GPU's own")
      .type_name("A")
      .names_a("archs");
  arguments
      .option("--baseline", f->tune.names.baseline,
              "show drift beside this file instead of the task's baseline")
      .type_name("FILE");
  arguments.option("--flag", f->tune.names.compiler_flags, "one more flag for the compiler (repeat it)")
      .one_word()
      .type_name("FLAG");
  add_result_flags(arguments, *f);
  f->format.add_to(arguments);
  f->plan.add_to(arguments);
  return [f](Context& context) {
    if (f->plan.given()) {
      f->plan.start.kind = launch::ItemKind::tune;
      return run_plan(f->plan, f->out, f->shard, context);
    }
    return is_about_results(*f) ? run_tune_results(*f, context) : run_search(*f, context);
  };
}

}  // namespace explog::cli
