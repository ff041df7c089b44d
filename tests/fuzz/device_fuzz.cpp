#include "broken.h"
#include "entry.h"
#include "model/device_ceilings.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// Ceilings that are accepted read back as they were written.
void fuzz_device(std::string_view data) {
  try {
    std::string written = to_json(parse_device_ceilings(data));
    if (to_json(parse_device_ceilings(written)) != written) broken("does not read back", written);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_device)
