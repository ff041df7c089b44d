// What must hold for every record any reader produces from any bytes.
#pragma once
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "broken.h"
#include "intake/source.h"
#include "model/claim.h"

namespace explog::fuzz {

// A record or a fault, never both, never neither; a record that is fit for the store reads back as it was
// written.
inline void check(const Parsed& parsed) {
  if (parsed.where.empty()) broken("no place", parsed.fault);
  if (parsed.experience.has_value() != parsed.fault.empty())
    broken("a record with a fault, or nothing at all", parsed.fault);
  if (!parsed.experience) return;
  Experience e = *parsed.experience;
  if (e.kernel_type.empty()) e.kernel_type = "gemm";  // the command line may give it
  if (prepare(e, "imported").refused) return;
  e.at.clear();  // the event's, not the record's
  std::string line = to_json(e);
  if (!(parse_experience(line) == e)) broken("does not read back", line);
}

// Reads `data` as standard input to its end.
inline void drain(Source (*open)(const std::string& path, std::istream* in), std::string_view data) {
  std::istringstream in{std::string(data)};
  try {
    Source source = open("-", &in);
    for (int records = 0; records < 2000; ++records) {
      auto parsed = source();
      if (!parsed) return;
      check(*parsed);
    }
  } catch (const Error&) {  // the input as a whole is refused
  }
}

}  // namespace explog::fuzz
