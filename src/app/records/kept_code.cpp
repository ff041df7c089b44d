#include "app/records/kept_code.h"

#include "base/error.h"
#include "bench/harness/device_texts.h"
#include "model/code_facts.h"
#include "store/code_folder.h"

namespace explog::app {

using namespace bench;

SideCode code_of_build(const std::string& product) {
  SideCode side{code_of_product(product), {}};
  side.code = read_code(side.texts);
  return side;
}

void add_code(Experience& e, const BothCodes& codes) {
  e.code_before = codes.before.code.hash;
  e.code_after = codes.after.code.hash;
  for (const auto& [name, value] : state_of(codes.before.code)) {
    if (!fact(e.state, name)) e.state.emplace_back(name, value);
  }
}

void put_code_after(Experience& e, const Session& session) {
  if (e.code_after.empty()) return;
  Facts after = state_of(kept_code(e.code_after, session).code);
  std::erase_if(e.state, [&](const auto& f) {
    return is_code_fact(f.first) || f.first == "registers_per_thread" || fact(after, f.first);
  });
  e.state.insert(e.state.end(), after.begin(), after.end());
}

void keep_code(const BothCodes& codes, const Session& session) try {
  store::CodeFolder folder(session.database());
  for (const SideCode* side : {&codes.before, &codes.after}) {
    const std::string& hash = side->code.hash;
    folder.keep(hash, "cubin", side->texts.cubin);
    for (const auto& [kind, text] : code_kinds()) folder.keep(hash, std::string(kind), side->texts.*text);
  }
} catch (const Error& e) {
  session.warn(std::string("the device code is not kept: ") + e.what());
}

SideCode kept_code(const std::string& hash, const Session& session) {
  SideCode side;
  store::CodeFolder folder(session.database());
  side.texts.cubin = folder.find(hash, "cubin").value_or("");
  for (const auto& [kind, text] : code_kinds())
    side.texts.*text = folder.find(hash, std::string(kind)).value_or("");
  side.code = read_code(side.texts);
  return side;
}

}  // namespace explog::app
