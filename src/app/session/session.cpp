#include "app/session/session.h"

#include "app/session/shipped.h"
#include "base/file.h"
#include "base/text.h"
#include "store/open.h"

namespace explog::app {

std::string Session::database() const {
  if (!db_path.empty()) return db_path;
  std::string from_env = env("EXPLOG_DB");
  return from_env.empty() ? data_home() + "/explog.db" : from_env;
}

store::Store Session::writer() const { return {database(), clock}; }

sql::Db Session::reader() const {
  std::vector<std::string> notes;
  sql::Db db = store::open_to_read(database(), notes);
  if (shipped && lacks_shipped(db) && put_shipped(*this)) {
    notes.clear();
    db = store::open_to_read(database(), notes);
  }
  for (const std::string& note : notes) warn(note);
  return db;
}

}  // namespace explog::app
