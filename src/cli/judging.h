// What `check` and `bench` share on the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/check.h"
#include "cli/context.h"

namespace explog::cli {

struct JudgeFlags {
  std::string task, candidate, backend, arch, baseline;
  std::vector<std::string> compiler_flags;
  void add_to(CLI::App& app);
};

// Task, files and compilers for one judgement.
struct Judgement {
  bench::FoundTask found;
  std::string backend;
  bench::SourceFile candidate, baseline;  // baseline without a name: the task's own
};

// Reads the files and checks solve()'s parameters against the task. Throws Error(usage).
Judgement read_judgement(const JudgeFlags& flags, const Context& context);
bench::Toolchain toolchain_for(const JudgeFlags& flags, const Judgement& judgement);

// Builds reference and baseline, which must compile, and the candidate; `compile_error` receives the
// compiler's words when that one does not.
bench::Products build_products(bench::Workbench& bench, const Judgement& judgement,
                               std::string& compile_error, const bench::Progress& progress);

// One line on a terminal that the next one overwrites; silent elsewhere and with --quiet or --json.
bench::Progress progress_on(Context& context);
void clear_progress(Context& context);

// What candidate code wrote to its standard output: shown, never read.
void print_candidate_output(Context& context, const std::string& printed);
void print_device(Context& context, const bench::Device& device);
void write_dims(JsonWriter& json, const Dims& dims);

}  // namespace explog::cli
