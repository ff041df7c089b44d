// Results of tuning as text and JSON.
#pragma once
#include "answers/rows.h"
#include "answers/terminal.h"
#include "app/tune/configs.h"
#include "app/tune/store.h"
#include "app/tune/templates.h"
#include "app/tune/tune.h"

namespace explog::answers {

void print_tune_begin(const Terminal& terminal, const Dims& shape, std::size_t rows,
                      const std::vector<PrunedCount>& pruned,
                      const std::vector<app::TuneCandidate>& candidates);
// `quiet`: one line without figures.
void print_tuned(const Terminal& terminal, const app::TuneAnswer& answer, bool quiet);
// Below it, where there is more than one: the fastest with intervals and ties, and what mattered.
void print_tune_table(const Terminal& terminal, const app::TuneAnswer& answer);
Json fastest_json(const app::TuneAnswer& answer);
Json shares_json(const app::TuneAnswer& answer);
std::string tuned_json(const app::TuneAnswer& answer);
// {"format":1,"results":[...]} of several shapes.
std::string tuned_json(const std::vector<app::TuneAnswer>& answers);

void print_lookup(const Terminal& terminal, const app::TuneLookup& lookup);
std::string lookup_json(const app::TuneLookup& lookup);
void print_results(RowPrinter& printer, const std::vector<app::StoredTuned>& results);
void print_imported_configs(const Terminal& terminal, const app::ImportedConfigs& imported, bool json);
// With the variable that makes the runtime look there.
void print_exported_configs(const Terminal& terminal, const app::ExportedConfigs& exported,
                            const std::string& runtime, const std::string& folder, bool json);
void print_templates(const Terminal& terminal, const std::vector<app::TuneTemplate>& templates,
                     const std::string& sign);
// As lines to paste, what they stand for behind each.
void print_knobs(const Terminal& terminal, const app::KnobsInFile& found, const std::string& sign);
std::string knobs_json(const app::KnobsInFile& found);
std::string templates_json(const std::vector<app::TuneTemplate>& templates);

}  // namespace explog::answers
