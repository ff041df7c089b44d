#include "bench/sweep.h"

#include "base/error.h"
#include "base/text.h"
#include "bench/judge/speed_of_light.h"
#include "bench/measure.h"
#include "model/vocabulary.h"

namespace explog::bench {
namespace {

std::string must_build(const Built& built, const std::string& what) {
  if (!built.ok) throw Error(Exit::usage, what + " does not compile: " + first_error(built.log));
  return built.path;
}

bool late(const Toolchain& toolchain) { return toolchain.row().in_python && toolchain.row().on_gpu; }

// Those of candidates in Python, whose interpreters begin while the rest is prepared.
std::unique_ptr<CompilerCaches> compilers(const SweepWork& work, const Toolchain& toolchain) {
  if (toolchain.python.empty()) return nullptr;
  auto caches = std::make_unique<CompilerCaches>(work.task, toolchain);
  if (late(toolchain) && work.configurations.size() > 1) caches->start(work.configurations.size());
  return caches;
}

std::unique_ptr<SweepCase> at_awkward_shape(const SweepWork& work, const Toolchain& toolchain,
                                            const std::string& caches) {
  Dims shape = awkward_shape(work.task.task, bench::backend_of(work.task.task, toolchain.backend));
  return std::make_unique<SweepCase>(work.task, toolchain, work.trusted, shape, caches);
}

// The shape with no samples: what a configuration that did not run leaves.
ShapeRun shape_run(const Case& c, const Device& device) {
  ShapeRun run;
  run.dims = c.dims;
  run.bytes = c.bytes;
  run.flops = c.flops;
  run.sol_ms = speed_of_light_ms(c, device);
  run.stop = "blocks";
  return run;
}

}  // namespace

SweepWork prepare_sweep(const FoundSweep& found, const FoundTask& task, const Toolchain& toolchain) {
  Workbench bench(task, toolchain);
  Builder& builder = bench.builder();
  SourceFile baseline = bench.file(bench.backend().baseline);
  SweepWork work{.task = task,
                 .sweep = found.sweep,
                 .source = bench.file(found.sweep.file),
                 .configurations = configurations(found.sweep),
                 .trusted = {},
                 .baseline = {baseline.name, hash_of(baseline)}};
  work.trusted.reference =
      must_build(builder.reference(bench.file(task.task.reference)), task.task.reference);
  work.trusted.baseline = must_build(builder.candidate(task.task, baseline), baseline.name);
  work.trusted.baseline_name = baseline.name;
  return work;
}

Measurement named_measurement(const SweepWork& work, std::size_t configuration, const Dims& shape) {
  Measurement m;
  m.task = work.task.task.name;
  m.task_hash = work.task.hash;
  m.harness = EXPLOG_VERSION;
  m.harness_hash = harness_hash();
  m.baseline = work.baseline;
  m.candidate = {configuration_name(work.sweep, work.settings(configuration)),
                 hash_of(work.configuration(configuration))};
  m.mode = "cold, light";
  ShapeRun run;
  run.dims = shape;
  m.runs = {{{run}}};
  return m;
}

SweepShape::SweepShape(const SweepWork& work, const Toolchain& toolchain, const Dims& shape)
    : work_(work),
      toolchain_(toolchain),
      shape_(shape),
      builder_(toolchain),
      caches_(compilers(work, toolchain)),
      small_(compiles_late() ? nullptr : at_awkward_shape(work, toolchain, caches())),
      timed_(work.task, toolchain, work.trusted, shape, caches()) {}

std::string SweepShape::caches() const { return caches_ ? caches_->folder() : ""; }

bool SweepShape::compiles_late() const { return late(toolchain_); }

void SweepShape::compile(std::span<const std::string> products, const std::function<bool()>& enough) {
  if (!compiles_late() || products.size() < 2) return;  // one is compiled where it is timed
  caches_->fill(products, timed_.problem(), enough);
}

void SweepShape::check_and_time(Measurement& m, const Built& built) {
  if (!built.ok) return set_fault(m, {"compile_error", "the compiler said:\n" + built.log});
  timed_.begin(built.path);
  if (small_) {
    if (auto fault = small_->check(built.path)) return set_fault(m, *fault);
  }
  QuickTiming timing = timed_.measure(built.path);
  m.clock = timing.clock;
  m.runner = timing.runner;
  m.runner_reason = timing.runner == "in_process" ? timing.reason : "";
  m.in_process_allowed = true;  // these are no verdicts
  if (timing.fault) return set_fault(m, *timing.fault);
  m.correctness = word(Correctness::pass);
  m.runs[0].shapes[0].blocks = {timing.block};
}

Measurement SweepShape::measure(std::size_t configuration, const Built& built) {
  Measurement m = named_measurement(work_, configuration, shape_);
  describe_device(m, device(), toolchain_);
  m.clock = device().clock;
  m.runs[0].shapes[0] = shape_run(timed_.problem(), device());
  check_and_time(m, built);
  return m;
}

void SweepShape::begin(std::size_t configuration) {
  if (compiles_late()) return;  // it may not be compiled yet
  Built built = builder_.candidate(work_.task.task, work_.configuration(configuration));
  if (built.ok) timed_.begin(built.path);
}

Measurement SweepShape::measure(std::size_t configuration) {
  return measure(configuration, builder_.candidate(work_.task.task, work_.configuration(configuration)));
}

}  // namespace explog::bench
