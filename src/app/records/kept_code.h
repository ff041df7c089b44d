// Device code of what was judged: its facts in the records, its texts beside the database.
#pragma once
#include <string>

#include "app/session/session.h"
#include "bench/code/device_code.h"
#include "model/experience.h"

namespace explog::app {

// Of one side of a comparison.
struct SideCode {
  bench::CodeTexts texts;
  bench::DeviceCode code;
};
SideCode code_of_build(const std::string& product);

struct BothCodes {
  SideCode before, after;
  bool equal() const { return !after.code.hash.empty() && before.code.hash == after.code.hash; }
};

// Hashes of both sides, and the facts of the side before where the state does not say them.
void add_code(Experience& e, const BothCodes& codes);
// For who goes on from a change that was kept: the facts of the code before it give way to those of the code after it, as
// far as that is kept here.
void put_code_after(Experience& e, const Session& session);
// A text that cannot be written is a warning: the record is there.
void keep_code(const BothCodes& codes, const Session& session);
// What is kept under a hash; empty texts where nothing is.
SideCode kept_code(const std::string& hash, const Session& session);

}  // namespace explog::app
