// Device code of records: kept under its hash, found by their ids.
#include "app/judge/code.h"

#include <doctest/doctest.h>

#include "app/records/kept_code.h"
#include "base/error.h"
#include "scratch.h"

using namespace explog;
using namespace explog::app;

namespace {

struct CodeStore {
  Scratch folder;
  Session session;
  CodeStore() {
    session.db_path = folder / "test.db";
    session.clock = [] { return std::int64_t{1767323045000}; };
  }

  std::string add(const BothCodes& codes) {
    Experience e;
    e.kernel_type = "softmax", e.backend = "cuda", e.arch = "sm_90", e.strategy = "vectorized_access";
    e.outcome = "success", e.level = "measured";
    add_code(e, codes);
    keep_code(codes, session);
    return session.writer().append({store::Draft::of(e)}).at(0).id.text();
  }
};

// SASS of a kernel with one load, under a hash as a cubin would have it.
SideCode side(const std::string& load, char digit) {
  SideCode s;
  s.texts.sass = "\t.target\tsm_90\n.text.k:\n        /*0000*/   " + load + " R4, [R2] ;\n";
  s.code = bench::read_code(s.texts);
  s.code.hash = std::string(32, digit);
  return s;
}

CodeWanted wanted(const std::string& id, bool before) {
  CodeWanted w;
  w.what = id, w.before = before;
  return w;
}

}  // namespace

TEST_CASE("the code of a record is found by its id, its baseline's as well, and both are compared") {
  CodeStore store;
  std::string id = store.add({side("LDG.E", 'a'), side("LDG.E.128", 'b')});
  NamedCode after = code_named(wanted(id, false), store.session);
  CHECK(after.side.code.mix().widest_load == 16);
  CHECK(text_of_kind(after, "sass").find("LDG.E.128") != std::string::npos);
  CHECK(code_named(wanted(id, true), store.session).side.code.mix().widest_load == 4);
  CodeDifference d = code_difference({wanted(id, false)}, store.session);
  CHECK(d.before.side.code.mix().widest_load == 4);
  CHECK(d.after.side.code.mix().widest_load == 16);
}

TEST_CASE("the record's state has the facts of the code before the change, and what was said of it stays") {
  Experience e;
  e.state = {{"tensor_instructions", 7}};
  add_code(e, {side("LDG.E.64", 'a'), side("LDG.E.128", 'b')});
  CHECK(fact(e.state, "widest_global_load_bytes") == 8);
  CHECK(fact(e.state, "tensor_instructions") == 7);
  CHECK(e.code_before == std::string(32, 'a'));
  CHECK(e.code_after == std::string(32, 'b'));
}

TEST_CASE("who goes on from a change that was kept has the facts of the code after it") {
  CodeStore store;
  BothCodes codes{side("LDG.E.64", 'a'), side("LDG.E.128", 'b')};
  keep_code(codes, store.session);
  Experience e;
  e.state = {{"block_x", 256}};
  add_code(e, codes);
  put_code_after(e, store.session);
  CHECK(fact(e.state, "widest_global_load_bytes") == 16);
  CHECK(fact(e.state, "block_x") == 256);
  e.code_after = std::string(32, 'c');  // of another machine: what is not known is not claimed
  put_code_after(e, store.session);
  CHECK_FALSE(fact(e.state, "widest_global_load_bytes").has_value());
}

TEST_CASE("equal machine code is known by the hash, and no code at all is not equal") {
  CHECK(BothCodes{side("LDG.E", 'a'), side("LDG.E", 'a')}.equal());
  CHECK_FALSE(BothCodes{side("LDG.E", 'a'), side("LDG.E", 'b')}.equal());
  CHECK_FALSE(BothCodes{}.equal());
}

TEST_CASE("code that went, or was never there, is a negative answer in words") {
  CodeStore store;
  std::string kept = store.add({side("LDG.E", 'a'), side("LDG.E.128", 'b')}), none = store.add({});
  std::filesystem::remove_all(store.folder / "test.db.code");
  for (const std::string& id : {kept, none}) {
    try {
      code_named(wanted(id, false), store.session);
      FAIL("found code that is not there");
    } catch (const Error& e) {
      CHECK(e.exit == Exit::negative);
      CHECK(std::string(e.what()).find("device code") != std::string::npos);
    }
  }
}
