#include "app/records/records.h"

#include "store/query.h"

namespace explog::app {

FoundRecords::FoundRecords(const std::string& search, const Session& session)
    : search_(store::parse_search(search)),
      db_(session.reader()),
      sorted_(search.find("sort:") != std::string::npos),
      short_ids_(db_) {
  store::prepare_for_queries(db_);
}

void FoundRecords::oldest_first() {
  if (!sorted_) search_.order = "at_ms, rid";
}

sql::Stmt FoundRecords::rows(const std::string& columns, int limit) {
  sql::Stmt stmt(db_, store::search_sql(search_, columns, limit));
  store::bind_search(stmt, search_);
  return stmt;
}

void FoundRecords::watch(const Session& session, const std::string& what) {
  progress_.emplace(session, what, "records");
}

bool FoundRecords::next(sql::Stmt& rows) {
  if (!rows.step()) {
    progress_.reset();
    return false;
  }
  ++seen_;
  if (!progress_ || !progress_->due()) return true;
  if (all_ < 0) {
    sql::Stmt count = this->rows("count(*)", 0);
    all_ = count.step() ? count.integer(0) : 0;
  }
  progress_->of(seen_, all_);
  return true;
}

std::vector<std::string> FoundRecords::why_empty() { return store::explain_empty(db_, search_); }

RecordPage page_of(FoundRecords& found) {
  sql::Stmt stmt = found.rows(
      "kernel_type, backend, substr(id, 1, 18), substr(at, 1, 10), iteration, arch, bottleneck, strategy, "
      "speedup, outcome, coalesce(notes, hypothesis, '')",
      0);
  RecordPage page;
  while (found.next(stmt)) {
    auto text = [&](int column) { return std::string(stmt.text(column)); };
    RecordPage::Section& section = page.sections[text(0) + " [" + text(1) + "]"];
    RecordPage::Row& row = section.rows.emplace_back(RecordPage::Row{
        text(2), text(3), text(4), text(5), text(6), text(7), text(9), text(10), std::nullopt});
    if (!stmt.is_null(8)) row.speedup = stmt.real(8);
    bool won = row.outcome == "success", lost = row.outcome == "failure";
    ++page.n;
    page.success += won, section.success += won;
    page.failure += lost, section.failure += lost;
    if (won && row.speedup.value_or(0) > section.best) {
      section.best = *row.speedup;
      section.best_strategy = row.strategy;
    }
  }
  return page;
}

}  // namespace explog::app
