// What comes in from others: any order, any repetition, any fault.
#include "store/receiver.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "scratch.h"
#include "signed_log.h"
#include "store/chain.h"
#include "store/origins.h"
#include "store/read.h"

using namespace explog;
using store::Taken;

namespace {

std::int64_t receiver_clock() { return 1767323045000; }

Taken take_verified(store::Store& s, const Segment& segment, Trust trust = Trust::team) {
  store::Verified verified = store::verify(segment, std::nullopt);
  REQUIRE(std::holds_alternative<store::VerifiedSegment>(verified));
  store::Store::Receiver receiver(s, {trust, "test"});
  Taken taken = receiver.take(std::get<store::VerifiedSegment>(verified));
  receiver.commit();
  return taken;
}

// All that counts, with origins by name.
std::string state(sql::Db& db) {
  return db.text(
      "SELECT group_concat(line, char(10)) FROM (SELECT r.strategy || ' ' || hex(o.origin) || ' ' "
      "|| r.success || ' ' || r.gain_sum || ' ' || (r.first_rid & 1099511627775) || ' ' || "
      "(r.last_rid & 1099511627775) AS line FROM cell c, cell_row(c.first, c.cells) r JOIN "
      "origin o ON o.no=r.origin UNION ALL "
      "SELECT hex(o.origin) || (e.rid & 1099511627775) || e.body FROM "
      "event e "
      "JOIN origin o ON o.no = e.rid >> 40 ORDER BY 1)");
}

}  // namespace

TEST_CASE("events of three origins in any order and repetition come to the same state") {
  SignedLog a(1), b(2), c(3);
  std::vector<Segment> segments;
  segments.push_back(
      a.experience("kept").experience("taken_back").experience("wrong").experience("secret").close());
  segments.push_back(a.add(Kind::retract, SignedLog::about(a, 2, R"("reason":"no")")).close());
  segments.push_back(
      a.add(Kind::replace,
            R"({"kernel_type":"gemm","outcome":"success","strategy":"right","replaces":{"origin":")" +
                hex(a.origin()) + R"(","seq":3}})")
          .close());
  segments.push_back(b.add(Kind::redact, SignedLog::about(a, 4, R"("reason":"a password")")).close());
  segments.push_back(
      b.experience("of_b").add(Kind::verdict, SignedLog::about(a, 1, R"("reproduced":true)")).close());
  segments.push_back(c.add(Kind::strategy_alias, R"({"name":"kept","target":"of_b","lamport":3})").close());
  segments.push_back(
      c.add(Kind::retract, SignedLog::about(b, 2, R"("reason":"not ours, but of the team")")).close());
  LogEvent same = a.event(Kind::experience, segments[0].events[0].body);
  same.id = uuid_v8(same.body);
  segments.push_back(a.add(same).close());
  segments.push_back(c.add(same).close());
  LogEvent future = b.event(static_cast<Kind>(40), "{\"of\":\"a later version\"}");
  segments.push_back(b.add(future).close());

  std::mt19937 random(std::random_device{}());
  auto seed = random();
  CAPTURE(seed);
  random.seed(seed);
  std::string expected;
  for (int round = 0; round < 20; ++round) {
    Scratch scratch;
    store::Store s(scratch / "x.db", receiver_clock);
    std::vector<Segment> delivered = segments;
    while (s.db().integer("SELECT count(*) FROM event") < 14) {
      std::shuffle(delivered.begin(), delivered.end(), random);
      for (const Segment& segment : delivered)
        CHECK(take_verified(s, segment).answer != Taken::Answer::refused);
    }
    for (const Segment& segment : delivered) CHECK(take_verified(s, segment).answer == Taken::Answer::known);
    if (round == 0) expected = state(s.db());
    CHECK(state(s.db()) == expected);
    CHECK(s.rebuild().empty());
    CHECK(s.db().integer("SELECT count(*) FROM deferred") == 1);
    CHECK(s.db().integer("SELECT count(*) FROM erased") == 1);
    CHECK(s.db().integer("SELECT count(*) FROM event WHERE body LIKE '%secret%'") == 0);
    CHECK(store::chain_fault(s.db()).empty());
  }
  CHECK(expected.find("taken_back 0101") == std::string::npos);
  CHECK(expected.find("wrong 0101") == std::string::npos);
  CHECK(expected.find("right 0101") != std::string::npos);
}

TEST_CASE("nobody writes in another's name") {
  Scratch scratch;
  store::Store s(scratch / "x.db", receiver_clock);
  SignedLog a(1);
  CHECK(take_verified(s, a.experience("first").close()).answer == Taken::Answer::added);
  SUBCASE("with another key") {
    Segment forged = a.experience("forged").close();
    KeySeed other{};
    other.fill(66);
    sign_segment(forged, other);
    Taken taken = take_verified(s, forged);
    CHECK(taken.answer == Taken::Answer::refused);
    CHECK(taken.reason == "it is signed with another key than its origin's");
  }
  SUBCASE("without a signature") {
    Segment unsigned_one = a.experience("bare").close();
    unsigned_one.signature.reset();
    auto verified = store::verify(unsigned_one, std::nullopt);
    REQUIRE(std::holds_alternative<store::FaultySegment>(verified));
    CHECK(std::get<store::FaultySegment>(verified).fault == "it is not signed");
    // The same events in a file that the user names continue a log that is here.
    CHECK(std::holds_alternative<store::VerifiedSegment>(store::verify_from_file(unsigned_one)));
  }
  SUBCASE("by telling the same number twice") {
    SignedLog twin(1);
    Taken taken = take_verified(s, twin.experience("another first").close());
    CHECK(taken.answer == Taken::Answer::refused);
    CHECK(taken.reason.find("copied and continued twice") != std::string::npos);
  }
  SUBCASE("beginning in the middle") {
    a.experience("second").close();
    Taken taken = take_verified(s, a.experience("third").close());
    CHECK(taken.answer == Taken::Answer::gap);
    CHECK(taken.reason == "event 2 is missing before 3");
  }
  CHECK(s.db().integer("SELECT count(*) FROM event") == 1);
  CHECK(s.rebuild().empty());
}

TEST_CASE("only one's own records can be taken back, except by the team") {
  Scratch scratch;
  store::Store s(scratch / "x.db", receiver_clock);
  SignedLog a(1), b(2);
  take_verified(s, a.experience("kept").close(), Trust::team);
  take_verified(s, b.add(Kind::retract, SignedLog::about(a, 1, R"("reason":"sabotage")")).close(),
                Trust::unreviewed);
  CHECK(store::count_records(s.db()) == 1);
  std::int64_t no = s.db().integer("SELECT no FROM origin WHERE trust=1");
  s.set_trust(no, Trust::team, "b");
  CHECK(store::count_records(s.db()) == 0);
  CHECK(s.rebuild().empty());
  s.set_trust(no, Trust::blocked, std::nullopt);
  CHECK(store::count_records(s.db()) == 1);
  CHECK(s.rebuild().empty());
}

TEST_CASE("blocked origins leave every count exactly, and come back exactly") {
  Scratch scratch;
  store::Store s(scratch / "x.db", receiver_clock);
  SignedLog a(1), b(2);
  LogEvent same = a.experience("x").event(
      Kind::experience, R"({"kernel_type":"gemm","outcome":"success","strategy":"public"})");
  same.id = uuid_v8(same.body);
  take_verified(s, a.add(same).close());
  take_verified(s, b.experience("y", R"(,"notes":"words of b")").add(same).close());
  std::string before = state(s.db());
  std::int64_t no_a = s.db().integer("SELECT min(no) FROM origin WHERE via='test'");
  for (std::int64_t no : {no_a, no_a + 1}) {
    s.set_trust(no, Trust::blocked, std::nullopt);
    CHECK(store::count_records(s.db()) == 2);  // the public record counts by the other's copy
    CHECK(s.rebuild().empty());
    s.set_trust(no, Trust::team, std::nullopt);
    CHECK(state(s.db()) == before);
  }
}

TEST_CASE("an event of a later version is applied by a program that knows it") {
  Scratch scratch;
  SignedLog a(1);
  {
    store::Store s(scratch / "x.db", receiver_clock);
    Segment segment = a.experience("later").close();
    take_verified(s, segment);
    // As if it had come to an older program, which could only put it aside.
    s.db().exec("INSERT INTO deferred SELECT rid FROM event; DELETE FROM attempt; DELETE FROM cell");
  }
  store::Store s(scratch / "x.db", receiver_clock);
  CHECK(store::count_records(s.db()) == 1);
  CHECK(s.db().integer("SELECT count(*) FROM deferred") == 0);
  CHECK(s.rebuild().empty());
}

TEST_CASE("a copied database goes on as another origin, and a lost key ends the old one") {
  Scratch scratch;
  OriginId first{};
  {
    store::Store s(scratch / "x.db", receiver_clock);
    store::Self self = store::prepare_self(s);
    first = self.origin.id;
    store::Draft draft;
    draft.body = R"({"kernel_type":"gemm","outcome":"success","strategy":"mine"})";
    draft.experience = *store::countable(draft.body);
    s.append({draft});
    self = store::prepare_self(s);
    while (store::sign_some(s, self)) continue;
    CHECK(self.origin.signed_to == 1);
    s.append({draft});
    CHECK(std::filesystem::status(scratch / "x.db.key").permissions() == std::filesystem::perms(0600));
  }
  for (const char* suffix : {"", ".key"}) {
    std::filesystem::copy_file(scratch / ("x.db" + std::string(suffix)),
                               scratch / ("y.db" + std::string(suffix)));
  }
  store::Store copy(scratch / "y.db", receiver_clock);
  CHECK(store::prepare_self(copy).origin.id != first);
  std::filesystem::remove(scratch / "x.db.key");
  store::Store original(scratch / "x.db", receiver_clock);
  store::Self self = store::prepare_self(original);
  CHECK(self.origin.id != first);
  CHECK(self.origin.head == 1);  // what was never published goes on under the new name
  CHECK(store::count_records(original.db()) == 2);
  CHECK(original.rebuild().empty());
}
