// Names that a user gives: of records, strategies and kernel types.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/advice/strategies.h"
#include "app/records/add_record.h"
#include "base/error.h"

using namespace explog;

TEST_CASE("unknown names: near misses of a kernel type, strategies that the playbook lacks") {
  Playbook playbook = Playbook::load("");
  Experience e;
  e.kernel_type = "softmax";
  e.strategy = "loop_unroll";
  CHECK(app::unknown_names(e, playbook).empty());
  e.kernel_type = "sofmax";
  e.strategy = "lop_unroll";
  CHECK(
      app::unknown_names(e, playbook) ==
      std::vector<std::string>{"kernel type 'sofmax' is new (did you mean 'softmax'?)",
                               "strategy 'lop_unroll' is not in the playbook (did you mean 'loop_unroll'?)"});
  e.kernel_type = "my_own_kind_of_kernel";  // far from all: a family of its own is no mistake
  CHECK(app::unknown_names(e, playbook).size() == 1);
}

TEST_CASE("strategies: an empty list of a strategy stands for all, an empty filter for any") {
  Playbook playbook = Playbook::load("");
  CHECK(app::select_strategies({}, playbook).size() == playbook.all().size());
  auto chosen = app::select_strategies({.backend = "cutedsl", .family = "softmax", .category = ""}, playbook);
  REQUIRE(!chosen.empty());
  CHECK(chosen.size() < playbook.all().size());
  for (const Strategy& s : chosen) {
    CAPTURE(s.id);
    bool softmax =
        s.families.empty() || std::find(s.families.begin(), s.families.end(), "softmax") != s.families.end();
    CHECK(softmax);
  }
  CHECK_THROWS_AS(app::select_strategies({.backend = "", .family = "", .category = "no such"}, playbook),
                  Error);
}

TEST_CASE("strategies by name: aliases too, and a hint where there is none") {
  Playbook playbook = Playbook::load("");
  CHECK(app::strategies_named({"single_pass_softmax"}, playbook).at(0).id == "online_softmax");
  CHECK_THROWS_WITH_AS(app::strategies_named({"onlin_softmax"}, playbook),
                       "no strategy 'onlin_softmax' (did you mean 'online_softmax'?)", Error);
}
