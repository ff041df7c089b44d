#include "model/sweep.h"

#include "base/error.h"
#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// A space that is accepted reads back as it was written; its conditions are evaluated or refused, and what
// comes out are values that were listed.
void fuzz_sweep(std::string_view data) {
  try {
    Sweep sweep = parse_sweep(data);
    std::string written = to_json(sweep);
    if (to_json(parse_sweep(written)) != written) broken("does not read back", written);
    for (const Configuration& c : configurations(sweep)) {
      if (settings_of(sweep.space, c).size() != sweep.space.parameters.size())
        broken("a configuration without a parameter", written);
    }
  } catch (const JsonError&) {
  } catch (const Error&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_sweep)
