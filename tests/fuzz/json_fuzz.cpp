#include "model/json.h"

#include <nlohmann/json.hpp>

#include "drain.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

// What passes the checks once reads back as the same document from its own printed form.
void fuzz_json(std::string_view data) {
  try {
    Json document = parse_json(data);
    if (!(parse_json(document.dump()) == document)) broken("does not read back", document.dump());
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_json)
