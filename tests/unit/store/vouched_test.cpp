// Nobody answers for what a database file of a stranger says was measured.
#include <doctest/doctest.h>

#include "model/claim.h"
#include "scratch.h"
#include "store/origins.h"
#include "store/read.h"

using namespace explog;

namespace {

std::int64_t at_noon() { return 1767353045000; }

void add_measured(store::Store& s, const std::string& strategy) {
  Experience e;
  e.kernel_type = "gemm", e.backend = "cuda", e.arch = "sm_90", e.strategy = strategy;
  e.latency_before_ms = 2, e.latency_after_ms = 1;
  e.level = "measured";
  REQUIRE_FALSE(prepare(e, "measured").refused);
  s.append({store::Draft::of(std::move(e))});
}

std::string level_of_evidence(store::Store& s) {
  FamilyEvidence evidence = store::evidence(s.db(), "gemm");
  REQUIRE(evidence.rows.size() == 1);
  return evidence.rows[0].by->level;
}

struct Files {
  Scratch scratch;
  store::Store theirs, ours;
  Files() : theirs(scratch / "theirs.db", at_noon), ours(scratch / "ours.db", at_noon) {
    add_measured(theirs, "smem_tiling");
    CHECK(level_of_evidence(theirs) == "measured");
  }
  store::Store::Merged merge(Trust trust = Trust::unreviewed) {
    return ours.merge(scratch / "theirs.db", trust);
  }
};

}  // namespace

TEST_CASE(
    "what an unsigned file says was measured counts as imported, until the user answers for its origin") {
  Files f;
  auto merged = f.merge();
  REQUIRE(merged.unvouched.size() == 1);
  CHECK(level_of_evidence(f.ours) == "imported");
  CHECK(f.merge().unvouched.empty());  // nothing new came
  std::int64_t no = f.ours.db().integer("SELECT no FROM origin WHERE is_self=0");
  f.ours.set_trust(no, Trust::team, std::nullopt);
  CHECK(level_of_evidence(f.ours) == "measured");
  CHECK(f.ours.rebuild().empty());
}

TEST_CASE("a file whose log is signed to its end says itself that it was measured") {
  Files f;
  store::Self self = store::prepare_self(f.theirs);
  while (store::sign_some(f.theirs, self)) continue;
  CHECK(f.merge().unvouched.empty());
  CHECK(level_of_evidence(f.ours) == "measured");
  // What was added behind the last signature is not covered by it.
  add_measured(f.theirs, "smem_tiling");
  CHECK(f.merge().unvouched.size() == 1);
  CHECK(level_of_evidence(f.ours) == "imported");
}

TEST_CASE("whoever merges with trust answers for the file") {
  Files f;
  CHECK(f.merge(Trust::team).unvouched.empty());
  CHECK(level_of_evidence(f.ours) == "measured");
}
