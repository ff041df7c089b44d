// A session on a database of a test's own, with the records that ship or without.
#pragma once
#include <cstdint>
#include <string>

#include "app/session/session.h"
#include "base/file.h"

inline explog::app::Session session_on(const std::string& database, bool with_records) {
  explog::app::Session session;
  session.db_path = database, session.shipped = with_records;
  session.clock = [] { return std::int64_t{1767323045000}; };
  session.read = [](const std::string& path) { return explog::read_file(path); };
  return session;
}
