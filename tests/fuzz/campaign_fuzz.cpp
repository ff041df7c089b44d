#include <algorithm>

#include "broken.h"
#include "campaign/journal.h"
#include "campaign/pages.h"
#include "campaign/rules.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// A journal that is accepted reads back as it was written; its state, what follows from it, and the pages can be made.
void fuzz_campaign(std::string_view data) {
  using namespace campaign;
  try {
    Contract contract = parse_contract(data);
    if (to_json(parse_contract(to_json(contract))) != to_json(contract))
      broken("does not read back", to_json(contract));
  } catch (const JsonError&) {
  }
  try {
    Journal journal = parse_journal(data);
    std::string written;
    for (const Event& e : journal.events) written += to_line(e);
    std::string again;
    for (const Event& e : parse_journal(written).events) again += to_line(e);
    if (again != written) broken("does not read back", written);
    State state = state_of(journal.events);
    due({}, state);
    perf_results(state);
    final_report({}, state);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_campaign)
