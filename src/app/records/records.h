// Records that a search finds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/progress.h"
#include "store/read.h"
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
  // From here on next() tells how far it is; nobody should see rows on a terminal at the same time.
  void watch(const Session& session, const std::string& what);
  // The next of `rows`: false behind the last.
  bool next(sql::Stmt& rows);
  std::string short_id(std::int64_t rid) { return short_ids_.of(rid); }
  std::int64_t seen() const { return seen_; }  // rows that next() gave
  std::vector<std::string> why_empty();        // a clause for each condition

 private:
  store::Search search_;
  sql::Db db_;
  bool sorted_;
  store::ShortIds short_ids_;
  std::optional<Progress> progress_ = {};
  std::int64_t seen_ = 0, all_ = -1;  // all_: counted when it is first told
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
