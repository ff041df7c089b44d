// Records that a search finds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session.h"
#include "store/search.h"

namespace explog::app {

// A search on a connection that only reads. Rows stream, so that no answer has to fit into memory.
class FoundRecords {
 public:
  // `search` in the language of `explog search`; newest first unless it sorts. Throws Error(usage).
  FoundRecords(const std::string& search, const Session& session);
  void oldest_first();  // unless the search sorts

  // `columns` of the view `experience`, at most `limit` rows (0: all); not stepped yet.
  sql::Stmt rows(const std::string& columns, int limit);
  std::vector<std::string> why_empty();  // a clause for each condition

 private:
  store::Search search_;
  sql::Db db_;
  bool sorted_;
};

// What a page for people says of records: totals, and a section a kernel and backend.
struct RecordPage {
  struct Row {
    std::string id, date, iteration, arch, bottleneck, strategy, outcome, notes;
    std::optional<double> speedup;
  };
  struct Section {
    std::vector<Row> rows;
    std::int64_t success = 0, failure = 0;
    double best = 1;  // speed-up
    std::string best_strategy;
  };
  std::int64_t n = 0, success = 0, failure = 0;
  std::map<std::string, Section> sections;  // by "gemm [cuda]"
};
RecordPage page_of(FoundRecords& found);

}  // namespace explog::app
