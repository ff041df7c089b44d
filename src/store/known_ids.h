// Which records are here already, by their ids or keys.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/hash.h"
#include "base/sqlite.h"

namespace explog::store {

struct Draft;

// Of origins that are not blocked: what those wrote must keep nobody's record out.
class KnownIds {
 public:
  explicit KnownIds(sql::Db& db);
  bool has(const Uuid& id);
  // The id under which the record of a draft is here.
  std::optional<Uuid> of(const Draft& draft);

 private:
  sql::Stmt find_;
};

// By the idempotency keys of one origin, which mean nothing to others.
class KnownKeys {
 public:
  KnownKeys(sql::Db& db, std::int64_t origin_no);
  // The id of the first record with it; nothing of an empty one.
  std::optional<Uuid> of(const std::string& key);

 private:
  std::int64_t origin_no_;
  sql::Stmt find_;
};

}  // namespace explog::store
