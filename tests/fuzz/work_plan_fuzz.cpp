#include "broken.h"
#include "entry.h"
#include "launch/claim.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// What is accepted reads back as it was written: the list of a plan, and the files that workers write about an item.
void fuzz_work_plan(std::string_view data) {
  using namespace launch;
  auto reads_back = [&](auto parse) {
    try {
      auto read = parse(data);
      if (to_json(parse(to_json(read))) != to_json(read)) broken("does not read back", to_json(read));
    } catch (const JsonError&) {
    }
  };
  reads_back(parse_work_plan);
  reads_back(parse_claim);
  reads_back(parse_left);
  reads_back(parse_done);
  try {
    for (const Wish& wish : parse_wishes(data, ItemKind::tune)) {
      for (const std::string& file : wish.files) {
        if (file.find('/') != std::string::npos) broken("a file from elsewhere", file);
      }
    }
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_work_plan)
