// Store::merge: set union with the log of another database file.
#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/text.h"
#include "model/json.h"
#include "store/open.h"
#include "store/store.h"

namespace explog::store {
namespace {

// Opens a stranger's file: read-only, checked for damage, and only its log is read.
sql::Db open_foreign(const std::string& path) {
  sql::Db db(path, sql::Mode::read_only);
  db.exec("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0");
  if (db.integer("PRAGMA application_id") != application_id ||
      db.integer("SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('event', 'origin')") !=
          2) {
    throw Error(Exit::usage, printable(path) + " is not an explog database");
  }
  if (std::string health = db.text("PRAGMA quick_check(1)"); health != "ok") {
    throw Error(Exit::usage, printable(path) + " is damaged: " + printable(health));
  }
  return db;
}

constexpr size_t page_events = 20000;

}  // namespace

Store::Merged Store::merge(const std::string& other_path) {
  sql::Db other = open_foreign(other_path);
  Merged merged;
  std::map<std::int64_t, std::string> origins;  // their number -> origin
  sql::Stmt list(other, "SELECT no, origin FROM origin ORDER BY no");
  while (list.step()) origins[list.integer(0)] = std::string(list.blob(1));

  for (const auto& [their_no, origin] : origins) {
    if (origin.size() != 16) continue;
    sql::Stmt theirs(
        other, "SELECT rid, id, kind, version, at, body FROM event WHERE rid>?1 AND rid<?2 ORDER BY rid");
    theirs.bind(1, first_rid_of(their_no)).bind(2, first_rid_of(their_no + 1));
    bool more = theirs.step();
    bool sound = true;
    while (more && sound) {
      Transaction transaction(db_, path_, inode_);
      own_origin(db_, path_);
      std::int64_t no = origin_number(origin);
      std::int64_t last = head(no);
      sql::Stmt insert(db_, "INSERT INTO event(rid, id, kind, version, at, body) VALUES (?,?,?,?,?,?)");
      sql::Stmt same(db_, "SELECT body=? FROM event WHERE rid=?");
      sql::Stmt group(db_, "SELECT rid FROM event WHERE id=? AND kind=1 ORDER BY rid");
      for (size_t n = 0; n < page_events && more && sound; ++n, more = theirs.step()) {
        std::int64_t rid = first_rid_of(no) + sequence_of(theirs.integer(0));
        if (rid <= last) {
          same.bind_text(1, theirs.text(5)).bind(2, rid);
          sound = same.step() && same.integer(0) == 1;
          same.reset();
          if (!sound)
            merged.refused.push_back(fmt::format(
                "event {} differs from the one known here: its origin was copied and continued twice",
                sequence_of(rid)));
          ++merged.skipped;
          continue;
        }
        bool uuid = theirs.blob(1).size() == 16;
        if (rid != last + 1 || !uuid || theirs.text(5).size() > LineReader::max_line ||
            !valid_utf8(theirs.text(5))) {
          merged.refused.push_back(rid != last + 1 ? fmt::format("event {} is missing before {}",
                                                                 sequence_of(last) + 1, sequence_of(rid))
                                                   : fmt::format("event {} is malformed", sequence_of(rid)));
          sound = false;
          continue;
        }
        insert.bind(1, rid)
            .bind_blob(2, theirs.blob(1))
            .bind(3, theirs.integer(2))
            .bind(4, theirs.integer(3));
        insert.bind(5, theirs.integer(4)).bind_text(6, theirs.text(5));
        insert.run();
        last = rid;
        ++merged.added;
        if (theirs.integer(2) == static_cast<std::int64_t>(Kind::retract)) {
          apply_retraction(rid, theirs.text(5));
          continue;
        }
        refresh(rid);
        if ((static_cast<unsigned char>(theirs.blob(1)[6]) >> 4) != 8) continue;
        group.bind_blob(
            1, theirs.blob(1));  // a content id may have come by another way before: one of them counts
        std::vector<std::int64_t> twins;
        while (group.step()) twins.push_back(group.integer(0));
        group.reset();
        for (std::int64_t twin : twins) {
          if (twin != rid) refresh(twin);
        }
      }
      projector_.flush();
      transaction.commit();
    }
  }
  return merged;
}

}  // namespace explog::store
