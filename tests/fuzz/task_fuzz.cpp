#include "model/task.h"

#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// A task that is accepted reads back as it was written, and has what a judgement needs.
void fuzz_task(std::string_view data) {
  try {
    Task task = parse_task(data);
    std::string written = to_json(task);
    if (to_json(parse_task(written)) != written) broken("does not read back", written);
    if (task.backends.empty() || task.arguments.empty() || task.distributions.empty())
      broken("nothing to judge", written);
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_task)
