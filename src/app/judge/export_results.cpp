#include "app/judge/export_results.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/records/records.h"
#include "base/text.h"
#include "store/measurements.h"
#include "store/shipped.h"

namespace explog::app {
namespace {

// "measurement 5ce82a35-268d-815c-9aca-7a5fd75a9143", as record_attempt() writes it.
std::optional<Uuid> measurement_named(std::string_view source) {
  constexpr std::string_view word = "measurement ";
  return source.starts_with(word) ? parse_uuid(source.substr(word.size())) : std::nullopt;
}

class ResultFinder {
 public:
  ResultFinder(const std::vector<std::string>& benchmarks, const Session& session)
      : benchmarks_(benchmarks), db_(session.reader()), shipped_(db_) {}

  void add(std::int64_t rid, std::string_view source, std::string_view at) {
    if (shipped_.has(rid)) return;
    std::optional<Uuid> id = measurement_named(source);
    if (!id) return leave_out("no measurement of this program: added or imported");
    auto known = whys_.find(*id);
    if (known == whys_.end()) known = whys_.emplace(*id, take(*id, at)).first;
    if (known->second.empty())
      ++results_.records;
    else
      leave_out(known->second);
  }

  ExportedResults take_results() { return std::move(results_); }

 private:
  void leave_out(const std::string& why) { ++results_.left_out[why]; }

  // Why it is left out; empty where it is taken.
  std::string take(const Uuid& id, std::string_view at) {
    auto m = store::measurement_with(db_, id);
    if (!m) return "their measurement is not in this database";
    if (!m->imported_from)
      return "measured on a task that is from no benchmark (`explog task import` makes such tasks)";
    if (std::find(benchmarks_.begin(), benchmarks_.end(), m->imported_from->format) == benchmarks_.end())
      return "measured on a task of " + m->imported_from->format;
    ExportedAttempt attempt{std::move(*m), {}, std::string(at)};
    attempt.verdict = bench::judge(attempt.measurement);
    results_.attempts.push_back(std::move(attempt));
    return "";
  }

  const std::vector<std::string>& benchmarks_;
  sql::Db db_;
  store::ShippedRows shipped_;
  std::map<Uuid, std::string> whys_;  // a measurement has a record a shape
  ExportedResults results_;
};

}  // namespace

ExportedResults results_for(const std::vector<std::string>& benchmarks, const std::string& search,
                            const Session& session) {
  Session own = session;
  own.shipped = false;
  FoundRecords found(search, own);
  found.oldest_first();
  ResultFinder finder(benchmarks, own);
  sql::Stmt rows = found.rows("rid, source, at", 0);
  while (rows.step()) finder.add(rows.integer(0), rows.text(1), rows.text(2));
  return finder.take_results();
}

}  // namespace explog::app
