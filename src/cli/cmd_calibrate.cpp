// calibrate: the kernels that travel with the program, measured on the GPUs here -> records at level
// `measured`.
#include <fmt/format.h>

#include <memory>

#include "answers/ladders.h"
#include "answers/sweeps.h"
#include "base/text.h"
#include "cli/commands.h"

namespace explog::cli {

namespace {

struct CalibrateFlags : app::CalibrateOptions {
  bool sweep = false, dry_run = false;
};

int finish(const Context& context, std::size_t left, const char* what) {
  if (left > 0) context.terminal.out << fmt::format("{} {} left: the same command goes on\n", left, what);
  return 0;
}

int run_ladders(const CalibrateFlags& o, const Context& context) {
  const answers::Terminal& terminal = context.terminal;
  if (o.dry_run) {
    auto steps = app::chosen_steps(o, context.session);
    return context.json ? answers::print_steps_json(terminal, steps) : answers::print_steps(terminal, steps),
           0;
  }
  context.session.expect_writable();
  app::LadderListener listener;
  listener.begins = [&](const std::string& backend, std::size_t steps, std::size_t skipped) {
    if (context.quiet || context.json) return;
    terminal.out << fmt::format("{}{} steps, {} measured before; compiling\n",
                                o.backend.empty() ? backend + ": " : "", steps, skipped)
                 << std::flush;
  };
  listener.step = [&](const app::StepResult& result) {
    if (!context.json) answers::print_step(terminal, result);
  };
  app::LadderResults results = app::calibrate_ladders(o, context.session, listener);
  if (context.json) return answers::print_ladders_json(terminal, results), 0;
  answers::print_best(terminal, results.steps);
  return finish(context, results.left, "steps");
}

int run_sweeps(const CalibrateFlags& o, const Context& context) {
  const answers::Terminal& terminal = context.terminal;
  if (o.dry_run) {
    auto sweeps = app::chosen_sweeps(o);
    return context.json ? answers::print_spaces_json(terminal, sweeps)
                        : answers::print_spaces(terminal, sweeps),
           0;
  }
  context.session.expect_writable();
  app::SweepListener listener;
  listener.begins = [&](std::size_t configurations, std::size_t skipped) {
    if (context.quiet || context.json) return;
    terminal.out << fmt::format("{} configurations, {} measured before\n", configurations, skipped)
                 << std::flush;
  };
  listener.sweep = [&](const app::SweepResult& result) {
    if (!context.json) answers::print_sweep(terminal, result);
  };
  app::SweepResults results = app::calibrate_sweeps(o, context.session, listener);
  if (context.json) return answers::print_sweeps_json(terminal, results), 0;
  answers::print_shares(terminal, results.sweeps);
  return finish(context, results.left, "measurements");
}

}  // namespace

Action setup_calibrate(Arguments& arguments) {
  auto o = std::make_shared<CalibrateFlags>();
  arguments.flag(
      "--sweep", o->sweep,
      "the spaces of configurations (sweep.json) instead of the ladders: what each single change does");
  arguments.option("--families", o->families, "only these: softmax,gemm_f32")
      .delimiter(',')
      .type_name("NAME,...")
      .names_a("tasks");
  arguments
      .option("--backend", o->backend,
              "whose ladders alone; default: CUDA's, and those of each language whose packages are here")
      .one_of(backend_names())
      .type_name(join(backend_names(), "|"));
  arguments.option("--arch", o->arch, "compile for this arch or card instead of the GPU's own")
      .type_name("A")
      .names_a("archs");
  arguments.option("--gpus", o->gpus, "spread the families over these GPUs (index or UUID); default: all")
      .delimiter(',')
      .type_name("N,...");
  arguments.option("--budget", o->budget_minutes, "begin nothing more after this time; 0: run all")
      .zero_or_more()
      .type_name("MIN");
  arguments.option("--max-time", o->max_seconds, "seconds of timing a step's shape at most")
      .zero_or_more()
      .type_name("S")
      .show_default();
  arguments.flag("--dry-run", o->dry_run, "only name what would be measured");
  arguments.flag("--no-profile", o->no_profile, "without counters");
  arguments.flag("--sanitizer", o->sanitizer, "run compute-sanitizer on every variant too");
  return [o](Context& context) {
    if (!o->sweep) return run_ladders(*o, context);
    if (o->backend.empty()) o->backend = backends().front().name;
    return run_sweeps(*o, context);
  };
}

}  // namespace explog::cli
