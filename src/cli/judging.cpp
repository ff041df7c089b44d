#include "cli/judging.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/signature.h"
#include "model/json.h"

namespace explog::cli {

using namespace bench;

void JudgeFlags::add_to(CLI::App& app) {
  app.add_option("task", task, "a task: its name, its folder or its task.json")
      ->required()
      ->type_name("TASK");
  app.add_option("candidate", candidate, "the source file with solve()")->type_name("FILE");
  app.add_option("--backend", backend, "cuda or host; without it the file's ending tells")
      ->check(CLI::IsMember({"cuda", "host"}))
      ->type_name("B");
  app.add_option("--arch", arch, "compile for this arch instead of the GPU's own")->type_name("sm_NN");
  app.add_option("--baseline", baseline, "compare with this file instead of the task's baseline")
      ->type_name("FILE");
  app.add_option("--flag", compiler_flags, "one more flag for the compiler (repeat it)")
      ->allow_extra_args(false)
      ->type_name("FLAG");
}

namespace {

std::string backend_of(const JudgeFlags& flags, const Task& task) {
  if (!flags.backend.empty()) return flags.backend;
  const std::string& file = flags.candidate;
  if (file.empty()) return task.backends.front().name;
  if (std::string backend = backend_of_file(file); !backend.empty()) return backend;
  throw Error(Exit::usage, printable(file) + ": neither .cu nor .cpp",
              "say --backend cuda or --backend host");
}

void must_build(const Built& built, const std::string& what) {
  if (!built.ok)
    throw Error(Exit::usage, what + " does not compile: " + printable(first_error(built.log)),
                "mend it first");
}

}  // namespace

Judgement read_judgement(const JudgeFlags& flags, const Context& context) {
  Judgement j;
  j.found = find_task(flags.task, context.data_dir);
  j.backend = backend_of(flags, j.found.task);
  if (!flags.candidate.empty()) {
    j.candidate = read_source(flags.candidate);
    check_signature(j.candidate.text, j.candidate.name, j.found.task);
  }
  if (!flags.baseline.empty()) {
    j.baseline = read_source(flags.baseline);
    check_signature(j.baseline.text, j.baseline.name, j.found.task);
  }
  return j;
}

Toolchain toolchain_for(const JudgeFlags& flags, const Judgement& judgement) {
  return find_toolchain(judgement.backend, flags.arch, flags.compiler_flags);
}

Products build_products(Workbench& bench, const Judgement& judgement, std::string& compile_error,
                        const Progress& progress) {
  Products products;
  progress("compiling the reference");
  Built reference = bench.builder().reference(bench.file(bench.task().reference));
  must_build(reference, "the reference " + bench.task().reference);
  progress("compiling the baseline");
  const SourceFile baseline =
      judgement.baseline.name.empty() ? bench.file(bench.backend().baseline) : judgement.baseline;
  Built base = bench.builder().candidate(bench.task(), baseline);
  must_build(base, "the baseline " + baseline.name);
  progress("compiling " + judgement.candidate.name);
  Built candidate = bench.builder().candidate(bench.task(), judgement.candidate);
  if (!candidate.ok) compile_error = candidate.log.empty() ? "the compiler said nothing" : candidate.log;
  products.reference = reference.path;
  products.baseline = base.path;
  products.candidate = candidate.path;
  return products;
}

Progress progress_on(Context& context) {
  if (!context.terminal || context.quiet || context.json) return [](const std::string&) {};
  return [&context](const std::string& text) {
    context.err << "\r\033[K"
                << context.dim(ellipsis(printable(text), static_cast<size_t>(context.width) - 1))
                << std::flush;
  };
}

void clear_progress(Context& context) {
  if (context.terminal && !context.quiet && !context.json) context.err << "\r\033[K" << std::flush;
}

void print_candidate_output(Context& context, const std::string& printed) {
  context.err << "the candidate printed:\n"
              << printable(printed, false) << (printed.ends_with('\n') ? "" : "\n");
}

void print_device(Context& context, const Device& device) {
  std::string text = device.gpu + (device.arch == "host" ? "" : ", " + device.arch);
  if (!device.driver.empty()) text += ", CUDA " + device.runtime + " (driver for " + device.driver + ")";
  context.out << context.dim("on " + printable(text) + "; sandbox: " + printable(device.sandbox)) << '\n';
}

void write_dims(JsonWriter& json, const Dims& dims) {
  json.begin_object();
  for (const auto& [name, value] : dims) json.key(name), json.number(static_cast<double>(value));
  json.end_object();
}

}  // namespace explog::cli
