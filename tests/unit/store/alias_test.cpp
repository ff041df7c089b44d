// What names of strategies are said to mean: by whom, and in whatever order it arrives.
#include <doctest/doctest.h>

#include <algorithm>

#include "scratch.h"
#include "signed_log.h"
#include "store/read.h"
#include "store/receiver.h"

using namespace explog;

namespace {

std::int64_t clock_ms() { return 1767323045000; }

void take(store::Store& s, const Segment& segment, Trust trust) {
  store::Verified verified = store::verify(segment, std::nullopt);
  REQUIRE(std::holds_alternative<store::VerifiedSegment>(verified));
  store::Store::Receiver receiver(s, {trust, "test"});
  receiver.take(std::get<store::VerifiedSegment>(verified));
  receiver.commit();
}

std::string alias(const char* target, std::int64_t lamport) {
  return to_json(StrategyAlias{"sauce", target, lamport});
}

// The strategy under which the records of "sauce" are evidence.
std::string counted_as(sql::Db& db) {
  std::string names;
  FamilyEvidence evidence = store::evidence(db, "gemm");
  for (const EvidenceRow& row : evidence.rows) names += row.setting->strategy + " ";
  return names;
}

}  // namespace

TEST_CASE("aliases of three origins come to the same in any order, and act on earlier records") {
  SignedLog a(1), b(2), c(3);
  std::vector<Segment> segments;
  segments.push_back(a.experience("sauce").close());
  segments.push_back(a.add(Kind::strategy_alias, alias("split_k", 1)).close());
  segments.push_back(b.add(Kind::strategy_alias, alias("stream_k", 2)).close());
  segments.push_back(c.add(Kind::strategy_alias, alias("wgmma", 2)).close());  // the later of two at once
  std::vector<std::size_t> order = {0, 1, 2, 3};
  do {
    if (std::find(order.begin(), order.end(), 0u) > std::find(order.begin(), order.end(), 1u)) continue;
    Scratch scratch;
    store::Store s(scratch / "x.db", clock_ms);
    for (std::size_t i : order) take(s, segments[i], Trust::team);
    CHECK(store::strategy_aliases(s.db()).at("sauce") == "wgmma");
    CHECK(store::alias_clock(s.db()) == 2);
    CHECK(counted_as(s.db()) == "wgmma ");
    CHECK(s.rebuild().empty());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a stranger's alias is kept and has no effect until its origin is trusted") {
  SignedLog a(1), b(2);
  Scratch scratch;
  store::Store s(scratch / "x.db", clock_ms);
  take(s, a.experience("sauce").close(), Trust::team);
  take(s, b.add(Kind::strategy_alias, alias("split_k", 9)).close(), Trust::unreviewed);
  CHECK(counted_as(s.db()) == "sauce ");
  s.set_trust(s.db().integer("SELECT no FROM origin WHERE trust = 1"), Trust::team, std::nullopt);
  CHECK(counted_as(s.db()) == "split_k ");
}

TEST_CASE("an alias event reads back what was written") {
  auto alias = parse_strategy_alias(to_json(StrategyAlias{"a \"b\"", "split_k", 7}));
  REQUIRE(alias);
  CHECK(alias->name == "a \"b\"");
  CHECK(alias->target == "split_k");
  CHECK(alias->lamport == 7);
}
