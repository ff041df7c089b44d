// Opening the database file: place, checks, versions, origin.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

constexpr std::int64_t application_id = 0x45584C47;  // 'EXLG'
constexpr int schema_version = 8;                    // highest schema/NNNN_*.sql of this program

// Opens for writing: makes the file and its folder when they are not there, migrates an older one.
// Throws Error(store): network file system, foreign or newer file, damage, no permission.
sql::Db open_to_write(const std::string& path);

// Opens for reading without ever waiting for a writer, also on read-only media; a file that does not exist
// reads as an empty database. `notes` receives what the user should know (a newer database, an immutable
// one).
sql::Db open_to_read(const std::string& path, std::vector<std::string>& notes);

// The temp views users query (schema/views), on this connection.
void create_views(sql::Db& db);
// Name and text of each view file.
std::vector<std::pair<std::string, std::string>> view_sources();

// Number of the origin this file appends to. A copied or restored file gets a new origin, because two files
// must never continue one sequence (clone guard: machine, device and inode are compared with those of the
// last writer).
std::int64_t own_origin(sql::Db& db, const std::string& path);
// Ends the present origin of the file: what it appends from now on is another's.
void mint_origin(sql::Db& db, const std::string& path);

// Runs schema/0001..NNNN on an empty or older database; one transaction each.
void migrate(sql::Db& db);

}  // namespace explog::store
