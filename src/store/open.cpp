#include "store/open.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sign.h"
#include "base/text.h"
#include "store/functions.h"
#include "store/projection.h"

namespace explog::store {
namespace {

std::string folder_of(const std::string& path) {
  auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

void refuse_network(const std::string& path) {
  auto kind = network_file_system_of(folder_of(path));
  if (!kind) return;
  throw Error(Exit::store, printable(path) + " lies on a " + *kind + " file system, where SQLite loses data",
              "keep the database on a local disk (--db PATH or EXPLOG_DB) and share it with `explog merge`");
}

// The lock and SQLite's log are files beside the database: they must be writable too, or its folder for them.
void expect_writable(const std::string& path) {
  auto lacks = [](const std::string& file, int right) {
    return faccessat(AT_FDCWD, file.c_str(), right, AT_EACCESS) != 0 && errno != ENOENT;
  };
  auto refuse = [&](const std::string& what) {
    throw Error(
        Exit::store, printable(what) + " is not writable: " + std::strerror(errno),
        "get the right to write there, or name a database of your own with --db or EXPLOG_DB; it can be a "
        "copy of this one");
  };
  bool all_there = true;
  for (const char* end : {"", ".lock", "-wal"}) {
    if (lacks(path + end, W_OK)) refuse(path + end);
    all_there &= access((path + end).c_str(), F_OK) == 0;
  }
  if (!all_there && lacks(folder_of(path), W_OK | X_OK)) refuse("the folder " + folder_of(path));
}

void check_file(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return;
  if (S_ISDIR(info.st_mode)) throw Error(Exit::store, printable(path) + " is a directory, not a database");
  if (!S_ISREG(info.st_mode)) throw Error(Exit::store, printable(path) + " is not a regular file");
}

void check_owner(sql::Db& db, const std::string& path) {
  std::int64_t id = db.integer("PRAGMA application_id");
  bool empty = id == 0 && db.integer("SELECT count(*) FROM sqlite_master") == 0;
  if (id != application_id && !empty) {
    throw Error(Exit::store, printable(path) + " is an SQLite database, but not explog's",
                "name another file with --db");
  }
}

// A version of ours without its tables is damage, and said so here, not by the first command that needs one.
void check_tables(sql::Db& db, const std::string& path) {
  if (db.integer(
          "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('meta', 'origin', 'event', "
          "'attempt', 'cell', 'retraction', 'idempotency', 'note')") == 8)
    return;
  throw Error(Exit::store, printable(path) + ": tables are missing, the file is damaged",
              "`explog doctor --salvage NEW.db` rescues the records that can be read");
}

std::string version_message(const std::string& path, std::int64_t found) {
  return fmt::format("{} was made by a newer explog (schema {}, this program knows {})", printable(path),
                     found, schema_version);
}

void set_connection(sql::Db& db) {
  db.exec("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA cache_size=-65536");
}

std::string machine_id() {
  try {
    return std::string(trim(read_file("/etc/machine-id")));
  } catch (const Error&) {
    return "";
  }
}

std::string file_identity(const std::string& path) {
  struct stat info {};
  stat(path.c_str(), &info);
  std::string facts = fmt::format("{}/{}/{}", machine_id(), info.st_dev, info.st_ino);
  return hex(blake2b_128(facts));
}

// What others see beside the origin's id: whose database it is.
std::string default_label() {
  std::string label = env("EXPLOG_LABEL");
  if (!label.empty()) return label.substr(0, 200);
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  const passwd* user = getpwuid(geteuid());
  return fmt::format("{}@{}", user != nullptr ? user->pw_name : "somebody",
                     host[0] != '\0' ? host : "somewhere")
      .substr(0, 200);
}

// Version 8 counts anew what the log holds; 7 left that to it.
void fill_cells(sql::Db& db) {
  Projector projector(db, "main");
  sql::Stmt counted(db,
                    "SELECT e.rid, e.at, e.body FROM attempt a JOIN event e ON e.rid=a.rid ORDER BY e.rid");
  while (counted.step()) {
    if (auto e = countable(counted.text(2))) projector.count_only(counted.integer(0), counted.integer(1), *e);
  }
  projector.flush();
}

}  // namespace

void migrate(sql::Db& db) {
  std::int64_t have = db.integer("PRAGMA user_version");
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view name = file.path;
    if (name.substr(0, 7) != "schema/" || name.size() < 12 || name.find('/', 7) != std::string_view::npos)
      continue;
    auto number = parse_number(name.substr(7, 4));
    if (!number || *number <= static_cast<double>(have)) continue;
    // DDL is transactional: version and tables change together or not at all.
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(std::string(file.text));
      if (*number == 8) fill_cells(db);
      db.exec(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", application_id,
                          static_cast<int>(*number)));
      db.exec("COMMIT");
    } catch (...) {
      if (db.in_transaction()) db.exec("ROLLBACK");
      throw;
    }
  }
}

sql::Db open_to_write(const std::string& path) {
  make_directories(folder_of(path));
  refuse_network(path);
  check_file(path);
  expect_writable(path);
  FileLock lock(path + ".lock", 60000);  // one at a time creates and migrates
  mode_t old = umask(077);
  sql::Db db(path, sql::Mode::read_write);
  umask(old);
  set_connection(db);
  check_owner(db, path);
  std::int64_t version = db.integer("PRAGMA user_version");
  if (version > schema_version) {
    throw Error(Exit::store, version_message(path, version),
                "upgrade explog to write to it; reading commands still work");
  }
  if (db.read_only()) throw Error(Exit::store, printable(path) + " is not writable", "check its permissions");
  if (version == 0) db.exec("PRAGMA page_size=8192");
  if (db.text("PRAGMA journal_mode=WAL") != "wal")
    throw Error(Exit::store, printable(path) + ": WAL journal refused");
  // Checkpoints happen only under the writers' lock (SQLite before 3.51.3 can lose commits otherwise).
  db.exec("PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL");
  register_functions(db);
  if (version < schema_version) migrate(db);
  check_tables(db, path);
  return db;
}

static sql::Db empty_database() {
  sql::Db db(":memory:", sql::Mode::read_write);
  register_functions(db);
  migrate(db);
  return db;
}

namespace {

struct Reading {
  sql::Db db;
  std::int64_t version;  // of its schema; 0: its creation has not come to its end
};

Reading open_as_it_is(const std::string& path) {
  auto open = [&](sql::Mode mode) {
    sql::Db db(path, mode);
    set_connection(db);
    check_owner(db, path);
    std::int64_t version = db.integer("PRAGMA user_version");
    return Reading{std::move(db), version};
  };
  try {
    return open(sql::Mode::read_only);
  } catch (const Error&) {
    // Read-only media: SQLite cannot make its shared memory file. Without a log beside it the file is
    // complete.
    struct stat wal {};
    bool pending = stat((path + "-wal").c_str(), &wal) == 0 && wal.st_size > 0;
    if (pending && access(folder_of(path).c_str(), W_OK) != 0) {
      throw Error(Exit::store,
                  printable(path) + ": its log (-wal) cannot be read without permission to write here",
                  "copy the database and its -wal file to a folder of your own and name it with --db");
    }
    if (pending) throw;
    return open(sql::Mode::immutable);
  }
}

void bring_up_to_date(const std::string& path, std::int64_t version) {
  try {
    open_to_write(path);
  } catch (const Error& e) {
    throw Error(Exit::store,
                fmt::format("{} was made by an older explog (schema {}) and cannot be brought up to date: {}",
                            printable(path), version, e.what()),
                "copy it to a folder of your own and name it with --db");
  }
}

}  // namespace

sql::Db open_to_read(const std::string& path, std::vector<std::string>& notes) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return empty_database();
  check_file(path);
  std::optional<Reading> file(open_as_it_is(path));
  if (file->version != 0 && file->version < schema_version) {
    // What the readers ask for is not in an older file yet.
    std::int64_t version = file->version;
    file.reset();
    bring_up_to_date(path, version);
    file.emplace(open_as_it_is(path));
  }
  if (file->version == 0) return empty_database();
  if (file->version > schema_version)
    notes.push_back(version_message(path, file->version) + ": reading only");
  check_tables(file->db, path);
  register_functions(file->db);
  return std::move(file->db);
}

std::vector<std::pair<std::string, std::string>> view_sources() {
  std::vector<std::pair<std::string, std::string>> views;
  constexpr std::string_view folder = "schema/views/";
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.substr(0, folder.size()) != folder) continue;
    std::string_view name = file.path.substr(folder.size());
    views.emplace_back(name.substr(0, name.size() - 4), file.text);
  }
  return views;
}

void create_views(sql::Db& db) {
  for (const auto& [name, text] : view_sources()) db.exec(text);
}

void mint_origin(sql::Db& db, const std::string& path) {
  db.exec("UPDATE origin SET is_self=0, trust=2, via='here' WHERE is_self=1");
  sql::Stmt insert(db, "INSERT INTO origin(origin, is_self, trust, label) VALUES (?1, 1, 3, ?2)");
  std::string id = bytes_of(random_bytes16()), label = default_label();
  insert.bind_blob(1, id).bind_text(2, label);
  insert.run();
  db.run("INSERT OR REPLACE INTO meta VALUES ('file_identity', ?)", {file_identity(path)});
}

std::int64_t own_origin(sql::Db& db, const std::string& path) {
  std::string known = db.text("SELECT value FROM meta WHERE key='file_identity'");
  if (known != file_identity(path)) mint_origin(db, path);
  return db.integer("SELECT no FROM origin WHERE is_self=1");
}

}  // namespace explog::store
