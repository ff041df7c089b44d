// What events do: which records count, and what is said about them. All rules give the same result in
// whatever order the events arrive.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.h"
#include "model/event.h"
#include "store/projection.h"

namespace explog::store {

// SQL condition on a row `r` of retraction: its author may take that record back, being its own origin or one
// that is trusted as a team member. A replacement is for the own origin only.
inline const std::string entitled =
    "(r.by_rid >> 40 = r.rid >> 40 OR ((SELECT trust FROM main.origin WHERE no = r.by_rid >> 40) >= 2"
    " AND (SELECT kind FROM main.event WHERE rid = r.by_rid) <> 4))";

constexpr bool is_record(std::int64_t kind) {
  return kind == static_cast<std::int64_t>(Kind::experience) ||
         kind == static_cast<std::int64_t>(Kind::replace);
}

// Works on the projections of one schema of a connection, "main" or "temp"; the caller owns the transaction
// and flushes the projector.
class Effects {
 public:
  Effects(sql::Db& db, const std::string& schema, Projector& projector);

  // Brings everything in line with an event that was just put into the log. `parsed` is countable(body), for
  // records.
  void arrived(std::int64_t rid, const Event& event, const Experience* parsed);
  // Brings the projection of one record in line with what the log says, and erases its body when it is
  // redacted.
  void refresh(std::int64_t rid);
  // The same for all that an origin wrote or spoke of, after its trust changed.
  void refresh_origin(std::int64_t origin_no);
  // Takes back what an event did; to be called before it leaves the log.
  void withdraw(std::int64_t rid);
  // Only notes what a record that speaks of others says; the record it speaks of, when that one must be
  // looked at again.
  std::optional<std::int64_t> note(std::int64_t rid, std::int64_t kind, std::string_view body);
  // Whether a record that can be counted is to be counted.
  bool counts(std::int64_t rid, const Uuid& id, std::string_view body);

  std::int64_t origin_number(std::string_view origin);

 private:
  enum class Withdrawn { no, retracted, redacted };
  Withdrawn withdrawn(std::int64_t rid);
  bool blocked(std::int64_t origin_no);
  bool before(std::int64_t rid, std::int64_t other);
  std::vector<std::int64_t> twins(std::int64_t rid, const Uuid& id, std::string_view body);
  void refresh_twins(std::int64_t rid, const Uuid& id, std::string_view body);
  void bring_in_line(std::int64_t rid, const Event& event, const Experience& e);
  void erase(std::int64_t rid, const Event& event);

  sql::Db& db_;
  std::string schema_;
  Projector& projector_;
  sql::Stmt event_, withdrawn_, present_, same_id_, trust_, find_origin_, add_origin_, add_retraction_;
};

}  // namespace explog::store
