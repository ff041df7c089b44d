// What became of the records of an `add` or an `import`.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/records/ingest.h"
#include "app/session/session.h"

namespace explog::answers {

// Remarks through `warn`, refusals on standard error. All remarks that were kept with `verbose`, else the
// first twenty.
void print_remarks(const Terminal& terminal, const app::Listener& warn, const app::Ingested& result,
                   bool verbose);

std::string added_json(const app::Ingested& result);     // of `add`
std::string imported_json(const app::Ingested& result);  // of `import`
void print_added_one(const Terminal& terminal, const app::Ingested& result);
void print_added(const Terminal& terminal, const app::Ingested& result, bool dry_run);
void print_imported(const Terminal& terminal, const app::Ingested& result, bool dry_run);

}  // namespace explog::answers
