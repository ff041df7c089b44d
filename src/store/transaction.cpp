#include "store/transaction.h"

#include <sys/stat.h>

#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace explog::store {
namespace {

constexpr std::int64_t checkpoint_bytes = std::int64_t{64} << 20;
constexpr int lock_timeout_ms = 120000;

}  // namespace

std::int64_t inode_of(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? static_cast<std::int64_t>(info.st_ino) : 0;
}

Transaction::Transaction(sql::Db& db, std::string path, std::int64_t inode)
    : db_(db), path_(std::move(path)), inode_(inode), lock_(path_ + ".lock", lock_timeout_ms) {
  check_file();
  db_.exec("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!db_.in_transaction()) return;  // a full disk has rolled back already
  try {
    db_.exec("ROLLBACK");
  } catch (const Error&) {  // the connection is going away with the error that brought us here
    return;
  }
}

void Transaction::check_file() const {
  if (inode_of(path_) == inode_) return;
  try {  // what was committed goes to its own file: SQLite would apply the log to any that takes its place
    if (db_.in_transaction()) db_.exec("ROLLBACK");
    db_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (const Error&) {  // the file is out of reach; that it was moved is the news
  }
  throw Error(Exit::store,
              printable(path_) + " was moved or replaced while it was open: nothing more is stored",
              "run the command again");
}

void Transaction::commit() {
  check_file();
  db_.exec("COMMIT");
  struct stat wal {};
  if (stat((path_ + "-wal").c_str(), &wal) == 0 && wal.st_size > checkpoint_bytes)
    db_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace explog::store
