#include "store/search.h"

#include "base/error.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

void fuzz_search(std::string_view data) {
  try {
    store::Search search = store::parse_search(std::string(data));
    store::search_sql(search, "rid", 10);
  } catch (const Error&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_search)
