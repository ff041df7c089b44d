#include "app/session/session.h"

#include <optional>

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
  std::optional<sql::Db> db(store::open_to_read(database(), notes));
  if (shipped && lacks_shipped(*db)) {
    db.reset();  // the writer takes its journal into the file only where it is the last to close it
    put_shipped(*this);
    notes.clear();
    db.emplace(store::open_to_read(database(), notes));
  }
  for (const std::string& note : notes) warn(note);
  return std::move(*db);
}

}  // namespace explog::app
