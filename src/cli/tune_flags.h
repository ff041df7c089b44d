// Flags of `tune`, and its second half: what is done with results that are there.
#pragma once
#include <string>
#include <vector>

#include "app/tune/store.h"
#include "app/tune/tune.h"
#include "cli/context.h"
#include "cli/flags.h"
#include "cli/plan_flags.h"

namespace explog::cli {

// The exit code of work that SIGTERM ended and that the same command goes on with.

struct TuneFlags {
  std::vector<std::string> words;  // "lookup", "TASK", "FILE"
  app::TuneOptions tune;
  std::string strategy, budget, shard, gpu, to = "json", from, out, templates, knobs;
  bool no_sanitizer = false, allow_in_process = false;
  FormatFlags format;
  PlanFlags plan;
};

void add_search_flags(Arguments& arguments, TuneFlags& flags);
void add_result_flags(Arguments& arguments, TuneFlags& flags);  // of lookup, show, export and import
tune::Strategy strategy_of(const std::string& word);            // one of those that the flag takes
// "90s", "10m", "1h", minutes without a letter. Throws Error(usage).
double seconds_of(const std::string& budget);
// "2/4". Throws Error(usage).
tune::Shard shard_of(const std::string& text);

std::vector<std::string> result_words();        // lookup, show, export, import
bool is_about_results(const TuneFlags& flags);  // lookup, show, export, import, --templates
// Of the task that may be named behind the verb, or all. Throws Error(usage).
std::vector<app::StoredTuned> results_for(const TuneFlags& flags, const std::string& verb,
                                          const Context& context);
std::string no_results(const TuneFlags& flags);  // what to say where there are none
std::string how_to_have_results(const TuneFlags& flags);
int run_tune_export(const TuneFlags& flags, const Context& context);
int run_tune_import(const TuneFlags& flags, const Context& context);
int run_tune_results(const TuneFlags& flags, const Context& context);

}  // namespace explog::cli
