// The records that come with the program.
#pragma once
#include <set>

#include "app/session/session.h"
#include "base/hash.h"
#include "intake/source.h"

namespace explog::app {

// All of them, as `import evidence:` reads them.
Source shipped_evidence();

// Whether this database lacks the edition that this program brings.
bool lacks_shipped(sql::Db& db);
// What they are called.
std::set<Uuid> shipped_ids();
// Puts it in, which takes a second; a warning where that is not possible, as in a file that cannot be written.
void put_shipped(const Session& session);

}  // namespace explog::app
