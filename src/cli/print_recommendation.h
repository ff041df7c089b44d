// A recommendation as text and as JSON.
#pragma once
#include <optional>

#include "cli/context.h"
#include "cli/profiles.h"
#include "recommend/rank.h"

namespace explog::cli {

// A profile or a record answers what flags leave open.
struct Known {
  Experience e;  // of a record
  std::optional<Launch> launch;
  diagnose::Diagnosis diagnosis;
};

struct Shown {
  size_t items;  // of the ranked strategies
  bool explain;  // how each rate came about, and what was left out
};

void print_recommendation(Context& context, sql::Db& db, const Known& known, const explog::Context& question,
                          const recommend::Recommendation& r, const Shown& shown);
void print_recommendation_json(Context& context, sql::Db& db, const Known& known,
                               const explog::Context& question, const recommend::Recommendation& r,
                               const Shown& shown);

}  // namespace explog::cli
