// Which records are here already, by their ids.
#pragma once
#include <optional>

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

}  // namespace explog::store
