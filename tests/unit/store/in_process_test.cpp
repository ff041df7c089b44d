// What only the candidate's own process timed weighs less than what was replayed, however it came here.
#include <doctest/doctest.h>

#include <map>

#include "model/claim.h"
#include "recommend/rank.h"
#include "scratch.h"
#include "signed_log.h"
#include "store/read.h"
#include "store/receiver.h"

using namespace explog;

namespace {

std::int64_t judging_clock() { return 1767353045000; }

Experience judged(bool in_process) {
  Experience e;
  e.kernel_type = "gemm", e.backend = "cuda", e.arch = "sm_90", e.strategy = "smem_tiling";
  e.latency_before_ms = 32, e.latency_after_ms = 1;
  e.level = "measured";
  if (in_process) e.tags = {"in-process"};
  REQUIRE_FALSE(prepare(e, "measured").refused);
  return e;
}

std::int64_t add(store::Store& s, bool in_process) {
  auto added = s.append({store::Draft::of(judged(in_process))});
  return store::resolve(s.db(), added[0].id.text());
}

// The levels that records count with, and how many of each: "in_process 2 measured 1 ".
std::string levels(store::Store& s) {
  std::map<std::string, std::int64_t> counts;
  FamilyEvidence evidence = store::evidence(s.db(), "gemm");
  for (const EvidenceRow& row : evidence.rows) counts[row.by->level] += row.n();
  std::string text;
  for (const auto& [level, n] : counts) text += level + " " + std::to_string(n) + " ";
  return text;
}

recommend::Item advised(store::Store& s) {
  Question q;
  q.kernel_type = q.family = "gemm", q.backend = "cuda", q.arch = "sm_90", q.bottleneck = "unknown";
  for (recommend::Item& item :
       recommend::rank(q, store::evidence(s.db(), "gemm"), Playbook::load("")).items) {
    if (item.strategy == "smem_tiling") return item;
  }
  FAIL("it is not advised");
  return {};
}

// The cells as version 7 counted them.
void put_back_to_7(sql::Db& db) {
  db.exec("DELETE FROM cell");
  store::Projector projector(db, "main");
  sql::Stmt counted(db, "SELECT e.rid, e.at, e.body FROM attempt a JOIN event e ON e.rid=a.rid");
  while (counted.step()) {
    auto e = store::countable(counted.text(2));
    REQUIRE(e);
    e->tags.clear();
    projector.count_only(counted.integer(0), counted.integer(1), *e);
  }
  projector.flush();
  db.exec("PRAGMA user_version=7");
}

}  // namespace

TEST_CASE("the same records advise less when they were timed in process, and the answer says so") {
  Scratch scratch;
  store::Store replayed(scratch / "replayed.db", judging_clock),
      in_process(scratch / "in_process.db", judging_clock);
  for (int i = 0; i < 6; ++i) add(replayed, false), add(in_process, true);
  recommend::Item sure = advised(replayed), less = advised(in_process);
  CHECK(less.p < sure.p);
  CHECK(less.strength < sure.strength);
  CHECK(less.gain < sure.gain);
  CHECK(less.counts.n == sure.counts.n);
  CHECK(less.reasons[0].find("; all timed in process, which weighs less") != std::string::npos);
  CHECK(sure.reasons[0].find("in process") == std::string::npos);
  add(in_process, false);
  CHECK(advised(in_process).reasons[0].find("; 6 of them timed in process, which weighs less") !=
        std::string::npos);
}

TEST_CASE("a database of version 7 is counted anew") {
  Scratch scratch;
  std::string path = scratch / "old.db";
  {
    store::Store s(path, judging_clock);
    add(s, true), add(s, true), add(s, false);
    put_back_to_7(s.db());
    CHECK(levels(s) == "measured 3 ");
  }
  store::Store s(path, judging_clock);
  CHECK(levels(s) == "in_process 2 measured 1 ");
  CHECK(s.rebuild().empty());
  s.retract({store::first_rid_of(1) + 1}, "wrong");
  CHECK(levels(s) == "in_process 1 measured 1 ");
  CHECK(s.rebuild().empty());
}

TEST_CASE("what is taken back, merged, blocked and believed again counts as what it was timed by") {
  Scratch scratch;
  store::Store theirs(scratch / "theirs.db", judging_clock), ours(scratch / "ours.db", judging_clock);
  std::int64_t gone = add(theirs, true);
  add(theirs, true), add(theirs, false);
  theirs.retract({gone}, "wrong");
  CHECK(levels(theirs) == "in_process 1 measured 1 ");
  CHECK(theirs.rebuild().empty());
  add(ours, true);
  ours.merge(scratch / "theirs.db", Trust::team);
  CHECK(levels(ours) == "in_process 2 measured 1 ");
  std::int64_t no = ours.db().integer("SELECT no FROM origin WHERE is_self=0");
  ours.set_trust(no, Trust::blocked, std::nullopt);
  CHECK(levels(ours) == "in_process 1 ");
  ours.set_trust(no, Trust::team, std::nullopt);
  CHECK(levels(ours) == "in_process 2 measured 1 ");
  CHECK(ours.rebuild().empty());
}

TEST_CASE("what others signed counts as what it was timed by") {
  Scratch scratch;
  store::Store s(scratch / "x.db", judging_clock);
  SignedLog log(1);
  for (const char* how : {R"(,"level":"measured","tags":["own-task","in-process"])", R"(,"level":"measured")",
                          R"(,"level":"claimed","tags":["in-process"])"}) {
    log.experience("smem_tiling", how);
  }
  store::Verified verified = store::verify(log.close(), std::nullopt);
  REQUIRE(std::holds_alternative<store::VerifiedSegment>(verified));
  store::Store::Receiver receiver(s, {Trust::unreviewed, "test"});
  receiver.take(std::get<store::VerifiedSegment>(verified));
  receiver.commit();
  CHECK(levels(s) == "claimed 1 in_process 1 measured 1 ");
  CHECK(s.rebuild().empty());
}
