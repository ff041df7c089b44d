#include "cli/history.h"

#include "model/json.h"
#include "store/store.h"

namespace explog::cli {

std::vector<recommend::Dated> history(sql::Db& db) {
  sql::Stmt read(db, "SELECT e.at, e.body FROM attempt a JOIN event e ON e.rid = a.rid ORDER BY e.at, e.rid");
  std::vector<recommend::Dated> list;
  while (read.step()) {
    if (auto e = store::countable(read.text(1))) list.push_back({std::move(*e), read.integer(0)});
  }
  return list;
}

// {"a":0.1,"b":0.9} under the key recalibration of the table meta; what cannot be read is none.
std::optional<recommend::Recalibration> kept_recalibration(sql::Db& db) {
  std::string text = db.text("SELECT value FROM meta WHERE key='recalibration'");
  if (text.empty()) return std::nullopt;
  try {
    Json json = parse_json(text);
    recommend::Recalibration mend{json.at("a").get<double>(), json.at("b").get<double>()};
    return mend.b > 0 ? std::optional(mend) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void keep_recalibration(sql::Db& db, const std::optional<recommend::Recalibration>& mend) {
  if (!mend) {
    db.exec("DELETE FROM meta WHERE key='recalibration'");
    return;
  }
  JsonWriter json;
  json.begin_object();
  json.key("a"), json.number(mend->a);
  json.key("b"), json.number(mend->b);
  json.end_object();
  db.run("INSERT OR REPLACE INTO meta VALUES ('recalibration', ?)", {json.str()});
}

}  // namespace explog::cli
