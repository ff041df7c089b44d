#include "store/measurements.h"

#include "model/event.h"
#include "model/json.h"
#include "store/event_rows.h"

namespace explog::store {
namespace {

const std::string hashes =
    "SELECT json_extract(body,'$.task_hash'), json_extract(body,'$.harness_hash'), "
    "json_extract(body,'$.baseline.hash'), json_extract(body,'$.candidate.hash') "
    "FROM event WHERE kind=?1 AND json_valid(body)";

std::int64_t kind() { return static_cast<std::int64_t>(Kind::measurement); }

MeasurementKey key_in(sql::Stmt& row) {
  return {std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)),
          std::string(row.text(3))};
}

}  // namespace

MeasurementKey key_of(const Measurement& m) {
  return {m.task_hash, m.harness_hash, m.baseline.hash, m.candidate.hash};
}

std::set<MeasurementKey> measured_keys(sql::Db& db) {
  sql::Stmt read(db, hashes);
  read.bind(1, kind());
  std::set<MeasurementKey> keys;
  while (read.step()) keys.insert(key_in(read));
  return keys;
}

std::optional<MeasurementKey> last_against(sql::Db& db, const std::string& task,
                                           const std::string& baseline_hash) {
  sql::Stmt last(db, hashes +
                         " AND json_extract(body,'$.task')=?2 AND json_extract(body,'$.baseline.hash')=?3 "
                         "ORDER BY rid DESC LIMIT 1");
  last.bind(1, kind()).bind_text(2, task).bind_text(3, baseline_hash);
  if (!last.step()) return std::nullopt;
  return key_in(last);
}

static std::vector<Measurement> whole_ones(sql::Stmt& read) {
  std::vector<Measurement> list;
  while (read.step()) {
    try {
      list.push_back(parse_measurement(read.text(0)));
    } catch (const JsonError&) {
    }
  }
  return list;
}

std::vector<Measurement> measurements_of(sql::Db& db, const std::string& task, const std::string& gpu,
                                         const std::string& toolkit) {
  sql::Stmt read(
      db,
      "SELECT body FROM event WHERE kind=?1 AND json_valid(body) AND json_extract(body,'$.task')=?2 "
      "AND json_extract(body,'$.gpu')=?3 AND json_extract(body,'$.toolkit')=?4 "
      "AND json_extract(body,'$.mode')='cold, light' ORDER BY rid");
  read.bind(1, kind()).bind_text(2, task).bind_text(3, gpu).bind_text(4, toolkit);
  return whole_ones(read);
}

std::vector<Measurement> measurements_like(sql::Db& db, const Measurement& like) {
  sql::Stmt read(db,
                 "SELECT body FROM event WHERE kind=?1 AND json_valid(body) "
                 "AND json_extract(body,'$.task_hash')=?2 AND json_extract(body,'$.harness_hash')=?3 "
                 "AND json_extract(body,'$.baseline.hash')=?4 AND json_extract(body,'$.gpu')=?5 "
                 "AND json_extract(body,'$.toolkit')=?6 AND json_extract(body,'$.mode')=?7 ORDER BY rid");
  read.bind(1, kind()).bind_text(2, like.task_hash).bind_text(3, like.harness_hash);
  read.bind_text(4, like.baseline.hash).bind_text(5, like.gpu).bind_text(6, like.toolkit);
  read.bind_text(7, like.mode);
  return whole_ones(read);
}

std::optional<Measurement> measurement_with(sql::Db& db, const Uuid& id) {
  sql::Stmt read(db, "SELECT body FROM event WHERE id=?1 AND kind=?2");
  read.bind_blob(1, view_of(id)).bind(2, kind());
  std::vector<Measurement> found = whole_ones(read);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

}  // namespace explog::store
