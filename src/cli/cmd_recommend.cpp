// recommend: flags -> a question -> ranked strategies with reasons.
#include <memory>

#include "answers/inferred.h"
#include "answers/recommendation.h"
#include "app/advice/advise.h"
#include "app/advice/recommend.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct RecommendFlags {
  app::Ask ask;
  std::string by = "success";
  std::vector<std::string> shape, state, metrics;
  double latency = 0;  // ms; 0 not given
  bool explain = false;
};

app::Ask ask_of(const RecommendFlags& o) {
  app::Ask ask = o.ask;
  if (!o.shape.empty()) ask.shape = parse_facts(o.shape, "--shape");
  if (!o.state.empty()) ask.state = parse_facts(o.state, "--state");
  if (o.latency > 0) ask.latency_ms = o.latency;
  ask.metrics = parse_facts(o.metrics, "--metrics");
  ask.order = o.by == "gain" ? recommend::Order::gain : recommend::Order::success;
  return ask;
}

// With a source, what it tells is asked and printed too.
int run_advise(const RecommendFlags& o, const Context& context) {
  auto [inferred, advice] = app::advise(ask_of(o), context.session);
  if (context.json) {
    context.terminal.out << answers::with_inferred(answers::advice_json(advice, o.explain), inferred) << '\n';
  } else {
    answers::print_inferred(context.terminal, inferred, advice.question);
    answers::print_advice(context.terminal, advice, o.explain);
  }
  return static_cast<int>(app::is_an_answer(advice) ? Exit::ok : Exit::negative);
}

int run_recommend(const RecommendFlags& o, const Context& context) {
  if (!o.ask.source.empty()) return run_advise(o, context);
  app::Advice advice = app::recommend_for(ask_of(o), context.session);
  if (context.json) {
    context.terminal.out << answers::advice_json(advice, o.explain) << '\n';
  } else {
    answers::print_advice(context.terminal, advice, o.explain);
  }
  return static_cast<int>(app::is_an_answer(advice) ? Exit::ok : Exit::negative);
}

Action setup_advice(Arguments& arguments, bool from_source) {
  auto o = std::make_shared<RecommendFlags>();
  arguments
      .option(
          from_source ? "file" : "--source", o->ask.source,
          "the kernel's source file: what flags leave open is read from it, and what it contains supports "
          "strategies")
      .type_name("FILE")
      .required(from_source);
  arguments
      .option("--kernel,--kernel-type", o->ask.kernel,
              "kind of kernel: softmax, gemm, ...; --bench gives it too")
      .type_name("TYPE")
      .names_a("kernels")
      .needed(!from_source);
  arguments.option("--backend", o->ask.backend, "cuda, triton, cutile, cutedsl, hip; --bench gives it too")
      .type_name("B")
      .names_a("backends")
      .needed(!from_source);
  arguments.option("--arch,--chip", o->ask.arch, "sm_90, or a card: H100; --ncu or --bench gives it too")
      .type_name("A")
      .names_a("archs")
      .needed();
  if (!from_source) arguments.stray_words_are_for("--kernel");
  arguments
      .option("--ncu", o->ask.ncu,
              "profile of the kernel (CSV of Nsight Compute): its bottleneck, metrics and headroom")
      .type_name("FILE");
  arguments.option("--kernel-name", o->ask.kernel_name, "which kernel of the profile").type_name("RE");
  arguments.option("--bench", o->ask.record, "a record to continue from: its kernel, arch, shape and profile")
      .type_name("ID");
  arguments
      .option("--bottleneck", o->ask.bottleneck,
              "memory, compute, latency, occupancy, balanced, unknown; without it the profile's")
      .type_name("X")
      .names_a("bottlenecks");
  arguments.option("--dtype", o->ask.dtype, "element type: f32, bf16").type_name("D").names_a("dtypes");
  arguments.option("--shape", o->shape, "problem size: N=4096,D=1024").type_name("NAME=N,...").repeatable();
  arguments.option("--latency", o->latency, "how long it takes now, in ms").type_name("MS").positive();
  arguments.option("--state", o->state, "facts of the kernel: block_x=128,registers_per_thread=64")
      .type_name("NAME=N,...")
      .repeatable();
  arguments.option("--metrics", o->metrics, "Nsight Compute metrics: NAME=VALUE,...")
      .type_name("NAME=N,...")
      .repeatable();
  arguments.option("-n,--limit", o->ask.limit, "at most this many, 0 for all")
      .type_name("N")
      .zero_or_more()
      .show_default();
  arguments.option("--by", o->by, "order by chance of success or by expected gain")
      .type_name("success|gain")
      .one_of({"success", "gain"})
      .show_default();
  arguments.flag("--explore", o->ask.explore,
                 "give the last place shown to one that was hardly tried and may help (not at random)");
  arguments.flag("--explain", o->explain, "show how each rate came about, level by level");
  return [o](Context& context) { return run_recommend(*o, context); };
}

}  // namespace

Action setup_recommend(Arguments& arguments) { return setup_advice(arguments, false); }
Action setup_advise(Arguments& arguments) { return setup_advice(arguments, true); }

}  // namespace explog::cli
