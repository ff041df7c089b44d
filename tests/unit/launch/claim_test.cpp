#include "launch/claim.h"

#include <doctest/doctest.h>

#include "launch/script.h"
#include "model/json.h"

using namespace explog;
using namespace explog::launch;

TEST_CASE("an item is called by what lies in its folder") {
  ItemFacts facts;
  CHECK(state_of(facts, false) == ItemState::waiting);
  facts.attempts = 1, facts.claim = Claim{"w", "n1", "cpu", "at"};
  CHECK(state_of(facts, false) == ItemState::running);
  CHECK(state_of(facts, true) == ItemState::lost);
  facts.left = Left{"preempted", "at"};
  CHECK(state_of(facts, true) == ItemState::preempted);
  facts.done = Done{};
  CHECK(state_of(facts, true) == ItemState::done);
}

TEST_CASE("an owner is silent when it was looked at for long enough and said nothing new") {
  Watch watch(5, 60);
  CHECK(!watch.is_silent("w"));
  for (int second = 0; second < 60; second += 5) watch.look("w", "a 7", second);
  CHECK(!watch.is_silent("w"));
  watch.look("w", "a 7", 60);
  CHECK(watch.is_silent("w"));
  watch.look("w", "a 8", 65);
  CHECK(!watch.is_silent("w"));
}

TEST_CASE("a pause of the observer is no silence of the owner") {
  Watch watch(5, 60);
  watch.look("w", "a 7", 0);
  watch.look("w", "a 7", 10'000);  // asleep meanwhile, or the folder was away
  CHECK(!watch.is_silent("w"));
  // Another run of the same worker may count from the beginning: anything else than before is a sign of life.
  for (int i = 1; i <= 20; ++i) watch.look("w", i == 20 ? "b 0" : "a 7", 10'000 + 5 * i);
  CHECK(!watch.is_silent("w"));
}

TEST_CASE("each item belongs to one shard") {
  for (const char* id : {"0000000000000000", "16859a0b7f9c180e", "ffffffffffffffff"}) {
    Item item{id, ItemKind::tune, "", "", "", {}};
    int owners = 0;
    for (std::size_t k = 1; k <= 7; ++k) owners += is_of_shard(item, {k, 7}) ? 1 : 0;
    CHECK(owners == 1);
    CHECK(is_of_shard(item, {1, 1}));
  }
}

TEST_CASE("a plan that people write is refused by item and field") {
  auto said = [](const char* text) {
    try {
      parse_wishes(text, ItemKind::campaign);
    } catch (const JsonError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(said(R"({"format":1,"items":[{"task":"t","file":"f"}]})") == "accepted");
  CHECK(said(R"({"format":1,"items":[]})") == "items: expected a list of at least one");
  CHECK(said(R"({"format":1,"items":[{"task":"t"}]})") == "item 1: file: expected text");
  CHECK(said(R"({"format":1,"items":[{"task":"t","file":"f","options":["--db=x"]}]})") ==
        "item 1: options: --db is the plan's to give");
  CHECK(said(R"({"format":1,"items":[{"task":"t","file":"f","files":["../x"]}]})") ==
        "item 1: files: '../x' is no plain name of a file beside the kernel");
  CHECK(said(R"({"format":1,"items":[{"task":"t","file":"f","kind":"bench"}]})") ==
        "item 1: kind: 'bench' is neither campaign nor tune");
  CHECK(said(R"({"format":2})").find("2") != std::string::npos);
}

TEST_CASE("names with quotes and spaces stay one word of a script") {
  CHECK(quoted("/shared/run-1") == "/shared/run-1");
  CHECK(quoted("it's $HOME") == R"('it'\''s $HOME')");
  CHECK(quoted("") == "''");
  Job job{"/a b/$x", "bin/explog", "explog-x", "k", 2, {"h;1"}, {"-o", "A B"}, {}};
  std::string script = ssh_script(job);
  CHECK(script.find("plan='/a b/$x'\n") != std::string::npos);
  CHECK(script.find("for host in 'h;1'; do") != std::string::npos);
  CHECK(script.find(" -o 'A B')") != std::string::npos);
  for (const char* name : {"@PLAN@", "@HOSTS@", "@SETUP@", "@DATABASE@", "@WAIT@", "@KEY@", "@SHARDS@"})
    CHECK(script.find(name) == std::string::npos);
}
