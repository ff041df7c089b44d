// Results of tuning as text and JSON.
#pragma once
#include "answers/rows.h"
#include "answers/terminal.h"
#include "app/tune.h"
#include "app/tune_store.h"
#include "app/tune_templates.h"

namespace explog::answers {

void print_tune_begin(const Terminal& terminal, const Dims& shape, std::size_t rows,
                      const std::vector<PrunedCount>& pruned);
// `quiet`: one line without figures.
void print_tuned(const Terminal& terminal, const app::TuneAnswer& answer, bool quiet);
std::string tuned_json(const app::TuneAnswer& answer);
// {"format":1,"results":[...]} of several shapes.
std::string tuned_json(const std::vector<app::TuneAnswer>& answers);

void print_lookup(const Terminal& terminal, const app::TuneLookup& lookup);
std::string lookup_json(const app::TuneLookup& lookup);
void print_results(RowPrinter& printer, const std::vector<app::StoredTuned>& results);
void print_templates(const Terminal& terminal, const std::vector<app::TuneTemplate>& templates,
                     const std::string& sign);
std::string templates_json(const std::vector<app::TuneTemplate>& templates);

}  // namespace explog::answers
