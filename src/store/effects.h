// What events do to the records: which of them count, and what other events say about them. The rules give the
// same result in whatever order the events arrive.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.h"
#include "model/event.h"
#include "store/event_rows.h"
#include "store/projection.h"

namespace explog::store {

// SQL condition on a row `r` of retraction: the origin that wrote it may take that record back, because it is
// the record's own or trusted as a team member. Only its own origin may replace a record.
inline const std::string entitled =
    "(r.by_rid >> 40 = r.rid >> 40 OR ((SELECT trust FROM main.origin WHERE no = r.by_rid >> 40) >= 2"
    " AND (SELECT kind FROM main.event WHERE rid = r.by_rid) <> " +
    sql_of(Kind::replace) + "))";

// The kinds of event that hold an experience.
constexpr std::initializer_list<Kind> record_kinds = {Kind::experience, Kind::replace};
constexpr bool is_record(Kind kind) { return kind == Kind::experience || kind == Kind::replace; }

// Works on the projections of one schema of a connection, "main" or "temp"; the caller owns the transaction
// and flushes the projector.
class Effects {
 public:
  Effects(sql::Db& db, const std::string& schema, Projector& projector);

  // Brings the projections in line with an event that was just put into the log. `parsed`: countable(body) of
  // a record, else nullptr.
  void arrived(std::int64_t rid, const Event& event, const Experience* parsed);
  // Brings the projection of one record in line with what the log says, and erases its body when it is
  // redacted.
  void refresh(std::int64_t rid);
  // refresh() for every record that an origin wrote or that its events are about, after its trust changed.
  void refresh_origin(std::int64_t origin_no);
  // Undoes what an event did and deletes it from the log.
  void withdraw(std::int64_t rid);
  // Stores what an event says about another record (a retraction, a verdict, ...), without acting on it.
  // Returns the rid of that record when it has to be refreshed.
  std::optional<std::int64_t> note(std::int64_t rid, std::int64_t kind, std::string_view body);
  // Whether a record that can be counted is to be counted.
  bool counts(std::int64_t rid, const Uuid& id, std::string_view body);

  std::int64_t origin_number(std::string_view origin);

 private:
  enum class Withdrawn { no, retracted, redacted };
  Withdrawn withdrawn(std::int64_t rid);
  bool blocked(std::int64_t origin_no);
  bool before(std::int64_t rid, std::int64_t other);
  std::vector<std::int64_t> copies(std::int64_t rid, const Uuid& id, std::string_view body);
  void refresh_copies(std::int64_t rid, const Uuid& id, std::string_view body);
  void bring_in_line(std::int64_t rid, const Event& event, const Experience& e);
  void erase(std::int64_t rid, const Event& event);

  sql::Db& db_;
  std::string schema_;
  Projector& projector_;
  sql::Stmt event_, withdrawn_, present_, same_id_, trust_, find_origin_, add_origin_, add_retraction_;
};

}  // namespace explog::store
