// A write transaction under the writers' lock.
#pragma once
#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/sqlite.h"

namespace explog::store {

std::int64_t inode_of(const std::string& path);  // 0 when there is no such file

// One writer at a time: the lock is held from BEGIN to COMMIT and over the checkpoint behind it, because a
// checkpoint that meets a commit can lose it in SQLite before 3.51.3. Rolled back when it goes away
// uncommitted.
class Transaction {
 public:
  // `inode` is that of the file `db` was opened from: a file moved or replaced meanwhile is refused with
  // Error(store).
  Transaction(sql::Db& db, std::string path, std::int64_t inode);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  void check_file() const;
  sql::Db& db_;
  std::string path_;
  std::int64_t inode_;
  FileLock lock_;
};

}  // namespace explog::store
