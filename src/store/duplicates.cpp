#include "store/duplicates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/experience.h"
#include "model/vocabulary.h"

namespace explog::store {
namespace {

struct Candidate {
  std::int64_t rid;
  long level;
  size_t length;
  std::string key;
};

// What makes two records of one group the same experiment.
std::string identity(const Experience& e) {
  Experience key;
  key.latency_before_ms = e.latency_before_ms;
  key.shape = e.shape;
  key.params = e.params;
  key.state = e.state;
  std::sort(key.state.begin(), key.state.end());
  std::sort(key.shape.begin(), key.shape.end());
  std::sort(key.params.begin(), key.params.end());
  return to_json(key);
}

long level_rank(const std::string& level) {
  auto all = words(Vocabulary::level);
  return std::find(all.begin(), all.end(), level) - all.begin();
}

std::vector<DuplicateGroup> split_by_identity(sql::Db& db, const std::vector<std::int64_t>& rids,
                                              const std::string& what) {
  std::vector<Candidate> candidates;
  for (std::int64_t rid : rids) {
    sql::Stmt read(db, "SELECT body FROM event WHERE rid=?");
    read.bind(1, rid);
    if (!read.step()) continue;
    Experience e = parse_experience(read.text(0));
    candidates.push_back({rid, level_rank(e.level), read.text(0).size(), identity(e)});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.level != b.level) return a.level > b.level;
    if (a.length != b.length) return a.length > b.length;
    return a.rid < b.rid;
  });
  std::vector<DuplicateGroup> groups;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i == 0 || candidates[i].key != candidates[i - 1].key) groups.push_back({{}, what});
    groups.back().rids.push_back(candidates[i].rid);
  }
  std::erase_if(groups, [](const DuplicateGroup& g) { return g.rids.size() < 2; });
  return groups;
}

}  // namespace

std::vector<DuplicateGroup> find_duplicates(sql::Db& db) {
  sql::Stmt find(
      db,
      "SELECT group_concat(rid), kernel_type, backend, arch, strategy, speedup, latency_after_ms FROM attempt"
      " WHERE speedup IS NOT NULL AND latency_after_ms IS NOT NULL"
      " GROUP BY kernel_type, kernel, backend, arch, gpu, dtype, strategy, outcome, speedup, latency_after_ms"
      " HAVING count(*) > 1 ORDER BY min(rid)");
  std::vector<DuplicateGroup> groups;
  while (find.step()) {
    std::vector<std::int64_t> rids;
    std::string list(find.text(0));
    for (std::string_view rid : split(list, ','))
      rids.push_back(static_cast<std::int64_t>(*parse_number(rid)));
    std::string what = fmt::format("{} {} {} {}: {}x to {} ms", find.text(1), find.text(2), find.text(3),
                                   find.text(4), number_text(find.real(5)), number_text(find.real(6)));
    for (DuplicateGroup& group : split_by_identity(db, rids, what)) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace explog::store
