#include "cli/context.h"

#include "base/file.h"
#include "base/text.h"
#include "store/open.h"

namespace explog::cli {

std::string Context::database() const {
  if (!db_path.empty()) return db_path;
  std::string from_env = env("EXPLOG_DB");
  return from_env.empty() ? data_home() + "/explog.db" : from_env;
}

store::Store Context::writer() const { return {database(), clock}; }

sql::Db Context::reader() const {
  std::vector<std::string> notes;
  sql::Db db = store::open_to_read(database(), notes);
  for (const std::string& note : notes) warn(note);
  return db;
}

void Context::warn(const std::string& message) const {
  if (!quiet) err << "explog: " << printable(message) << '\n';
}

bool Context::color() const {
  return terminal && !no_color && env("NO_COLOR").empty() && env("TERM") != "dumb";
}

}  // namespace explog::cli
