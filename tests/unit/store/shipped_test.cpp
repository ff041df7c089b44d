#include "store/shipped.h"

#include <doctest/doctest.h>

#include "app/session/shipped.h"
#include "app/sync/trust.h"
#include "model/claim.h"
#include "scratch.h"
#include "store/origins.h"
#include "store/read.h"
#include "store/receiver.h"
#include "store/verified_segment.h"

using namespace explog;

namespace {

std::int64_t fixed_clock() { return 1767323045000; }

store::Draft shipped_record(const std::string& strategy) {
  Experience e;
  e.kernel_type = "softmax", e.backend = "cuda", e.arch = "sm_90", e.strategy = strategy, e.speedup = 1.5;
  REQUIRE_FALSE(prepare(e, "measured").refused);
  store::Draft draft = store::Draft::of(std::move(e));
  draft.id = uuid_v8(draft.body);
  draft.at_ms = 1;
  return draft;
}

std::int64_t counted(store::Store& s) { return s.db().integer("SELECT count(*) FROM attempt"); }

}  // namespace

TEST_CASE("an edition is put in once, and the next one takes its place") {
  Scratch scratch;
  store::Store s(scratch / "x.db", fixed_clock);
  s.put_shipped("1", {shipped_record("a"), shipped_record("b")});
  s.put_shipped("1", {shipped_record("c")});
  CHECK(counted(s) == 2);
  CHECK(store::shipped_edition(s.db()) == "1");
  s.put_shipped("2", {shipped_record("b"), shipped_record("c"), shipped_record("d")});
  CHECK(counted(s) == 3);
  CHECK(s.db().integer("SELECT count(*) FROM attempt WHERE strategy='a'") == 0);
  CHECK(s.rebuild().empty());
}

TEST_CASE("who has imported them by hand does not get them twice") {
  Scratch scratch;
  store::Store s(scratch / "x.db", fixed_clock);
  s.append({shipped_record("a"), shipped_record("b")});
  s.put_shipped("1", {shipped_record("a"), shipped_record("b")});
  CHECK(s.db().integer("SELECT count(*) FROM event") == 2);
  s.put_shipped("2", {shipped_record("a"), shipped_record("b"), shipped_record("c")});
  CHECK(counted(s) == 3);
  CHECK(s.rebuild().empty());
}

TEST_CASE("blocked, they stay out of the counts, also of the next edition") {
  Scratch scratch;
  app::Session session;
  session.db_path = scratch / "x.db";
  session.clock = fixed_clock;
  store::Store s = session.writer();
  s.put_shipped("1", {shipped_record("a")});
  app::set_trust(session, "shipped", Trust::blocked, std::nullopt);
  CHECK(counted(s) == 0);
  s.put_shipped("2", {shipped_record("a"), shipped_record("b")});
  CHECK(counted(s) == 0);
  app::set_trust(session, "shipped", Trust::team, std::nullopt);
  CHECK(counted(s) == 2);
}

TEST_CASE("nobody else may write in their name, and no file brings them") {
  Scratch scratch;
  store::Store s(scratch / "x.db", fixed_clock), other(scratch / "y.db", fixed_clock);
  other.put_shipped("1", {shipped_record("a")});
  other.append({shipped_record("b")});
  CHECK(s.merge(scratch / "y.db").added == 1);
  Segment segment;
  segment.origin = store::shipped_origin("1");
  store::Draft draft = shipped_record("c");
  segment.events.push_back({*draft.id, 1, 1, 1, draft.body, {}});
  segment.head = chain_step(segment.origin, 1, "", segment.events[0]);
  auto verified = store::verify_from_file(segment);
  REQUIRE(std::holds_alternative<store::VerifiedSegment>(verified));
  store::Store::Receiver receiver(s, {Trust::team, "here"});
  CHECK(receiver.take(std::get<store::VerifiedSegment>(verified)).answer == store::Taken::Answer::refused);
}

TEST_CASE("the first question finds them, a later one does not put them in again") {
  Scratch scratch;
  app::Session session;
  session.db_path = scratch / "fresh" + "/x.db";
  session.clock = fixed_clock;
  session.shipped = true;
  sql::Db db = session.reader();
  std::int64_t n = store::count_records(db);
  CHECK(n > 8000);
  CHECK_FALSE(app::lacks_shipped(db));
  sql::Db again = session.reader();
  CHECK(store::count_records(again) == n);
  CHECK(again.integer("SELECT count(*) FROM origin WHERE is_self = 1") == 0);
}
